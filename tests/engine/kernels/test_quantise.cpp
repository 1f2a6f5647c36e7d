// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/quantise.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "hwy/targets.h"

namespace attn {
namespace {

template <class Code>
uint8_t bits_of(Code code) {
  return std::bit_cast<uint8_t>(code);
}

// Every 4,099th float; then ties and limits of the formats, each with its neighbours; then
// infinities and NaN.
std::vector<float> numbers() {
  std::vector<float> all;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099)
    all.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (const float magnitude : {0.0f, 0x1p-149f, 0x1p-126f, 0x1p-17f, 0x1p-16f, 0x1p-14f, 0x1p-10f,
                                0x1p-9f, 0x1p-6f, 0.5f, 1.5f, 126.5f, 127.0f, 127.5f, 448.0f,
                                464.0f, 57344.0f, 61440.0f, std::numeric_limits<float>::max()})
    for (const float x : {magnitude, -magnitude})
      for (const float toward : {-1e9f, 1e9f}) {
        all.push_back(x);
        all.push_back(std::nextafter(x, toward));
      }
  all.push_back(std::numeric_limits<float>::infinity());
  all.push_back(-std::numeric_limits<float>::infinity());
  all.push_back(std::numeric_limits<float>::quiet_NaN());
  return all;
}

template <class Code>
void expect_as_one_by_one(const std::vector<float>& x, float scale) {
  std::vector<Code> codes(x.size());
  RoundingCounts counts, expected;
  quantise(x.data(), static_cast<int64_t>(x.size()), scale, codes.data(), counts);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(bits_of(codes[i]), bits_of(round_to_code<Code>(x[i] / scale, expected)))
        << x[i] << " / " << scale;
  EXPECT_EQ(counts.saturated, expected.saturated);
  EXPECT_EQ(counts.vanished, expected.vanished);
  EXPECT_EQ(counts.kept, expected.kept);
}

class Quantise : public ::testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(Quantise, EveryNumberAsOneByOne) {
  const std::vector<float> x = numbers();
  for (const float scale : {1.0f, 0.0625f, 0.37f, 3e-30f}) {
    expect_as_one_by_one<Float8E4M3>(x, scale);
    expect_as_one_by_one<Float8E5M2>(x, scale);
    expect_as_one_by_one<int8_t>(x, scale);
  }
}

TEST_P(Quantise, WritesAndCountsNoMoreThanAskedFor) {
  for (int64_t count = 0; count <= 40; ++count) {
    const std::vector<float> x(static_cast<size_t>(count), 1.0f);
    std::vector<int8_t> codes(static_cast<size_t>(count) + 32, 77);
    RoundingCounts counts{1, 2, 3};
    quantise(x.data(), count, 0.5f, codes.data(), counts);
    for (size_t i = 0; i < codes.size(); ++i)
      ASSERT_EQ(codes[i], static_cast<int64_t>(i) < count ? 2 : 77) << i << " of " << count;
    EXPECT_EQ(counts.saturated, 1);
    EXPECT_EQ(counts.vanished, 2);
    EXPECT_EQ(counts.kept, 3 + count);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Quantise,
                         ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()));

}  // namespace
}  // namespace attn
