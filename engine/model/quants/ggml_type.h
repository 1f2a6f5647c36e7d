// SPDX-License-Identifier: GPL-3.0-or-later
// The element types of GGUF files. Most keep a row of numbers in blocks: some numbers, usually 32
// or 256, share one or more scales and have a few bits each. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/dtype.h"

namespace attn {

// Reads `blocks` blocks at `from` as f32 numbers: to [blocks * numbers of a block].
using Dequantize = void (*)(const std::byte* from, int64_t blocks, float* to);

struct GgmlType {
  uint32_t id;                      // as in the file
  const char* name;                 // "Q4_K"
  int64_t block;                    // numbers of a block; rows are whole blocks
  int64_t block_bytes;              // bytes of a block
  std::optional<DType> dtype = {};  // the DType that is the same, if there is one
  Dequantize dequantize = nullptr;  // null: not read here, or `dtype` says what it is

  bool is_read() const { return dtype.has_value() || dequantize != nullptr; }
};

// Null for an id that is unknown here, or was removed from the format.
const GgmlType* ggml_type(uint32_t id);
bool is_removed_ggml_type(uint32_t id);
// "F32, F16, ...": the types of weights that are read here.
std::string read_ggml_types();

}  // namespace attn
