// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

// The 16-bit float nearest to x, ties to even, by search over all of them: slow and obvious.
template <class T>
double value_of(uint32_t bits) {
  return to_f32(T{static_cast<uint16_t>(bits)});
}

TEST(DType, EveryF16ReadsBackToItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = to_f32(Float16{static_cast<uint16_t>(bits)});
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(to_f32(to_f16(x))));
    } else {
      ASSERT_EQ(to_f16(x).bits, bits);
    }
  }
}

TEST(DType, EveryBF16ReadsBackToItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float x = to_f32(BFloat16{static_cast<uint16_t>(bits)});
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(to_f32(to_bf16(x))));
    } else {
      ASSERT_EQ(to_bf16(x).bits, bits);
    }
  }
}

// Between any two neighbours: just below the middle, the middle (to even), just above it.
template <class T>
void check_rounding(T (*round)(float), uint32_t last_finite) {
  for (uint32_t bits = 0; bits < last_finite; ++bits) {
    const double low = value_of<T>(bits), high = value_of<T>(bits + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(round(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(round(middle).bits, bits + (bits & 1));
    ASSERT_EQ(round(std::nextafter(middle, std::numeric_limits<float>::infinity())).bits, bits + 1);
    ASSERT_EQ(round(-middle).bits, (bits + (bits & 1)) | 0x8000);
  }
}

TEST(DType, F16RoundsToNearestEven) {
  check_rounding<Float16>(&to_f16, 0x7bff);
  EXPECT_EQ(to_f16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-std::numeric_limits<float>::infinity()).bits, 0xfc00);
}

TEST(DType, BF16RoundsToNearestEven) {
  // Subnormal middles of bf16 are exact in f32, so the whole range can be checked.
  check_rounding<BFloat16>(&to_bf16, 0x7f7e);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
}

TEST(DType, NamesAndSizes) {
  for (const DType dtype : {DType::kF64, DType::kF32, DType::kF16, DType::kBF16, DType::kI64,
                            DType::kI32, DType::kI16, DType::kI8, DType::kU8, DType::kBool})
    EXPECT_EQ(dtype_from_name(name_of(dtype)), dtype);
  EXPECT_EQ(dtype_from_name("BF16"), DType::kBF16);
  EXPECT_FALSE(dtype_from_name("f8").has_value());
  EXPECT_EQ(size_of(DType::kBF16), 2u);
}

}  // namespace
}  // namespace attn
