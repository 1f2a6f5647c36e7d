// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that a run can need, computed before anything is allocated: an upper limit for the
// cache, the records, the tokens of the prompts, the operands of a step, the masks of its prompts,
// the captured plans, the residual streams and the weights still to be read, and an estimate for
// the events. Workspaces and history are not counted. Any thread; plain data.
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
  double record_bytes = 0;  // query rows, keys, values and log-sum-exps kept for the views
  double step_bytes = 0;    // Q, K, V, output and logits of the largest step
  double plan_bytes = 0;    // captured plans of decode steps
  double mask_bytes = 0;    // masks of the prompts of a step, and the scores of the longest prompt
  // What the events of the run take, and its report beside them. Their number is estimated: it
  // depends on the order in which requests run.
  double event_bytes = 0;
  double residual_bytes = 0;  // residual streams that requests ask for
  double weight_bytes = 0;    // weights of a model that is not loaded yet
  // Ids and labels of all prompts, also of those that will be ignored.
  double token_bytes = 0;
  // The arithmetic in words.
  std::string record_factors, step_factors, event_factors, mask_factors, residual_factors,
      token_factors;
  double total() const {
    return cache_bytes + swap_bytes + record_bytes + step_bytes + plan_bytes + mask_bytes +
           event_bytes + residual_bytes + weight_bytes + token_bytes;
  }
};

// What a run keeps of what it has done.
struct RunKeeps {
  bool attention = false;  // as in EngineOptions
  bool events = false;     // there is a Recorder
  bool report = false;     // a report will be written
};

// prompt_tokens: length of every request's prompt, in order.
RunMemory run_memory(const Scenario& scenario, const SourceShape& shape, const KvStorageSpec& cache,
                     std::span<const int64_t> prompt_tokens, const RunKeeps& keeps);
// Tokens of a request that are given in place of those of its text.
struct GivenTokens {
  int64_t own = 0, encoder = 0;
};
// The memory of a run whose source is loaded. weight_bytes: what is still to be read; given: tokens
// of the first requests.
RunMemory run_memory(const Scenario& scenario, const Source& source, const RunKeeps& keeps,
                     double weight_bytes = 0, std::span<const GivenTokens> given = {});
// How many numbers a token has in the residual stream of a source; 0: it has none.
int64_t residual_width(const Source& source);
// What a request with a prompt of so many tokens wants to be kept of its residual stream.
ResidualRecord::Shape residual_shape(const ScenarioRequest& request, const Source& source,
                                     int64_t prompt_tokens);
// How the bytes of a residual record are computed: "30 tokens x (13 sites x 128 + 6 layers x 8
// heads x 16) x 4 bytes".
std::string residual_text(const ResidualRecord::Shape& shape);
// The most sequences of a captured plan, when the scenario asks for such plans.
int64_t captured_sequences(const Scenario& scenario);
// Blocks of a table of a captured plan whose longest sequence has `longest` tokens.
int64_t captured_blocks(const Scenario& scenario, int64_t longest);
// Throws Error(kBadInput) with the arithmetic when the run needs more than the allowed share of
// `available` bytes.
void check_run_memory(const RunMemory& need, int64_t available);

}  // namespace attn
