// SPDX-License-Identifier: GPL-3.0-or-later
// Writes f32 numbers in the element types F32, F16, BF16, Q8_0 and Q4_0. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/model/quants/ggml_type.h"

namespace attn {

// Writes `blocks` blocks to `to`: from [blocks * numbers of a block].
using Quantize = void (*)(const float* from, int64_t blocks, std::byte* to);

// One f16 scale for 32 numbers. The number of the greatest magnitude becomes 127 or -127 in Q8_0,
// and -8 in Q4_0, unless it is almost 0.
void quantize_q8_0(const float* from, int64_t blocks, std::byte* to);
void quantize_q4_0(const float* from, int64_t blocks, std::byte* to);

struct WrittenType {
  const GgmlType* type = nullptr;
  Quantize quantize = nullptr;
};
// The type with this name in small letters: "q8_0". `type` is null for other names.
WrittenType written_type(std::string_view name);

}  // namespace attn
