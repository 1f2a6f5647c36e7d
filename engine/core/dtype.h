// SPDX-License-Identifier: GPL-3.0-or-later
// Element types and their conversions. bf16 and f16 are stored as 16-bit structs and computed in
// f32. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace attn {

enum class DType : uint8_t { kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool };

size_t size_of(DType dtype);                             // bytes per element
std::string_view name_of(DType dtype);                   // "f32"
std::optional<DType> dtype_from_name(std::string_view);  // accepts "f32" and safetensors' "F32"

struct BFloat16 {
  uint16_t bits;
};
struct Float16 {
  uint16_t bits;
};

inline float to_f32(float x) {
  return x;
}
inline float to_f32(BFloat16 x) {
  return std::bit_cast<float>(uint32_t{x.bits} << 16);
}
float to_f32(Float16 x);
// Round to nearest even; NaN stays NaN (quiet), overflow becomes infinity.
BFloat16 to_bf16(float x);
Float16 to_f16(float x);

template <class T>
T from_f32(float x);
template <>
inline float from_f32<float>(float x) {
  return x;
}
template <>
inline BFloat16 from_f32<BFloat16>(float x) {
  return to_bf16(x);
}
template <>
inline Float16 from_f32<Float16>(float x) {
  return to_f16(x);
}

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::kF64;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::kF32;
};
template <>
struct DTypeOf<Float16> {
  static constexpr DType value = DType::kF16;
};
template <>
struct DTypeOf<BFloat16> {
  static constexpr DType value = DType::kBF16;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr DType value = DType::kI64;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType value = DType::kI32;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr DType value = DType::kU8;
};

}  // namespace attn
