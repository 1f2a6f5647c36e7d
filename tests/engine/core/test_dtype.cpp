// SPDX-License-Identifier: GPL-3.0-or-later
// Compares conversions with oracles in double: every code of f16, bf16 and fp8, and the rounding of
// many f32 numbers. Also i8, saturation, and the names and sizes of types.
#include "engine/core/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// --- The oracle: a small float by its definition ---
struct Format {
  int exponent_bits, mantissa_bits;
  bool has_infinity;  // e4m3 has none
  bool saturates;     // too large values become the largest number
};
constexpr Format kF16Format{5, 10, true, false}, kBF16Format{8, 7, true, false},
    kE4M3Format{4, 3, false, true}, kE5M2Format{5, 2, true, true};

int bias_of(const Format& f) {
  return (1 << (f.exponent_bits - 1)) - 1;
}

// NaN, an infinity, or sign * (1 + m / 2^M) * 2^(e - bias); subnormal: sign * m / 2^M *
// 2^(1 - bias).
double value_of(const Format& f, uint32_t code) {
  const uint32_t mantissa = code & ((1u << f.mantissa_bits) - 1);
  const uint32_t exponent = code >> f.mantissa_bits & ((1u << f.exponent_bits) - 1);
  const double sign = code >> (f.mantissa_bits + f.exponent_bits) & 1 ? -1 : 1;
  const uint32_t top = (1u << f.exponent_bits) - 1, all = (1u << f.mantissa_bits) - 1;
  if (f.has_infinity && exponent == top)
    return mantissa == 0 ? sign * kInf : std::numeric_limits<double>::quiet_NaN();
  if (!f.has_infinity && exponent == top && mantissa == all)
    return std::numeric_limits<double>::quiet_NaN();
  const double fraction =
      static_cast<double>(mantissa) / static_cast<double>(1u << f.mantissa_bits);
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias_of(f);
  return sign * std::ldexp((exponent == 0 ? 0 : 1) + fraction, power);
}

uint32_t largest_code(const Format& f) {
  const uint32_t count = 1u << (f.mantissa_bits + f.exponent_bits);
  return f.has_infinity ? count - (1u << f.mantissa_bits) - 1 : count - 2;
}

// The code nearest to x, ties to the even code, by search among the non-negative ones.
class Rounder {
 public:
  explicit Rounder(const Format& f) : format_(f) {
    for (uint32_t code = 0; code <= largest_code(f); ++code) values_.push_back(value_of(f, code));
    // The number that would follow the largest one if the format had one more.
    beyond_ = 2 * values_.back() - values_[values_.size() - 2];
  }
  uint32_t round(float x) const {
    const uint32_t sign =
        std::signbit(x) ? 1u << (format_.mantissa_bits + format_.exponent_bits) : 0;
    const double magnitude = std::abs(static_cast<double>(x));
    const auto last = static_cast<uint32_t>(values_.size()) - 1;
    const auto up = std::lower_bound(values_.begin(), values_.end(), magnitude);
    if (up == values_.end()) {
      const double middle = (values_.back() + beyond_) / 2;
      const bool stays = magnitude < middle || (magnitude == middle && last % 2 == 0);
      return sign | (stays || format_.saturates ? last : last + 1);
    }
    const auto high = static_cast<uint32_t>(up - values_.begin());
    if (*up == magnitude) return sign | high;
    const uint32_t low = high - 1;
    const double below = magnitude - values_[low], above = *up - magnitude;
    if (below == above) return sign | (low % 2 == 0 ? low : high);
    return sign | (below < above ? low : high);
  }
  bool is_beyond(float x) const {
    const double magnitude = std::abs(static_cast<double>(x)),
                 middle = (values_.back() + beyond_) / 2;
    return magnitude > middle || (magnitude == middle && largest_code(format_) % 2 != 0);
  }

 private:
  Format format_;
  std::vector<double> values_;
  double beyond_;
};

