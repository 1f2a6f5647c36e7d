// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/dtype.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>

namespace attn {
namespace {

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  size_t bytes;
};

constexpr std::array<DTypeInfo, 12> kInfos{{{DType::kF64, "f64", 8},
                                            {DType::kF32, "f32", 4},
                                            {DType::kF16, "f16", 2},
                                            {DType::kBF16, "bf16", 2},
                                            {DType::kI64, "i64", 8},
                                            {DType::kI32, "i32", 4},
                                            {DType::kI16, "i16", 2},
                                            {DType::kI8, "i8", 1},
                                            {DType::kU8, "u8", 1},
                                            {DType::kBool, "bool", 1},
                                            {DType::kF8E4M3, "f8_e4m3", 1},
                                            {DType::kF8E5M2, "f8_e5m2", 1}}};

}  // namespace

size_t size_of(DType dtype) {
  return kInfos[static_cast<size_t>(dtype)].bytes;
}

std::string_view name_of(DType dtype) {
  return kInfos[static_cast<size_t>(dtype)].name;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const DTypeInfo& info : kInfos) {
    if (info.name.size() != name.size()) continue;
    bool same = true;
    for (size_t i = 0; i < name.size(); ++i)
      same = same && std::tolower(static_cast<unsigned char>(name[i])) == info.name[i];
    if (same) return info.dtype;
  }
  return std::nullopt;
}

namespace {

constexpr float value_of_f16(uint32_t bits) {
  const uint32_t sign = (bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu;
  const uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  // mantissa * 2^-24 is exact in f32.
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

constexpr float value_of_e4m3(uint32_t bits) {
  const bool negative = bits & 0x80u;
  const uint32_t magnitude = bits & 0x7fu;
  if (magnitude == 0x7f) return std::bit_cast<float>((negative ? 0xffc00000u : 0x7fc00000u));
  // Shifted by 7 and read as an f16, the bits give the value times 2^-8: the exponent biases are 15
  // and 7.
  const float value = value_of_f16(magnitude << 7) * 256.0f;
  return negative ? -value : value;
}

using Codes = std::array<uint32_t, 256>;
constexpr Codes kE4M3 = [] {
  Codes codes{};
  for (uint32_t i = 0; i < 256; ++i) codes[i] = std::bit_cast<uint32_t>(value_of_e4m3(i));
  return codes;
}();
constexpr Codes kE5M2 = [] {
  Codes codes{};
  for (uint32_t i = 0; i < 256; ++i) codes[i] = std::bit_cast<uint32_t>(value_of_f16(i << 8));
  return codes;
}();

}  // namespace

float to_f32(Float16 x) {
  return value_of_f16(x.bits);
}

float to_f32(Float8E4M3 x) {
  return std::bit_cast<float>(kE4M3[x.bits]);
}

float to_f32(Float8E5M2 x) {
  return std::bit_cast<float>(kE5M2[x.bits]);
}

BFloat16 to_bf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

Float16 to_f16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<uint16_t>(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u)
    return {static_cast<uint16_t>(sign | 0x7c00u)};  // >= 65520 rounds to infinity
  if (magnitude < 0x38800000u) {                     // below 2^-14: subnormal, in units of 2^-24
    // In the sum with 0.5 the last mantissa bit is worth 2^-24, so the addition rounds to nearest
    // even.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return {static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u))};
  }
  const uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return {static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13))};
}

namespace {

constexpr float kMaxE4M3 = 448, kMaxE5M2 = 57344, kMaxI8 = 127;

// Rounds `magnitude`, which is finite and in range, to a small float, to nearest even. Returns its
// code without the sign. mantissa: its mantissa bits; lowest: its smallest normal exponent.
template <int mantissa, int lowest>
uint32_t round_small(float magnitude) {
  const uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  const int exponent = static_cast<int>(bits >> 23) - 127;
  if (exponent < lowest) {
    // Subnormal: one step is 2^(lowest - mantissa). The sum with 2^23 steps is rounded to whole
    // steps.
    const float shift = std::bit_cast<float>(uint32_t{127 + 23 + lowest - mantissa} << 23);
    return std::bit_cast<uint32_t>(magnitude + shift) - std::bit_cast<uint32_t>(shift);
  }
  constexpr int kDrop = 23 - mantissa;
  const uint32_t rounded = bits + (1u << (kDrop - 1)) - 1 + (bits >> kDrop & 1u);
  return (rounded >> kDrop) - (static_cast<uint32_t>(127 + lowest - 1) << mantissa);
}

uint8_t sign_of(float x) {
  return static_cast<uint8_t>(std::bit_cast<uint32_t>(x) >> 24 & 0x80u);
}

}  // namespace

Float8E4M3 to_f8e4m3(float x) {
  const uint8_t sign = sign_of(x);
  if (x != x) return {static_cast<uint8_t>(sign | 0x7fu)};
  const float magnitude = std::min(std::abs(x), kMaxE4M3);
  return {static_cast<uint8_t>(sign | round_small<3, -6>(magnitude))};
}

Float8E5M2 to_f8e5m2(float x) {
  const uint8_t sign = sign_of(x);
  if (x != x) return {static_cast<uint8_t>(sign | 0x7fu)};
  const float magnitude = std::min(std::abs(x), kMaxE5M2);
  return {static_cast<uint8_t>(sign | round_small<2, -14>(magnitude))};
}

int8_t to_i8(float x) {
  if (x != x) return 0;
  return static_cast<int8_t>(std::nearbyint(std::clamp(x, -kMaxI8, kMaxI8)));
}

bool saturates(DType dtype, float x) {
  // Half a step beyond the largest value rounds to the even neighbour: 464 down to 448, 61440 up.
  switch (dtype) {
    case DType::kF8E4M3:
      return std::abs(x) > 464;
    case DType::kF8E5M2:
      return std::abs(x) >= 61440;
    case DType::kI8:
      return std::abs(x) >= 127.5f;  // 127.5 rounds to the even 128
    default:
      return false;
  }
}

}  // namespace attn
