// SPDX-License-Identifier: GPL-3.0-or-later
// The most memory that the cache, the records, the operands of a step and the captured plans of a
// run can need, computed before anything is allocated. Weights, workspaces, history and trace are
// not counted. Any thread; plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/cache/kv_storage.h"
#include "engine/model/source.h"
#include "engine/session/scenario/scenario.h"

namespace attn {

struct RunMemory {
  KvStorageSpec cache_spec;
  double cache_bytes = 0, swap_bytes = 0;
  double record_bytes = 0;                   // query rows, keys and log-sum-exps kept for the views
  double step_bytes = 0;                     // Q, K, V, output and logits of the largest step
  double plan_bytes = 0;                     // captured plans of decode steps
  std::string record_factors, step_factors;  // the arithmetic in words
  double total() const { return cache_bytes + swap_bytes + record_bytes + step_bytes + plan_bytes; }
};

// prompt_tokens: length of every request's prompt, in order. keep_attention: as in EngineOptions.
RunMemory run_memory(const Scenario& scenario, const SourceShape& shape, const KvStorageSpec& cache,
                     std::span<const int64_t> prompt_tokens, bool keep_attention);
// Sequences of the largest captured plan, when the scenario asks for captured plans.
int64_t captured_sequences(const Scenario& scenario);
// Blocks of a table of a captured plan whose longest sequence has `longest` tokens.
int64_t captured_blocks(const Scenario& scenario, int64_t longest);
// Throws Error(kBadInput) with the arithmetic when the run needs more than the allowed share of
// `available` bytes.
void check_run_memory(const RunMemory& need, int64_t available);

}  // namespace attn
