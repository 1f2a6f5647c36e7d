// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the part of a GGUF file before the numbers of its tensors. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/files/input_file.h"
#include "engine/model/files/gguf.h"

namespace attn {

struct GgufHeader {
  int version = 0;
  GgufMetadata metadata;
  std::vector<GgufTensor> tensors;  // in the order of the table; their places lie inside the file
  uint64_t alignment = 32;          // bytes
  uint64_t data_begin = 0;          // byte where the data of the tensors begins
};

// `name`: the name of the file, for messages. The file must begin with the letters GGUF, which is
// not checked again. Throws Error(kBadInput) with the byte offset, and what InputFile throws.
GgufHeader read_gguf_header(const InputFile& file, const std::string& name);

// `at`, which must be far below 2^64, rounded up to a multiple of `alignment`, a power of two.
constexpr uint64_t align_up(uint64_t at, uint64_t alignment) {
  return (at + alignment - 1) & ~(alignment - 1);
}

}  // namespace attn
