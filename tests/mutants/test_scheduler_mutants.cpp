// SPDX-License-Identifier: GPL-3.0-or-later
// Switches on every seeded fault of the scheduler (engine/scheduler/fault.h). Random walks of
// scheduler_world.h must notice each; without a fault the same walks pass. Also that a failing walk
// is shortened.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "engine/scheduler/fault.h"
#include "tests/engine/scheduler/scheduler_world.h"

namespace attn::testing {
namespace {

using scheduler_faults::kFaults;
using scheduler_faults::seeded;

constexpr uint64_t kSeeds = 2000;
constexpr int64_t kOperations = 150;

// The first failure of the walks, and in `seed` the walk that found it; "" when all pass.
std::string noticed(uint64_t& seed) {
  for (seed = 0; seed < kSeeds; ++seed)
    if (auto failure = run_world(random_setup(seed), random_ops(seed, kOperations));
        !failure.empty())
      return failure.substr(failure.find("): ") == std::string::npos ? 0 : failure.find("): ") + 3);
  return "";
}

TEST(SchedulerMutants, EveryFaultIsNoticed) {
  uint64_t seed = 0;
  ASSERT_EQ(noticed(seed), "");
  int killed = 0;
  for (const scheduler_faults::NamedFault& fault : kFaults) {
    seeded = fault.fault;
    const std::string failure = noticed(seed);
    seeded = scheduler_faults::kNoFault;
    EXPECT_NE(failure, "") << fault.name << " lives";
    if (!failure.empty()) std::cout << fault.name << ", walk " << seed << ": " << failure << "\n";
    killed += !failure.empty();
  }
  std::cout << killed << " of " << std::size(kFaults) << " faults noticed\n";
  EXPECT_GE(std::size(kFaults), 40u);
}

// One operation is enough: adding a request that arrives later.
TEST(SchedulerMutants, AFailingWalkIsShortened) {
  seeded = scheduler_faults::kArrivalIgnored;
  uint64_t seed = 0;
  const std::string failure = noticed(seed);
  const std::string shortest = shortest_failure(random_setup(seed), random_ops(seed, kOperations));
  seeded = scheduler_faults::kNoFault;
  ASSERT_NE(failure, "");
  EXPECT_NE(shortest.find("  0: add"), std::string::npos) << shortest;
  EXPECT_EQ(shortest.find("  1: "), std::string::npos) << shortest;
  EXPECT_NE(shortest.find("before his time"), std::string::npos) << shortest;
}

}  // namespace
}  // namespace attn::testing
