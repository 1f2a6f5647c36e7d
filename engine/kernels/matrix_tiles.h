// SPDX-License-Identifier: GPL-3.0-or-later
// S = Q K^T in the matrix unit (bf16_unit.h): bf16 queries against bf16 or int8 keys, which bf16
// holds exactly. The softmax and P V stay in f32.
//
// Order of additions, which fixes the bits: 32 coordinates make a step. Of each step the products
// at even coordinates are summed one after the other from 0, those at odd ones too; even + odd is
// added to the sum of the steps before. Zeros change nothing, so rows and keys may be grouped in
// any way. StepwiseTile (tile_steps-inl.h) does the same without the unit, bit for bit.
//
// Operands lie in tiles of 1 KiB, 16 rows x 64 bytes, as dot_tiles.h takes them, too. Of a query
// tile a row is a query, of a key tile row i holds coordinates 2 i and 2 i + 1 of 16 keys. Any
// thread; products run within a MatrixSession.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/kv_source.h"

namespace attn {

inline constexpr int64_t kMatrixSide = 16;  // rows, and columns, of a product
inline constexpr int64_t kMatrixStep = 32;  // coordinates

// Coordinates as the unit takes them, with zeros beside them.
inline int64_t matrix_depth(int64_t head_size) {
  return (head_size + kMatrixStep - 1) / kMatrixStep * kMatrixStep;
}

// Bytes of `count` keys in tiles of 16 that follow each other, all coordinates of one after the
// other.
inline int64_t matrix_key_bytes(int64_t count, int64_t head_size) {
  return (count + kMatrixSide - 1) / kMatrixSide * kMatrixSide * matrix_depth(head_size) * 2;
}
// Keys begin .. begin + count - 1 of `head`, of any layout, as they are stored: without the cache's
// scale. Missing keys are 0. packed: aligned to 64.
void matrix_pack_keys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                      int64_t head_size, void* packed);

// Bytes of `rows` query rows, [rows up to a multiple of 16, matrix_depth] bf16.
inline int64_t matrix_query_bytes(int64_t rows, int64_t head_size) {
  return (rows + kMatrixSide - 1) / kMatrixSide * kMatrixSide * matrix_depth(head_size) * 2;
}
// query f32 [rows, head_size], all bf16 numbers, to `packed`, aligned to 64.
void matrix_pack_query(const float* query, int64_t rows, int64_t head_size, void* packed);

// scores f32 [rows, score_stride], of keys 16 tile_begin .. 16 tile_end - 1: dot products. Rows up
// to the next multiple of 16 are written, too.
void matrix_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                   int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride);

}  // namespace attn