// All patterns of the upper 22 bits, each with low bits at which a wrong rounding would show, and
// every 1009th float.
template <class Check>
void for_many_f32(Check&& check) {
  constexpr uint32_t kLow = 10;
  for (uint32_t top = 0; top < 1u << (32 - kLow); ++top)
    for (const uint32_t low : {0u, 1u, 0x1ffu, 0x200u, 0x201u, 0x3ffu})
      check(std::bit_cast<float>(top << kLow | low));
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 1009)
    check(std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

template <class T>
void check_decoding(const Format& format) {
  for (uint32_t code = 0; code < 1u << (8 * sizeof(T)); ++code) {
    T x;
    x.bits = static_cast<decltype(x.bits)>(code);
    const double expected = value_of(format, code);
    const float found = to_f32(x);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(found)) << code;
    } else {
      ASSERT_EQ(found, expected) << code;
      ASSERT_EQ(std::signbit(found), std::signbit(expected)) << code;
    }
  }
}

template <class T>
void check_round_trip(const Format& format) {
  for (uint32_t code = 0; code < 1u << (8 * sizeof(T)); ++code) {
    T x;
    x.bits = static_cast<decltype(x.bits)>(code);
    const double value = value_of(format, code);
    const T back = from_f32<T>(to_f32(x));
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(to_f32(back))) << code;
    } else if (format.saturates && std::isinf(value)) {
      ASSERT_EQ(to_f32(back), std::copysign(value_of(format, largest_code(format)), value));
    } else {
      ASSERT_EQ(back.bits, code);
    }
  }
}

template <class T>
void check_rounding(const Format& format) {
  const Rounder rounder(format);
  int64_t wrong = 0, checked = 0;
  float first_wrong = 0;
  for_many_f32([&](float x) {
    ++checked;
    const T found = from_f32<T>(x);
    const bool right =
        std::isnan(x) ? std::isnan(to_f32(found)) : uint32_t{found.bits} == rounder.round(x);
    if (right) return;
    if (wrong++ == 0) first_wrong = x;
  });
  EXPECT_EQ(wrong, 0) << "of " << checked << ", first " << first_wrong << " (bits "
                      << std::bit_cast<uint32_t>(first_wrong) << ")";
}

TEST(DType, EveryF16IsWhatItsBitsSay) {
  check_decoding<Float16>(kF16Format);
}
TEST(DType, EveryBF16IsWhatItsBitsSay) {
  check_decoding<BFloat16>(kBF16Format);
}
TEST(DType, EveryE4M3IsWhatItsBitsSay) {
  check_decoding<Float8E4M3>(kE4M3Format);
}
TEST(DType, EveryE5M2IsWhatItsBitsSay) {
  check_decoding<Float8E5M2>(kE5M2Format);
}

TEST(DType, EveryF16ReadsBackToItself) {
  check_round_trip<Float16>(kF16Format);
}
TEST(DType, EveryBF16ReadsBackToItself) {
  check_round_trip<BFloat16>(kBF16Format);
}
TEST(DType, EveryE4M3ReadsBackToItself) {
  check_round_trip<Float8E4M3>(kE4M3Format);
}
TEST(DType, EveryE5M2ReadsBackToItself) {
  check_round_trip<Float8E5M2>(kE5M2Format);
}

TEST(DType, F16RoundsToNearestEven) {
  check_rounding<Float16>(kF16Format);
  EXPECT_EQ(to_f16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_f16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_f16(-kInf).bits, 0xfc00);
}

TEST(DType, BF16RoundsToNearestEven) {
  check_rounding<BFloat16>(kBF16Format);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()).bits, 0x7f80);
}

TEST(DType, E4M3RoundsToNearestEvenAndSaturates) {
  check_rounding<Float8E4M3>(kE4M3Format);
  EXPECT_EQ(to_f32(to_f8e4m3(1e30f)), 448);
  EXPECT_EQ(to_f32(to_f8e4m3(-kInf)), -448);
  EXPECT_EQ(to_f8e4m3(0x1p-10f).bits, 0);  // half of the smallest number
  EXPECT_EQ(to_f8e4m3(-0.0f).bits, 0x80);
}

