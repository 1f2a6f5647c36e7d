// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/dtype.h"

#include <array>
#include <cctype>

namespace attn {
namespace {

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  size_t bytes;
};

constexpr std::array<DTypeInfo, 10> kInfos{{{DType::kF64, "f64", 8},
                                            {DType::kF32, "f32", 4},
                                            {DType::kF16, "f16", 2},
                                            {DType::kBF16, "bf16", 2},
                                            {DType::kI64, "i64", 8},
                                            {DType::kI32, "i32", 4},
                                            {DType::kI16, "i16", 2},
                                            {DType::kI8, "i8", 1},
                                            {DType::kU8, "u8", 1},
                                            {DType::kBool, "bool", 1}}};

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

float to_f32(Float16 x) {
  const uint32_t sign = uint32_t{x.bits & 0x8000u} << 16;
  const uint32_t exponent = (x.bits >> 10) & 0x1fu;
  const uint32_t mantissa = x.bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  // Subnormal: mantissa * 2^-24 is exact in f32.
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
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
    // Adding 0.5 puts the unit of 2^-24 at the last mantissa bit, so the hardware rounds to nearest
    // even.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    return {static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000u))};
  }
  const uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return {static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13))};
}

}  // namespace attn
