// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the K types (Q2_K to Q6_K): 256 numbers in a block, in runs with a small scale each.
#include <array>

#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

constexpr int64_t kSuperBlock = 256;

uint32_t byte_at(const std::byte* from, int64_t at) {
  return std::to_integer<uint32_t>(from[at]);
}

// The scales and minima of the eight runs of Q4_K and Q5_K, six bits each in 12 bytes. Runs 0 to 3:
// the low six bits of bytes 0 to 3 (scales) and 4 to 7 (minima). Runs 4 to 7: the low four bits are
// in bytes 8 to 11 (scales in their low halves, minima in their high ones), and the two high bits
// are those of bytes 0 to 3 (scales) and 4 to 7 (minima).
struct RunScales {
  std::array<float, 8> scale, minimum;
};
RunScales run_scales(const std::byte* from) {
  RunScales result{};
  for (int64_t run = 0; run < 4; ++run) {
    const auto at = static_cast<size_t>(run);
    const uint32_t a = byte_at(from, run), b = byte_at(from, run + 4), c = byte_at(from, run + 8);
    result.scale[at] = static_cast<float>(a & 63);
    result.minimum[at] = static_cast<float>(b & 63);
    result.scale[at + 4] = static_cast<float>((c & 15) | (a >> 6 << 4));
    result.minimum[at + 4] = static_cast<float>((c >> 4) | (b >> 6 << 4));
  }
  return result;
}

// Q4_K, and Q5_K with a fifth bit for each number: bit r of byte j belongs to number j of run r.
// Runs 2i and 2i + 1 are the low and the high halves of the same 32 bytes.
template <bool kFifth>
void read_with_minima(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kRun = 32, kHead = 16, kFifthBytes = kFifth ? 32 : 0;
  for (; blocks > 0; --blocks, from += kHead + kFifthBytes + kSuperBlock / 2, to += kSuperBlock) {
    const float scale = stored_f16(from), minimum = stored_f16(from + 2);
    const RunScales runs = run_scales(from + 4);
    for (int64_t run = 0; run < 8; ++run) {
      const auto at = static_cast<size_t>(run);
      const float d = scale * runs.scale[at], m = minimum * runs.minimum[at];
      const std::byte* quants = from + kHead + kFifthBytes + run / 2 * kRun;
      for (int64_t j = 0; j < kRun; ++j) {
        uint32_t quant = byte_at(quants, j) >> (run % 2 * 4) & 15;
        if constexpr (kFifth) quant |= (byte_at(from + kHead, j) >> run & 1) << 4;
        const float product = d * static_cast<float>(quant);
        to[run * kRun + j] = product - m;
      }
    }
  }
}

// Where the two low bits of number i are in Q2_K and Q3_K. Each half of the block has 32 bytes with
// such bits: bits 0 and 1 are the half's first 32 numbers, bits 2 and 3 the next 32, and so on.
struct TwoBits {
  int64_t byte;
  uint32_t shift;
};
TwoBits two_bits(int64_t i) {
  return {i / 128 * 32 + i % 32, static_cast<uint32_t>(i / 32 % 4 * 2)};
}

}  // namespace

void dequantize_q2_k(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kScales = 16, kQuants = 64;
  for (; blocks > 0; --blocks, from += kScales + kQuants + 4, to += kSuperBlock) {
    const float scale = stored_f16(from + kScales + kQuants),
                minimum = stored_f16(from + kScales + kQuants + 2);
    for (int64_t run = 0; run < 16; ++run) {
      const uint32_t both = byte_at(from, run);
      const float d = scale * static_cast<float>(both & 15),
                  m = minimum * static_cast<float>(both >> 4);
      for (int64_t i = run * 16; i < run * 16 + 16; ++i) {
        const TwoBits at = two_bits(i);
        const float product =
            d * static_cast<float>(byte_at(from + kScales, at.byte) >> at.shift & 3);
        to[i] = product - m;
      }
    }
  }
}

void dequantize_q3_k(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kHigh = 32, kQuants = 64, kScales = 12;
  for (; blocks > 0; --blocks, from += kHigh + kQuants + kScales + 2, to += kSuperBlock) {
    const std::byte *quants = from + kHigh, *scales = quants + kQuants;
    const float scale = stored_f16(scales + kScales);
    for (int64_t run = 0; run < 16; ++run) {
      // Six bits: four in a half of bytes 0 to 7, two in bytes 8 to 11.
      const uint32_t low = byte_at(scales, run % 8) >> (run / 8 * 4) & 15,
                     high = byte_at(scales, 8 + run % 4) >> (run / 4 * 2) & 3;
      const float d = scale * static_cast<float>(static_cast<int>(low | high << 4) - 32);
      for (int64_t i = run * 16; i < run * 16 + 16; ++i) {
        const TwoBits at = two_bits(i);
        // The third bit of number i is bit i / 32 of byte i % 32. Where it is 0, 4 is subtracted.
        const bool is_high = byte_at(from, i % 32) >> (i / 32) & 1;
        const int quant =
            static_cast<int>(byte_at(quants, at.byte) >> at.shift & 3) - (is_high ? 0 : 4);
        to[i] = d * static_cast<float>(quant);
      }
    }
  }
}

void dequantize_q4_k(const std::byte* from, int64_t blocks, float* to) {
  read_with_minima<false>(from, blocks, to);
}

void dequantize_q5_k(const std::byte* from, int64_t blocks, float* to) {
  read_with_minima<true>(from, blocks, to);
}

void dequantize_q6_k(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kLow = 128, kHigh = 64, kScales = 16;
  for (; blocks > 0; --blocks, from += kLow + kHigh + kScales + 2, to += kSuperBlock) {
    const std::byte *high = from + kLow, *scales = high + kHigh;
    const float scale = stored_f16(scales + kScales);
    for (int64_t run = 0; run < 16; ++run) {
      const float d = scale * static_cast<float>(stored<int8_t>(scales + run));
      for (int64_t i = run * 16; i < run * 16 + 16; ++i) {
        // Each half of the block has 64 bytes of low bits: their low halves are its first 64
        // numbers, their high halves the others. The two high bits lie as those of Q2_K.
        const int64_t half = i / 128, in_half = i % 128;
        const uint32_t low = byte_at(from, half * 64 + in_half % 64) >> (in_half / 64 * 4) & 15;
        const TwoBits at = two_bits(i);
        const uint32_t top = byte_at(high, at.byte) >> at.shift & 3;
        to[i] = d * static_cast<float>(static_cast<int>(low | top << 4) - 32);
      }
    }
  }
}

}  // namespace attn
