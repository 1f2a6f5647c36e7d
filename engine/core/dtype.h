// SPDX-License-Identifier: GPL-3.0-or-later
// Element types and their conversions. bf16, f16 and fp8 values are structs of bits that convert to
// and from f32. fp8 as in P. Micikevicius et al., "FP8 Formats for Deep Learning", 2022: e4m3 has
// no infinity and reaches 448, e5m2 is the upper half of an f16 and reaches 57344. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace attn {

enum class DType : uint8_t {
  kF64,
  kF32,
  kF16,
  kBF16,
  kI64,
  kI32,
  kI16,
  kI8,
  kU8,
  kBool,
  kF8E4M3,
  kF8E5M2
};

size_t size_of(DType dtype);                             // bytes per element
std::string_view name_of(DType dtype);                   // "f32"
std::optional<DType> dtype_from_name(std::string_view);  // upper or lower case

struct BFloat16 {
  uint16_t bits;
};
struct Float16 {
  uint16_t bits;
};

struct Float8E4M3 {
  uint8_t bits;
};
struct Float8E5M2 {
  uint8_t bits;
};

inline float to_f32(float x) {
  return x;
}
inline float to_f32(BFloat16 x) {
  return std::bit_cast<float>(uint32_t{x.bits} << 16);
}
float to_f32(Float16 x);
float to_f32(Float8E4M3 x);
float to_f32(Float8E5M2 x);
inline float to_f32(int8_t x) {
  return x;
}
// Round to nearest even; NaN stays NaN (quiet), overflow becomes infinity.
BFloat16 to_bf16(float x);
Float16 to_f16(float x);
// Round to nearest even; NaN stays NaN. What rounds to more than the largest finite value becomes
// that value with its sign, and so does infinity; saturates() says whether x is such a number.
Float8E4M3 to_f8e4m3(float x);
Float8E5M2 to_f8e5m2(float x);
int8_t to_i8(float x);  // ties to even, limited to -127 .. 127; NaN becomes 0
bool saturates(DType dtype, float x);

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

template <>
inline Float8E4M3 from_f32<Float8E4M3>(float x) {
  return to_f8e4m3(x);
}
template <>
inline Float8E5M2 from_f32<Float8E5M2>(float x) {
  return to_f8e5m2(x);
}
template <>
inline int8_t from_f32<int8_t>(float x) {
  return to_i8(x);
}

// The DType of a C++ element type: DTypeOf<float>::value == DType::kF32.
template <class T>
struct DTypeOf;
template <DType kType>
struct IsDType {
  static constexpr DType value = kType;
};
template <>
struct DTypeOf<double> : IsDType<DType::kF64> {};
template <>
struct DTypeOf<float> : IsDType<DType::kF32> {};
template <>
struct DTypeOf<Float16> : IsDType<DType::kF16> {};
template <>
struct DTypeOf<BFloat16> : IsDType<DType::kBF16> {};
template <>
struct DTypeOf<int64_t> : IsDType<DType::kI64> {};
template <>
struct DTypeOf<int32_t> : IsDType<DType::kI32> {};
template <>
struct DTypeOf<Float8E4M3> : IsDType<DType::kF8E4M3> {};
template <>
struct DTypeOf<Float8E5M2> : IsDType<DType::kF8E5M2> {};
template <>
struct DTypeOf<int8_t> : IsDType<DType::kI8> {};
template <>
struct DTypeOf<uint8_t> : IsDType<DType::kU8> {};

}  // namespace attn
