// SPDX-License-Identifier: GPL-3.0-or-later
// The types in which a weight matrix is kept and multiplied: that of its file, where it is one of
// these. A row of a matrix is made of blocks. A block has WeightLayout::block numbers, and its
// bytes are elements of one, two or four bytes. One element can hold several numbers, or several
// quants (the small whole numbers that scales multiply). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/core/dtype.h"

namespace attn {

enum class WeightType : uint8_t {
  kF32,
  kF16,
  kBF16,
  kQ8_0,
  kQ4_0,
  kQ4_K,
  kQ6_K,
  kQ4_1,
  kQ5_1,
  kQ2_K,
  kQ3_K,
  kQ5_K,
  kIQ4_XS
};

// Elements of one size that follow one another in a block.
struct BlockSection {
  int64_t element_bytes = 0;  // 1, 2 or 4
  int64_t count = 0;
};

struct WeightLayout {
  const char* name;  // "bf16", "Q4_K"
  int64_t block;     // numbers of a block
  int64_t block_bytes;
  std::span<const BlockSection> sections;
};
const WeightLayout& layout_of(WeightType type);

// Bytes of a row of `columns` numbers in a file. A row of bf16 may end within a block, one of
// another type may not.
int64_t row_bytes(WeightType type, int64_t columns);

// The type for weights that are read as `dtype`; nullopt for other types than f32, f16 and bf16.
std::optional<WeightType> weight_type_of(DType dtype);

// Numbers of `blocks` whole blocks at `from`, as f32: to [blocks * block].
void widen_blocks(WeightType type, const std::byte* from, int64_t blocks, float* to);

}  // namespace attn
