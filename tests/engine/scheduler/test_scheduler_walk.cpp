// SPDX-License-Identifier: GPL-3.0-or-later
// Long random walks of the scheduler through tests/engine/scheduler/scheduler_world.h: all
// policies, preemptions, prefix caching, windows, watermarks, priorities, arrivals, samples, beams,
// aborts and cancelled steps. Whatever happens, every request ends with the outputs it has alone.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/engine/scheduler/scheduler_world.h"

namespace attn::testing {
namespace {

constexpr int64_t kOperations = 250;

TEST(SchedulerWalk, EveryRequestEndsWithItsOwnTokens) {
  WorldStats stats;
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const WorldSetup setup = random_setup(seed);
    const std::vector<Op> ops = random_ops(seed, kOperations);
    if (const std::string failure = run_world(setup, ops, &stats); !failure.empty()) {
      FAIL() << "seed " << seed << ": " << failure << "\nshortest:\n"
             << shortest_failure(setup, ops);
    }
  }
  std::cout << stats.operations << " operations, " << stats.steps << " steps, " << stats.tokens
            << " tokens; preempted " << stats.recomputed << " by recomputation and "
            << stats.swapped_out << " by swap, " << stats.forks << " forks, " << stats.searches_done
            << " searches, " << stats.copies << " copies, " << stats.cached_tokens
            << " cached tokens, " << stats.chunks << " chunks\n";
  // The walk must really go through what it is about.
  EXPECT_GE(stats.operations, 400000);
  EXPECT_GT(stats.steps, 300000);
  EXPECT_GT(stats.recomputed, 5000);
  EXPECT_GT(stats.swapped_out, 1000);
  EXPECT_GT(stats.swapped_in, 1000);
  EXPECT_GT(stats.replays, 1000);
  EXPECT_GT(stats.chunks, 10000);
  EXPECT_GT(stats.copies, 1000);
  EXPECT_GT(stats.cached_tokens, 10000);
  EXPECT_GT(stats.evicted, 1000);
  EXPECT_GT(stats.forks, 5000);
  EXPECT_GT(stats.searches_done, 1000);
  EXPECT_GT(stats.searches_preempted, 200);
  EXPECT_GT(stats.cancelled, 10000);
  EXPECT_GT(stats.aborted, 1000);
  EXPECT_GT(stats.idle, 100);
}

}  // namespace
}  // namespace attn::testing
