// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the quantised types with 32 numbers in a block, except IQ4_NL. Byte j of the quants has
// four bits of number j in its low half, and four of number j + 16 in its high one; in Q8_0 it is
// number j alone.
#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

constexpr int64_t kSmallBlock = 32;
constexpr int64_t kHalfBlock = kSmallBlock / 2;

// Calls number(j, quant) for the 32 quants of four bits at `quants`. `fifth`: bit j is added to
// quant j as its fifth bit.
template <class Number>
void for_quants(const std::byte* quants, uint32_t fifth, Number&& number) {
  for (int64_t j = 0; j < kHalfBlock; ++j) {
    const auto byte = std::to_integer<uint32_t>(quants[j]);
    number(j, static_cast<int>((byte & 15) | ((fifth >> j & 1) << 4)));
    number(j + kHalfBlock, static_cast<int>((byte >> 4) | ((fifth >> (j + kHalfBlock) & 1) << 4)));
  }
}

// Blocks of a scale, perhaps the fifth bits, and quants: scale * (quant - zero).
template <bool kFifth>
void read_centred(const std::byte* from, int64_t blocks, int zero, float* to) {
  constexpr int64_t kFifthBytes = kFifth ? 4 : 0, kBytes = 2 + kFifthBytes + kHalfBlock;
  for (; blocks > 0; --blocks, from += kBytes, to += kSmallBlock) {
    const float scale = stored_f16(from);
    const uint32_t fifth = kFifth ? stored<uint32_t>(from + 2) : 0;
    for_quants(from + 2 + kFifthBytes, fifth,
               [&](int64_t j, int quant) { to[j] = scale * static_cast<float>(quant - zero); });
  }
}

// Blocks of a scale, a minimum, perhaps the fifth bits, and quants: scale * quant + minimum.
template <bool kFifth>
void read_from_minimum(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kFifthBytes = kFifth ? 4 : 0, kBytes = 4 + kFifthBytes + kHalfBlock;
  for (; blocks > 0; --blocks, from += kBytes, to += kSmallBlock) {
    const float scale = stored_f16(from), minimum = stored_f16(from + 2);
    const uint32_t fifth = kFifth ? stored<uint32_t>(from + 4) : 0;
    for_quants(from + 4 + kFifthBytes, fifth, [&](int64_t j, int quant) {
      const float product = scale * static_cast<float>(quant);
      to[j] = product + minimum;
    });
  }
}

}  // namespace

void dequantize_q4_0(const std::byte* from, int64_t blocks, float* to) {
  read_centred<false>(from, blocks, 8, to);
}

void dequantize_q4_1(const std::byte* from, int64_t blocks, float* to) {
  read_from_minimum<false>(from, blocks, to);
}

void dequantize_q5_0(const std::byte* from, int64_t blocks, float* to) {
  read_centred<true>(from, blocks, 16, to);
}

void dequantize_q5_1(const std::byte* from, int64_t blocks, float* to) {
  read_from_minimum<true>(from, blocks, to);
}

void dequantize_q8_0(const std::byte* from, int64_t blocks, float* to) {
  for (; blocks > 0; --blocks, from += 2 + kSmallBlock, to += kSmallBlock) {
    const float scale = stored_f16(from);
    for (int64_t j = 0; j < kSmallBlock; ++j)
      to[j] = static_cast<float>(stored<int8_t>(from + 2 + j)) * scale;
  }
}

}  // namespace attn