TEST(DType, E5M2RoundsToNearestEvenAndSaturates) {
  check_rounding<Float8E5M2>(kE5M2Format);
  EXPECT_EQ(to_f32(to_f8e5m2(kInf)), 57344);
  EXPECT_EQ(to_f32(to_f8e5m2(-1e30f)), -57344);
}

// Checks the rounding just below, at and just above the middle of neighbouring numbers of the
// format.
template <class T>
void check_middles(const Format& format) {
  for (uint32_t code = 0; code < largest_code(format); ++code) {
    const auto middle =
        static_cast<float>((value_of(format, code) + value_of(format, code + 1)) / 2);
    const auto bits = [](float x) { return uint32_t{from_f32<T>(x).bits}; };
    ASSERT_EQ(bits(std::nextafter(middle, 0.0f)), code);
    ASSERT_EQ(bits(middle), code + (code & 1));
    ASSERT_EQ(bits(std::nextafter(middle, kInf)), code + 1);
    const uint32_t sign = 1u << (8 * sizeof(T) - 1);
    ASSERT_EQ(bits(-middle), (code + (code & 1)) | sign);
  }
}
TEST(DType, MiddlesOfEveryTwoNeighbours) {
  check_middles<Float16>(kF16Format);
  check_middles<BFloat16>(kBF16Format);
  check_middles<Float8E4M3>(kE4M3Format);
  check_middles<Float8E5M2>(kE5M2Format);
}

TEST(DType, I8RoundsToNearestEvenAndSaturates) {
  for (int code = -127; code <= 127; ++code) {
    EXPECT_EQ(to_i8(static_cast<float>(code)), code);
    EXPECT_EQ(to_f32(static_cast<int8_t>(code)), code);
  }
  int64_t wrong = 0;
  for_many_f32([&](float x) {
    const double clamped = std::clamp(static_cast<double>(x), -127.0, 127.0);
    const double low = std::floor(clamped), rest = clamped - low;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(low, 2) != 0);
    wrong += std::isnan(x) ? to_i8(x) != 0 : to_i8(x) != low + (up ? 1 : 0);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(DType, SaturationIsWhatRoundsBeyondTheLargest) {
  const Rounder e4m3(kE4M3Format), e5m2(kE5M2Format);
  int64_t wrong = 0;
  for_many_f32([&](float x) {
    if (std::isnan(x)) {
      wrong += saturates(DType::kF8E4M3, x) || saturates(DType::kF8E5M2, x);
      return;
    }
    wrong += saturates(DType::kF8E4M3, x) != e4m3.is_beyond(x);
    wrong += saturates(DType::kF8E5M2, x) != e5m2.is_beyond(x);
    // 127.5 rounds to 128, which i8 does not have.
    wrong += saturates(DType::kI8, x) != (std::abs(x) >= 127.5f);
    wrong += saturates(DType::kF16, x) || saturates(DType::kF32, x);
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(saturates(DType::kF8E4M3, 464.0f));
  EXPECT_TRUE(saturates(DType::kF8E4M3, std::nextafter(464.0f, kInf)));
  EXPECT_TRUE(saturates(DType::kF8E5M2, 61440.0f));
  EXPECT_TRUE(saturates(DType::kF8E5M2, kInf));
}

TEST(DType, NamesAndSizes) {
  for (const DType dtype :
       {DType::kF64, DType::kF32, DType::kF16, DType::kBF16, DType::kI64, DType::kI32, DType::kI16,
        DType::kI8, DType::kU8, DType::kBool, DType::kF8E4M3, DType::kF8E5M2})
    EXPECT_EQ(dtype_from_name(name_of(dtype)), dtype);
  EXPECT_EQ(dtype_from_name("BF16"), DType::kBF16);
  EXPECT_EQ(dtype_from_name("F8_E4M3"), DType::kF8E4M3);
  EXPECT_FALSE(dtype_from_name("f8").has_value());
  EXPECT_EQ(size_of(DType::kBF16), 2u);
  EXPECT_EQ(size_of(DType::kF8E5M2), 1u);
}

}  // namespace
}  // namespace attn
