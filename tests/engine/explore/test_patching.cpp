// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of patched runs: their ends, and what is refused.
#include "engine/explore/patching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

const PatchPlan kPlan{.clean = {3, 9, 1, 17, 4, 20, 8, 11},
                      .corrupted = {3, 9, 1, 5, 4, 20, 8, 11},
                      .right = 2,
                      .wrong = 7,
                      .sites = PatchSites::kPostByPosition};

TEST(Patching, TheStreamBeforeTheFirstDifferenceBringsNothingAndTheLastCellEverything) {
  const auto model = random_toy(5);
  std::vector<double> shares;
  const auto grid =
      patch_grid(toy_scenario(1), model, kPlan, [&](double share) { shares.push_back(share); });
  ASSERT_TRUE(grid);
  for (int64_t layer = 0; layer < 3; ++layer) {
    // What the last layer has at other positions reaches no logit.
    const int64_t without = layer == 2 ? 7 : 3;
    for (int64_t position = 0; position < without; ++position)
      EXPECT_EQ(grid->value(layer, position), 0);
  }
  EXPECT_EQ(grid->value(2, 7), 1);
  // Nothing but position 3 differs before layer 0 has attended.
  PatchPlan mid = kPlan;
  mid.sites = PatchSites::kMidByPosition;
  const auto second = patch_grid(toy_scenario(1), model, mid);
  ASSERT_TRUE(second);
  EXPECT_NE(second->value(0, 3), 0);
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
  EXPECT_EQ(patch_sentence(*grid, 2, 7),
            "After layer 2, position 7: 100% of the way from the corrupted to the clean answer.");
}

TEST(Patching, ACancelledGateGivesNoGrid) {
  RunGate gate;
  gate.cancel();
  EXPECT_FALSE(patch_grid(toy_scenario(1), random_toy(5), kPlan, {}, &gate));
}

TEST(Patching, RefusesPromptsThatCannotBeCompared) {
  const auto model = random_toy(5);
  const auto refused = [&](const PatchPlan& plan) {
    try {
      patch_grid(toy_scenario(1), model, plan);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  PatchPlan plan = kPlan;
  plan.corrupted.pop_back();
  EXPECT_THAT(refused(plan), testing::HasSubstr("equally many tokens"));
  plan = kPlan;
  plan.corrupted = plan.clean;
  EXPECT_THAT(refused(plan), testing::HasSubstr("the two prompts are the same"));
  plan = kPlan;
  plan.wrong = plan.right;
  EXPECT_THAT(refused(plan), testing::HasSubstr("hardly differ in their answer"));
  plan = kPlan;
  plan.wrong = 24;
  EXPECT_THAT(refused(plan), testing::HasSubstr("0 to 23"));
}

}  // namespace
}  // namespace attn
