// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace attn {
namespace {

TEST(Rng, SameSeedSameNumbersOtherSeedOthers) {
  Rng a(7), b(7), c(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const uint64_t x = a.next();
    EXPECT_EQ(x, b.next());
    differs = differs || x != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Rng, UniformFillsItsBinsEvenly) {
  Rng rng(1);
  std::array<int, 10> bins{};
  for (int i = 0; i < 100000; ++i) ++bins[static_cast<size_t>(rng.uniform() * 10)];
  for (const int count : bins) EXPECT_NEAR(count, 10000, 400);  // about 4 standard deviations
}

TEST(Rng, NormalHasMeanZeroAndDeviationOne) {
  Rng rng(2);
  double sum = 0, squares = 0;
  constexpr int kDraws = 200000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.01);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.015);
}

TEST(Rng, BelowStaysBelow) {
  Rng rng(3);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70000; ++i) {
    const uint64_t x = rng.below(7);
    ASSERT_LT(x, 7u);
    ++seen[x];
  }
  for (const int count : seen) EXPECT_NEAR(count, 10000, 400);
}

}  // namespace
}  // namespace attn
