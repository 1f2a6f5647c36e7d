// SPDX-License-Identifier: GPL-3.0-or-later
// NaN and infinity in a run: attention that gives them is told once, logits that contain them end
// the run.
#include <fmt/format.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/model/not_finite.h"
#include "engine/scheduler/sampler.h"
#include "engine/session/run/engine_impl.h"

namespace attn {

// Warns once when attention gives NaN or infinity. It looks at the output only: NaN in a query, key
// or value that takes part makes it NaN, too. Only the first place is told, because what is
// computed from it can be NaN as well.
void Engine::Impl::warn_of_nan(int64_t layer_index) {
  if (!nan_began.empty()) return;
  const int64_t at = first_not_finite(out);  // [T, H, D]
  if (at < 0) return;
  const int64_t width = out.dim(2), row = at / (out.dim(1) * width);
  const AttentionMetadata& batch = *group_of(layer_index).batch;
  int64_t sequence = 0;
  while (batch.query_start_loc[static_cast<size_t>(sequence) + 1] <= row) ++sequence;
  const int64_t position = batch.context_lens[static_cast<size_t>(sequence)] + row -
                           batch.query_start_loc[static_cast<size_t>(sequence)];
  const char* cause = first_not_finite(query) >= 0 ? "Queries of this step are NaN or infinite"
                      : first_not_finite(key) >= 0 ? "Keys of this step are NaN or infinite"
                      : first_not_finite(value) >= 0
                          ? "Values of this step are NaN or infinite"
                          : "A score or a sum was too large for 32-bit floats, or numbers in the "
                            "cache are NaN or infinite";
  nan_began = fmt::format(
      "The output of attention is NaN or infinite for the first time in step {}, layer {}, head "
      "{}, at position {} of {}. {}. What is computed from it can be NaN or infinite too.",
      step, layer_index, at / width % out.dim(1), position,
      scheduler->find(batch.request(sequence))->name, cause);
  trace.warn(nan_began);
}

// Refuses logits that are not finite numbers: any token drawn from them would look like an answer.
void Engine::Impl::require_numbers(const PlannedSequence& planned,
                                   std::span<const float> row) const {
  const int64_t bad = first_bad_logit(row);
  if (bad < 0) return;
  const Request& request = *scheduler->find(planned.request);
  throw_bad_input(
      {"the model's logits contain NaN or infinity, so no next token can be sampled",
       fmt::format("{}, token {}", request.name, request.num_tokens()),
       fmt::format("{} for token id {}",
                   std::isnan(row[static_cast<size_t>(bad)]) ? "NaN (not a number)" : "infinity",
                   bad),
       "finite numbers",
       nan_began.empty() ? "Either a weight of the model is NaN or infinite, or a sum was too "
                           "large for 32-bit floats."
                         : nan_began});
}

}  // namespace attn
