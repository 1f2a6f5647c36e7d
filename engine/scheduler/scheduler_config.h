// SPDX-License-Identifier: GPL-3.0-or-later
// The limits and the policy of a Scheduler, and what it tells of its requests.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/request.h"

namespace attn {

enum class SchedulingPolicy { kPrefillFirst, kChunkedPrefill };
std::string_view name_of(SchedulingPolicy policy);  // "prefill_first", "chunked_prefill"

struct SchedulerConfig {
  int64_t max_num_batched_tokens = 2048;  // tokens per step, at least 1
  int64_t max_num_seqs = 16;              // sequences that run at a time, at least 1
  int64_t max_model_len = 512;            // longest sequence, prompt + output, tokens, at least 1
  int64_t max_encoder_len = 0;            // tokens that an encoder can read; 0: any number
  SchedulingPolicy policy = SchedulingPolicy::kPrefillFirst;
  PreemptionMode preemption = PreemptionMode::kRecompute;
  // Forks get ids from here on, always above all ids known so far.
  uint32_t first_fork_id = 0;
};
// Throws Error(kBadInput) when one of the first three limits is below 1.
void check_limits(const SchedulerConfig& config);

// Callbacks by which the scheduler tells what happens to a request. All are optional; none may
// change the scheduler. Order at an admission: scheduled, then blocks are taken. At a preemption
// or an end: before_free, then blocks are given back or swapped out, then preempted or finished.
struct SchedulerEvents {
  std::function<void(const Request&)> arrived;    // the arrival time has come (QUEUED)
  std::function<void(const Request&)> scheduled;  // WAITING -> RUNNING, each time (SCHEDULED)
  std::function<void(const Request&)> resumed;    // SWAPPED -> RUNNING
  // Called before the device blocks of a request are given back or swapped out, so that their
  // content can be archived. Not called for a sequence without device blocks (waiting, swapped
  // out).
  std::function<void(const Request&)> before_free;
  std::function<void(const Request&)> preempted, finished;
  // The child is in requests(), RUNNING, with the parent's blocks; neither has its new token yet.
  std::function<void(const Request& parent, const Request& child)> forked;
};

}  // namespace attn
