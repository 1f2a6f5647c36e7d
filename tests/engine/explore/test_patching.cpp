// SPDX-License-Identifier: GPL-3.0-or-later
// Grids of patched runs: what a patch from one cell to another changes in the logits, the cone of a
// cell, the gate, and prompts that are refused.
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
                      .sites = PatchSites::kPostByPosition,
                      .into_clean = false};

TEST(Patching, TheStreamBeforeTheFirstDifferenceBringsNothingAndTheLastCellEverything) {
  const auto model = random_toy(5);
  std::vector<double> shares;
  const auto grid =
      patch_grid(toy_scenario(1), model, kPlan, [&](double share) { shares.push_back(share); });
  ASSERT_TRUE(grid);
  for (int64_t layer = 0; layer < 3; ++layer) {
    const int64_t without = layer == 2 ? 7 : 3;
    for (int64_t position = 0; position < without; ++position)
      EXPECT_EQ(grid->value(layer, position), 0);
  }
  EXPECT_EQ(grid->value(2, 7), 1);
  PatchPlan mid = kPlan;
  mid.sites = PatchSites::kMidByPosition;
  const auto second = patch_grid(toy_scenario(1), model, mid);
  ASSERT_TRUE(second);
  EXPECT_NE(second->value(0, 3), 0);
  // An MLP works on each position by itself, so the stream before it and the stream after it have
  // the same effect.
  EXPECT_EQ(second->difference, grid->difference);
  ASSERT_FALSE(shares.empty());
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_EQ(shares.back(), 1);
}

TEST(Patching, EverythingGivesTheLogitsOfTheCleanPrompt) {
  const auto ends = patch_ends(toy_scenario(1), random_toy(5), kPlan);
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->residue_embedding, 0);
  EXPECT_EQ(ends->residue_last, 0);
}

TEST(Patching, WithoutAPairTheLikeliestTokensAreTaken) {
  PatchPlan plan = kPlan;
  plan.right = plan.wrong = kChosenToken;
  const auto ends = patch_ends(toy_scenario(1), random_toy(5), plan);
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->right, ends->clean.best);
  EXPECT_NE(ends->wrong, ends->right);
  EXPECT_EQ(ends->wrong == ends->corrupted.best, ends->corrupted.best != ends->right);
  EXPECT_EQ(ends->clean.right_probability, ends->clean.best_probability);
}

TEST(Patching, IntoTheCleanPromptTheSameSitesDestroyTheAnswer) {
  PatchPlan plan = kPlan;
  plan.into_clean = true;
  const auto grid = patch_grid(toy_scenario(1), random_toy(5), plan);
  ASSERT_TRUE(grid);
  for (int64_t position = 0; position < 3; ++position) EXPECT_EQ(grid->value(0, position), 1);
  EXPECT_EQ(grid->value(2, 7), 0);
  PatchPlan exchanged = kPlan;
  std::swap(exchanged.clean, exchanged.corrupted);
  EXPECT_EQ(patch_grid(toy_scenario(1), random_toy(5), exchanged)->difference, grid->difference);
}

TEST(Patching, APatchFromAnyCellToAnyOther) {
  const auto model = random_toy(5);
  const Scenario settings = toy_scenario(1);
  const auto grid = patch_grid(settings, model, kPlan);
  ASSERT_TRUE(grid);
  const auto d = [&](const PatchMove& move) {
    return patch_once(settings, model, kPlan, grid->ends, move)->difference;
  };
  EXPECT_EQ(d({1, 3, 1, 3}), grid->difference[1 * 8 + 3]);
  const double moved = d({0, 3, 1, 5});
  EXPECT_NE(moved, grid->ends.corrupted.difference);
  EXPECT_NE(moved, d({1, 3, 1, 5}));
  EXPECT_NE(moved, d({0, 5, 1, 5}));
  Intervention what = stream_of(1, ResidualSite::kPost, 1, 5);
  what.from_layer = 0;
  what.from_position = 3;
  const ExploredRun clean = run_of(model, kPlan.clean),
                    changed = run_of(model, kPlan.corrupted, {what}, 1, kPlan.clean);
  const auto width = static_cast<size_t>(residual_width(*model));
  std::vector<float> from(width), to(width);
  ASSERT_TRUE(clean.residual->read(ResidualSite::kPost, 0, 3, 1, from.data()));
  ASSERT_TRUE(changed.residual->read(ResidualSite::kPost, 1, 5, 1, to.data()));
  EXPECT_EQ(from, to);
  PatchPlan heads = kPlan;
  heads.sites = PatchSites::kHeads;
  EXPECT_TRUE(patch_once(settings, model, heads, grid->ends, {1, 2, 1, 2}));
  EXPECT_THROW(patch_once(settings, model, heads, grid->ends, {1, 2, 1, 3}), Error);
  EXPECT_THROW(patch_once(settings, model, kPlan, grid->ends, {0, 3, 3, 3}), Error);
}

TEST(Patching, TheConeOfACell) {
  EXPECT_TRUE(in_patch_cone(1, 3, 1, 3));
  EXPECT_FALSE(in_patch_cone(1, 3, 1, 4));
  EXPECT_TRUE(in_patch_cone(1, 3, 2, 4));
  EXPECT_FALSE(in_patch_cone(1, 3, 2, 2));
  EXPECT_FALSE(in_patch_cone(1, 3, 0, 4));
  const auto model = random_toy(5);
  const ExploredRun plain = run_of(model, kPlan.corrupted);
  const ExploredRun patched =
      run_of(model, kPlan.corrupted, {stream_of(1, ResidualSite::kPost, 1, 3)}, 1, kPlan.clean);
  std::vector<float> before(16), after(16);
  const auto width = static_cast<size_t>(residual_width(*model));
  before.resize(width);
  after.resize(width);
  for (int64_t layer = 0; layer < 3; ++layer)
    for (int64_t position = 0; position < 8; ++position) {
      ASSERT_TRUE(plain.residual->read(ResidualSite::kPost, layer, position, 1, before.data()));
      ASSERT_TRUE(patched.residual->read(ResidualSite::kPost, layer, position, 1, after.data()));
      EXPECT_EQ(before != after, in_patch_cone(1, 3, layer, position)) << layer << ' ' << position;
    }
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
