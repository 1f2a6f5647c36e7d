// SPDX-License-Identifier: GPL-3.0-or-later
// PlannedCall: a call of an attention kernel that a backend makes for a batch in each layer of a
// configuration, and why, known in advance. For views and tests. Any thread; plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/attention/metadata.h"
#include "engine/attention/types.h"
#include "engine/core/text/sentence.h"
#include "engine/core/thread_pool.h"
#include "engine/trace/event.h"

namespace attn {

struct PlannedCall {
  KernelId kernel = {};
  int64_t first_sequence = 0, sequences = 0;  // range of the batch that holds the call's sequences
  int64_t rows = 0;                           // query rows that it computes, padding included
  int64_t padding = 0;  // rows that it computes only because the batch or a prompt is padded
  // Why the call is made in this way.
  std::vector<Sentence> reasons;
};

struct PlanInputs {
  int64_t block_size = 0;
  int64_t captured_rows = 0;  // rows of the captured plan that is replayed; 0: no plan
  int workers = 1;
  TaskOrder order = TaskOrder::kDynamic;  // as Execution::order()
};

// A call for sequences [first, first + count) of the prefills of a batch, without reasons.
PlannedCall prefill_call(const AttentionConfig& config, const AttentionMetadata& prefills,
                         KernelId kernel, int64_t first, int64_t count);
// Adds a call for each sequence of `prefills` that has rows. Only the first call has the reason
// `why`.
void add_calls_of_one_prompt(const AttentionConfig& config, const AttentionMetadata& prefills,
                             KernelId kernel, const Sentence& why, std::vector<PlannedCall>& calls);

// The call of paged attention v1 or v2 for the decodes of `batch`; empty if it has no decodes.
std::vector<PlannedCall> paged_decode_calls(const AttentionConfig& config,
                                            const AttentionMetadata& batch,
                                            const PlanInputs& inputs);
// The call of the decode kernel that takes query heads of one KV head together; empty if `batch`
// has no decodes. one_partial_per_task: as in DecodeArgs.
std::vector<PlannedCall> grouped_decode_calls(const AttentionConfig& config,
                                              const AttentionMetadata& batch,
                                              const PlanInputs& inputs, bool one_partial_per_task);

}  // namespace attn
