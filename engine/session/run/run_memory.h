// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the memory that a run needs, before it is allocated, and refuses a run that needs too
// much. Some memory is not counted, such as the history. Any thread; plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/cache/kv_storage.h"
#include "engine/model/source.h"
#include "engine/session/record/residual_record.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct RunMemory {
  KvStorageSpec cache_spec;
  double cache_bytes = 0, swap_bytes = 0;
  double record_bytes = 0;  // attention records
  double step_bytes = 0;    // Q, K, V, output, logits
  double plan_bytes = 0;    // captured plans of decode steps
  double mask_bytes = 0;    // prefill masks and scores
  // Bytes of the events and of the report made from them. The number of events is estimated.
  double event_bytes = 0;
  double residual_bytes = 0;  // residual streams
  double weight_bytes = 0;    // weights still to be read
  // Ids and labels of prompt and encoder tokens, also of requests that will be ignored.
  double token_bytes = 0;
  // What some of these bytes are made of, as text for messages.
  std::string record_factors, step_factors, event_factors, mask_factors, residual_factors,
      token_factors;
  double total() const {
    return cache_bytes + swap_bytes + record_bytes + step_bytes + plan_bytes + mask_bytes +
           event_bytes + residual_bytes + weight_bytes + token_bytes;
  }
};

struct RunKeeps {
  bool attention = false;  // EngineOptions::keep_attention
  bool events = false;     // there is a Recorder
  bool report = false;     // a report will be written
};

// prompt_tokens: the length of each prompt, in tokens.
RunMemory run_memory(const Scenario& scenario, const SourceShape& shape, const KvStorageSpec& cache,
                     std::span<const int64_t> prompt_tokens, const RunKeeps& keeps);
// Token counts of a request.
struct GivenTokens {
  int64_t own = 0, encoder = 0;
};
// weight_bytes: weights still to be read. given: token counts of the first requests.
RunMemory run_memory(const Scenario& scenario, const Source& source, const RunKeeps& keeps,
                     double weight_bytes = 0, std::span<const GivenTokens> given = {});
// Numbers per token in the residual stream; 0: the source is not a model.
int64_t residual_width(const Source& source);
// The residual record that the request asks for, cut at the longest sequence that it can have.
ResidualRecord::Shape residual_shape(const ScenarioRequest& request, const Source& source,
                                     int64_t prompt_tokens);
// The bytes of a residual record as arithmetic, for example "30 tokens x (13 sites x 128 + 6 layers
// x 8 heads x 16) x 4 bytes".
std::string residual_text(const ResidualRecord::Shape& shape);
// The number of sequences for which plans are captured. The largest plan can have more rows.
int64_t captured_sequences(const Scenario& scenario);
// Entries of a sequence in a captured plan's block table. longest: tokens of the longest sequence.
int64_t captured_blocks(const Scenario& scenario, int64_t longest);
// Throws Error(kBadInput) with the arithmetic when the run needs more than the allowed share of
// `available` bytes.
void check_run_memory(const RunMemory& need, int64_t available);

}  // namespace attn
