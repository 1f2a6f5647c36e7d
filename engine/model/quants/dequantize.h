// SPDX-License-Identifier: GPL-3.0-or-later
// Turns blocks of the quantised types of GGUF into f32 numbers. Each product and each sum is
// rounded to f32. Numbers of more than one byte are little endian. Any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/core/dtype.h"

namespace attn {

static_assert(std::endian::native == std::endian::little, "scales are read as they are");

// Blocks of 32 numbers, which have one scale; blocks of the types _1 also have a minimum.
void dequantize_q4_0(const std::byte* from, int64_t blocks, float* to);
void dequantize_q4_1(const std::byte* from, int64_t blocks, float* to);
void dequantize_q5_0(const std::byte* from, int64_t blocks, float* to);
void dequantize_q5_1(const std::byte* from, int64_t blocks, float* to);
void dequantize_q8_0(const std::byte* from, int64_t blocks, float* to);

// Blocks of 256 numbers, in runs of 16 or 32 with a small scale each.
void dequantize_q2_k(const std::byte* from, int64_t blocks, float* to);
void dequantize_q3_k(const std::byte* from, int64_t blocks, float* to);
void dequantize_q4_k(const std::byte* from, int64_t blocks, float* to);
void dequantize_q5_k(const std::byte* from, int64_t blocks, float* to);
void dequantize_q6_k(const std::byte* from, int64_t blocks, float* to);

// Four bits choose one of 16 levels, which lie closer together near zero. Blocks of 32 numbers
// (NL), or of 256 with a small scale for each 32 (XS).
void dequantize_iq4_nl(const std::byte* from, int64_t blocks, float* to);
void dequantize_iq4_xs(const std::byte* from, int64_t blocks, float* to);

// A number at `from`, which need not be aligned.
template <class T>
T stored(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}
inline float stored_f16(const std::byte* from) {
  return to_f32(stored<Float16>(from));
}

}  // namespace attn
