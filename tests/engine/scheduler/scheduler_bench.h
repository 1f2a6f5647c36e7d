// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the scheduler's tests: requests, the entries that plans are expected to have, and a
// scheduler with its block manager.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn::testing {

inline Request make_request(uint32_t id, int64_t prompt_len, int64_t max_tokens) {
  Request request;
  request.id = id;
  request.prompt_ids.assign(static_cast<size_t>(prompt_len), 5);
  request.max_tokens = max_tokens;
  return request;
}

inline Request own_prompt(uint32_t id, int64_t prompt_len, int64_t max_tokens) {
  Request request = make_request(id, prompt_len, max_tokens);
  for (int64_t i = 0; i < prompt_len; ++i)
    request.prompt_ids[static_cast<size_t>(i)] = static_cast<int32_t>(1000 * id + i);
  return request;
}

inline PlannedSequence chunk(uint32_t request, int64_t context, int64_t tokens,
                             int64_t num_samples = 0) {
  return {.request = request,
          .context_len = context,
          .query_len = tokens,
          .is_prefill = true,
          .num_samples = num_samples};
}
inline PlannedSequence prefill(uint32_t request, int64_t tokens, bool samples = true) {
  return chunk(request, 0, tokens, samples ? 1 : 0);
}
inline PlannedSequence decode(uint32_t request, int64_t context, bool samples = true) {
  return {.request = request,
          .context_len = context,
          .query_len = 1,
          .is_prefill = false,
          .num_samples = samples ? 1 : 0};
}
inline Preemption recomputed(uint32_t request) {
  return {request, PreemptionMode::kRecompute};
}
inline Preemption swapped(uint32_t request) {
  return {request, PreemptionMode::kSwap};
}

inline std::vector<uint32_t> victims(const BatchPlan& plan) {
  std::vector<uint32_t> ids;
  for (const Preemption& preemption : plan.preempted) ids.push_back(preemption.request);
  return ids;
}

// A scheduler with its block manager. The token sampled for a sequence is 100 + the number of
// tokens before it; the i-th further sample adds 1000 * i.
struct Bench {
  BlockManager manager;
  Scheduler scheduler;
  uint32_t step = 0;
  uint64_t clock = 0;  // ns

  Bench(SchedulerConfig config, BlockManagerConfig blocks, SchedulerEvents events = {},
        OnBlockChange on_change = {})
      : manager(blocks, std::move(on_change)), scheduler(config, manager, std::move(events)) {}
  Bench(SchedulerConfig config, int64_t num_blocks, int64_t block_size, SchedulerEvents events = {},
        OnBlockChange on_change = {})
      : Bench(config, BlockManagerConfig{.block_size = block_size, .num_blocks = num_blocks},
              std::move(events), std::move(on_change)) {}

  BatchPlan schedule() {
    BatchPlan plan = scheduler.schedule(++step, clock);
    scheduler.check_invariants();
    return plan;
  }
  void update(const BatchPlan& plan) {
    std::vector<SampledToken> sampled;
    for (const PlannedSequence& planned : plan.sequences) {
      const int64_t first = 100 + scheduler.find(planned.request)->num_tokens();
      for (int64_t i = 0; i < planned.num_samples; ++i)
        sampled.push_back({.token = static_cast<int32_t>(first + 1000 * i)});
    }
    update(plan, sampled);
  }
  void update(const BatchPlan& plan, const std::vector<SampledToken>& sampled) {
    scheduler.update(plan, sampled, step * uint64_t{1000});
    scheduler.check_invariants();
  }
  BatchPlan run_step() {
    BatchPlan plan = schedule();
    update(plan);
    return plan;
  }
  void run_to_end() {
    for (int i = 0; i < 10000 && scheduler.has_work(); ++i) run_step();
    ASSERT_FALSE(scheduler.has_work());
  }
  const Request& request(uint32_t id) { return *scheduler.find(id); }
  int64_t num_free() const { return manager.num_available(); }
  int64_t num_used() const { return manager.num_usable() - manager.num_available(); }
};

}  // namespace attn::testing
