// SPDX-License-Identifier: GPL-3.0-or-later
// Explores the scheduler's states with tiny caches, breadth first, until no new state appears.
// Every path must pass the checks of scheduler_world.h.
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "tests/engine/scheduler/scheduler_world.h"

namespace attn::testing {
namespace {

Request tiny(uint32_t id, int64_t prompt_len, int64_t max_tokens) {
  Request request;
  request.id = id;
  request.prompt_ids.assign(static_cast<size_t>(prompt_len), 1);
  request.max_tokens = max_tokens;
  return request;
}

struct Found {
  size_t states = 0, operations = 0;
};

// Operations: add the next request, compute a step, cancel a step, abort a request or a sample.
void explore(const WorldSetup& setup, const std::vector<Request>& requests, Found& found) {
  std::set<std::string> seen;
  std::deque<std::vector<Op>> frontier = {{}};
  while (!frontier.empty()) {
    const std::vector<Op> path = std::move(frontier.front());
    frontier.pop_front();
    std::vector<Op> next = {{.kind = OpKind::kStep}, {.kind = OpKind::kCancelledStep}};
    size_t added = 0;
    for (const Op& op : path) added += op.kind == OpKind::kAdd;
    if (added < requests.size()) next.push_back({.kind = OpKind::kAdd, .request = requests[added]});
    for (size_t i = 0; i < added; ++i)
      for (int64_t sample = 0; sample < requests[i].n; ++sample)
        next.push_back({.kind = OpKind::kAbort, .target = requests[i].id, .sample = sample});
    for (Op& op : next) {
      std::vector<Op> longer = path;
      longer.push_back(std::move(op));
      ++found.operations;
      bool is_new = false;
      const std::string failure = run_world(setup, longer, nullptr, [&](const std::string& state) {
        return is_new = seen.insert(state).second;
      });
      if (!failure.empty()) {
        FAIL() << shortest_failure(setup, longer);
      }
      if (is_new) frontier.push_back(std::move(longer));
    }
  }
  found.states += seen.size();
}

struct Crowd {
  const char* name;
  std::vector<Request> requests;
};
void PrintTo(const Crowd& crowd, std::ostream* out) {
  *out << crowd.name;
}

std::vector<Crowd> crowds() {
  std::vector<Crowd> all = {{"plain", {tiny(1, 2, 3), tiny(2, 1, 4), tiny(3, 3, 1)}},
                            {"samples", {tiny(1, 2, 3), tiny(2, 3, 2)}},
                            {"beams", {tiny(1, 2, 3), tiny(2, 1, 3)}},
                            {"priorities", {tiny(1, 2, 3), tiny(2, 3, 2), tiny(3, 1, 2)}}};
  all[1].requests[0].n = 2;
  all[2].requests[0].beam_width = 2;
  all[3].requests[1].priority = -1;
  return all;
}

class SchedulerExhaustive : public ::testing::TestWithParam<Crowd> {};

TEST_P(SchedulerExhaustive, TinyCachesToClosure) {
  const Crowd& crowd = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  Found found;
  for (const auto policy : {SchedulingPolicy::kPrefillFirst, SchedulingPolicy::kChunkedPrefill})
    for (const int64_t swap_blocks : {0, 2})
      for (const bool caching : {false, true})
        for (const int64_t num_blocks : {2, 3, 4})
          for (const auto& [block_size, budget, seqs] :
               {std::tuple{1, 3, 3}, {2, 2, 2}, {2, 4, 3}}) {
            WorldSetup setup;
            setup.blocks = {.block_size = block_size,
                            .num_blocks = num_blocks,
                            .num_swap_blocks = swap_blocks,
                            .prefix_caching = caching};
            setup.config = {
                .max_num_batched_tokens = budget,
                .max_num_seqs = seqs,
                .max_model_len = 6,
                .policy = policy,
                .preemption = swap_blocks > 0 ? PreemptionMode::kSwap : PreemptionMode::kRecompute,
                .first_fork_id = 1'000'000};
            SCOPED_TRACE(std::string(crowd.name) + ": " + to_string(setup));
            explore(setup, crowd.requests, found);
            if (HasFailure()) return;
          }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::cout << found.states << " states, " << found.operations << " operations, " << time.count()
            << " s\n";
  RecordProperty("states", std::to_string(found.states));
  EXPECT_GT(found.states, 5000u);
}

INSTANTIATE_TEST_SUITE_P(Crowds, SchedulerExhaustive, ::testing::ValuesIn(crowds()),
                         [](const auto& crowd) { return std::string(crowd.param.name); });

}  // namespace
}  // namespace attn::testing
