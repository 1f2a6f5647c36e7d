// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/record/line_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace attn {
namespace {

using testing::ElementsAre;

TEST(LineFilter, AtLeast) {
  const std::vector<float> row{0.5f, 0.125f, 0.25f, 0, 0.125f};
  const KeptKeys kept = keep_keys({LineFilter::Kind::kAtLeast, 0.2, false}, row);
  EXPECT_THAT(kept.keys, ElementsAre(0, 2));
  EXPECT_DOUBLE_EQ(kept.mass, 1);
  EXPECT_DOUBLE_EQ(kept.hidden, 0.25);
  EXPECT_THAT(keep_keys({LineFilter::Kind::kAtLeast, 0, false}, row).keys, ElementsAre(0, 2, 1, 4));
}

TEST(LineFilter, TopMassTakesTheFewest) {
  const std::vector<float> row{0.5f, 0.125f, 0.25f, 0, 0.125f};
  const auto keys = [&](double share) {
    return keep_keys({LineFilter::Kind::kTopMass, share, false}, row).keys;
  };
  EXPECT_THAT(keys(0.5), ElementsAre(0));
  EXPECT_THAT(keys(0.51), ElementsAre(0, 2));
  EXPECT_THAT(keys(0.8), ElementsAre(0, 2, 1));
  EXPECT_THAT(keys(1), ElementsAre(0, 2, 1, 4));
  EXPECT_THAT(keys(0), ElementsAre());
}

TEST(LineFilter, WithoutTheFirstToken) {
  const std::vector<float> row{0.5f, 0.125f, 0.375f};
  const KeptKeys kept = keep_keys({LineFilter::Kind::kTopMass, 0.75, true}, row);
  EXPECT_THAT(kept.keys, ElementsAre(2));  // 0.375 of the remaining 0.5
  EXPECT_DOUBLE_EQ(kept.hidden, 0.625);
  EXPECT_THAT(keep_keys({LineFilter::Kind::kAtLeast, 0.1, true}, row).keys, ElementsAre(2, 1));
}

TEST(LineFilter, NanRowKeepsNothing) {
  const std::vector<float> row{0.5f, std::numeric_limits<float>::quiet_NaN()};
  const KeptKeys kept = keep_keys({}, row);
  EXPECT_TRUE(kept.keys.empty());
  EXPECT_TRUE(std::isnan(kept.mass));
}
}  // namespace
}  // namespace attn
