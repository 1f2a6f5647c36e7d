// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/nan_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/model/not_finite.h"
#include "engine/scheduler/sampler.h"

namespace attn {

void NanWatch::look(int64_t layer, const LayerOperands& operands, const AttentionMetadata& batch,
                    const Scheduler& scheduler, const RunTrace& trace) {
  if (!began_.empty()) return;
  const Tensor& out = operands.out;
  const int64_t at = first_not_finite(out);
  if (at < 0) return;
  const int64_t width = out.dim(2), row = at / (out.dim(1) * width);
  int64_t sequence = 0;
  while (batch.query_start_loc[static_cast<size_t>(sequence) + 1] <= row) ++sequence;
  const int64_t position = batch.context_lens[static_cast<size_t>(sequence)] + row -
                           batch.query_start_loc[static_cast<size_t>(sequence)];
  const char* cause =
      first_not_finite(operands.query) >= 0   ? "Queries of this step are NaN or infinite"
      : first_not_finite(operands.key) >= 0   ? "Keys of this step are NaN or infinite"
      : first_not_finite(operands.value) >= 0 ? "Values of this step are NaN or infinite"
                                              : "A score or a sum was too large for 32-bit floats, "
                                                "or numbers in the cache are NaN or infinite";
  began_ = fmt::format(
      "The output of attention is NaN or infinite for the first time in step {}, layer {}, head "
      "{}, at position {} of {}. {}. What is computed from it can be NaN or infinite too.",
      trace.step(), layer, at / width % out.dim(1), position,
      scheduler.find(batch.request(sequence))->name, cause);
  trace.warn(began_);
}

void NanWatch::require_numbers(const Request& request, std::span<const float> logits) const {
  const int64_t bad = first_bad_logit(logits);
  if (bad < 0) return;
  throw_bad_input(
      {"the model's logits contain NaN or infinity, so no next token can be sampled",
       fmt::format("{}, token {}", request.name, request.num_tokens()),
       fmt::format("{} for token id {}",
                   std::isnan(logits[static_cast<size_t>(bad)]) ? "NaN (not a number)" : "infinity",
                   bad),
       "finite numbers",
       began_.empty() ? "Either a weight of the model is NaN or infinite, or a sum was too "
                        "large for 32-bit floats."
                      : began_});
}

}  // namespace attn
