// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/machine/limits.h"
#include "engine/machine/machine_limits.h"

namespace attn {
namespace {

TEST(MachineLimits, AllAreMeasured) {
  double last = -1;
  const auto limits = measure_machine(
      2,
      [&](double fraction) {
        EXPECT_GE(fraction, last);
        last = fraction;
        return true;
      },
      0);
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->threads, 2);
  EXPECT_GE(limits->rounds, 1);
  EXPECT_GT(limits->f32_gops, 0);
  EXPECT_GT(limits->copy_gbps, 0);
  EXPECT_EQ(limits->bf16_gops > 0, !limits->bf16_unit.empty());
  if (bf16_unit() == Bf16Unit::kNone) {
    EXPECT_TRUE(limits->bf16_unit.empty());
  }
  ASSERT_FALSE(limits->levels.empty());
  EXPECT_EQ(limits->memory().name, "memory");
  int64_t below = 0;
  for (const MachineLimits::Level& level : limits->levels) {
    EXPECT_GT(level.read_gbps, 0) << level.name;
    EXPECT_GT(level.bytes, below) << level.name;
    below = level.bytes;
  }
}

TEST(MachineLimits, FewBytesAreReadAgainAsALine) {
  const auto pool = std::make_shared<ThreadPool>(2);
  LimitMeter meter(pool, written_memory(1024, *pool));
  for (const int64_t bytes : {0, 511, 512}) EXPECT_GT(meter.reread_rate(bytes), 0) << bytes;
}

TEST(MachineLimits, StopsWhenAsked) {
  int asked = 0;
  EXPECT_FALSE(measure_machine(
      1, [&](double) { return ++asked < 3; }, 0));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace attn
