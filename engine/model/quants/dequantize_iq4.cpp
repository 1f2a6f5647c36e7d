// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "engine/model/quants/dequantize.h"

namespace attn {
namespace {

// What the four bits stand for, in units of the scale.
constexpr std::array<float, 16> kLevels = {-127, -104, -83, -65, -49, -35, -22, -10,
                                           1,    13,   25,  38,  53,  69,  89,  113};

// 32 numbers: byte j has number j in its low half and number j + 16 in its high one.
void read_levels(const std::byte* quants, float scale, float* to) {
  for (size_t j = 0; j < 16; ++j) {
    const auto byte = std::to_integer<size_t>(quants[j]);
    to[j] = scale * kLevels[byte & 15];
    to[j + 16] = scale * kLevels[byte >> 4];
  }
}

}  // namespace

void dequantize_iq4_nl(const std::byte* from, int64_t blocks, float* to) {
  for (; blocks > 0; --blocks, from += 18, to += 32) read_levels(from + 2, stored_f16(from), to);
}

void dequantize_iq4_xs(const std::byte* from, int64_t blocks, float* to) {
  constexpr int64_t kHead = 8;
  for (; blocks > 0; --blocks, from += kHead + 128) {
    const float scale = stored_f16(from);
    const uint32_t high = stored<uint16_t>(from + 2);
    for (int64_t run = 0; run < 8; ++run, to += 32) {
      // The scale of a run has six bits: four in a half of bytes 4 to 7, two in bytes 2 and 3.
      const uint32_t low = std::to_integer<uint32_t>(from[4 + run / 2]) >> (run % 2 * 4) & 15,
                     top = high >> (run * 2) & 3;
      const float d = scale * static_cast<float>(static_cast<int>(low | top << 4) - 32);
      read_levels(from + kHead + run * 16, d, to);
    }
  }
}

}  // namespace attn
