// SPDX-License-Identifier: GPL-3.0-or-later
// Long random walks of the scheduler (scheduler_world.h) through policies, preemptions, prefix
// caching, windows, watermarks, priorities, arrivals, samples, beams, aborts and cancelled steps.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/engine/scheduler/scheduler_world.h"

namespace attn::testing {
namespace {

constexpr uint64_t kSeeds = 1000;
constexpr int64_t kOperations = 250;

class SchedulerWalk : public ::testing::TestWithParam<uint64_t> {};

TEST_P(SchedulerWalk, EveryRequestEndsWithItsOwnTokens) {
  WorldStats stats;
  for (uint64_t seed = GetParam() * kSeeds; seed < (GetParam() + 1) * kSeeds; ++seed) {
    const WorldSetup setup = random_setup(seed);
    const std::vector<Op> ops = random_ops(seed, kOperations);
    if (const std::string failure = run_world(setup, ops, &stats); !failure.empty()) {
      FAIL() << "seed " << seed << ": " << failure << "\nshortest:\n"
             << shortest_failure(setup, ops);
    }
  }
  std::cout << to_string(stats) << "\n";
  EXPECT_GE(stats.operations, 250000);
  EXPECT_GT(stats.steps, 100000);
  EXPECT_GT(stats.recomputed, 3000);
  EXPECT_GT(stats.swapped_out, 500);
  EXPECT_GT(stats.swapped_in, 500);
  EXPECT_GT(stats.replays, 100);
  EXPECT_GT(stats.chunks, 3000);
  EXPECT_GT(stats.copies, 5000);
  EXPECT_GT(stats.cached_tokens, 10000);
  EXPECT_GT(stats.evicted, 1000);
  EXPECT_GT(stats.forks, 10000);
  EXPECT_GT(stats.searches_done, 1000);
  EXPECT_GT(stats.searches_preempted, 500);
  EXPECT_GT(stats.cancelled, 5000);
  EXPECT_GT(stats.aborted, 1000);
  EXPECT_GT(stats.idle, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SchedulerWalk, ::testing::Range<uint64_t>(0, 4));

// The walk fails because the scheduler refuses a budget of 0 tokens.
TEST(SchedulerWorld, AFailureIsShortenedToWhatItTakes) {
  WorldSetup setup = random_setup(3);
  const std::vector<Op> ops = random_ops(3, 60);
  ASSERT_EQ(run_world(setup, ops), "");
  setup.config.max_num_batched_tokens = 0;
  const std::string failure = shortest_failure(setup, ops);
  EXPECT_NE(failure.find("max_num_batched_tokens"), std::string::npos) << failure;
  EXPECT_EQ(failure.find("  1: "), std::string::npos) << failure;
}

}  // namespace
}  // namespace attn::testing
