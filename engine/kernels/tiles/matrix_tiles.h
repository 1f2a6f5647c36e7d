// SPDX-License-Identifier: GPL-3.0-or-later
// S = Q K^T in the matrix unit (bf16_unit.h): bf16 queries against keys in bf16 or int8, which bf16
// holds exactly. The softmax stays in f32, and so does P V, except where weights are rounded to
// bf16 (PrefillArgs::bf16_weights): matrix_values().
//
// Order of additions, which fixes the bits: 32 coordinates make a step. In each step the products
// at even coordinates are summed one after the other from 0, and so are those at odd ones; even +
// odd is then added to the sum of the steps before. How rows and keys are grouped changes nothing.
// Under SubnormalsAreZero StepwiseTile (tile_steps-inl.h) gives the same bits without the unit.
//
// The unit multiplies tiles of 16 rows x 64 bytes; dot_tiles.h reads the same operands. A row of a
// query tile holds 32 coordinates of one query; packed queries lie row by row. Row i of a key tile
// holds coordinates 2 i and 2 i + 1 of 16 keys; packed keys lie tile by tile, 1 KiB each. Any
// thread, but only with a bf16 unit; matrix_scores() and matrix_values() need a MatrixSession.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/cache/kv_source.h"

namespace attn {

inline constexpr int64_t kMatrixSide = 16;  // rows, and also columns, of a product
inline constexpr int64_t kMatrixStep = 32;  // coordinates of a step

// The head size rounded up to whole steps; coordinates beyond the head size are 0.
inline int64_t matrix_depth(int64_t head_size) {
  return (head_size + kMatrixStep - 1) / kMatrixStep * kMatrixStep;
}

// Bytes of `count` packed keys. Groups of 16 keys follow each other; a group has one tile per step
// of coordinates, in order.
inline int64_t matrix_key_bytes(int64_t count, int64_t head_size) {
  return (count + kMatrixSide - 1) / kMatrixSide * kMatrixSide * matrix_depth(head_size) * 2;
}
// Packs keys begin .. begin + count - 1 of `head`, bf16 or int8, of any layout, as they are stored:
// without the cache's scale. Keys missing in the last group of 16 are 0. packed: aligned to 64
// bytes.
void matrix_pack_keys(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                      int64_t head_size, void* packed);

// Bytes of `rows` packed query rows: bf16 [rows rounded up to 16, matrix_depth].
inline int64_t matrix_query_bytes(int64_t rows, int64_t head_size) {
  return (rows + kMatrixSide - 1) / kMatrixSide * kMatrixSide * matrix_depth(head_size) * 2;
}
// Packs query f32 [rows, head_size], whose numbers bf16 holds exactly. packed: aligned to 64 bytes.
void matrix_pack_query(const float* query, int64_t rows, int64_t head_size, void* packed);

// Dot products of `rows` queries with keys 16 tile_begin .. 16 tile_end - 1, to the same columns of
// scores f32 [rows, score_stride]. Rows up to the next multiple of 16 are written, too.
void matrix_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                   int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride);

// --- O = P V of one KV tile, with weights rounded to bf16
// Bytes of `count` packed values of `columns` columns, a multiple of 16. The operands are those of
// S = Q K^T with columns in place of keys and keys in place of coordinates: groups of 16 columns
// follow each other; a group has one tile per 32 keys, whose row i holds keys 2 i and 2 i + 1.
inline int64_t matrix_value_bytes(int64_t count, int64_t columns) {
  return matrix_key_bytes(columns, count);
}
// Packs values begin .. begin + count - 1 of `head`, bf16 in rows (KvSource::chunk == head_size).
// Missing keys, and columns past the head size, are 0. True when all are finite: only then may
// the values of an unseen key be multiplied by its weight of 0. packed: aligned to 64 bytes.
bool matrix_pack_values(const KvSource& source, int64_t head, int64_t begin, int64_t count,
                        int64_t head_size, void* packed);

// out [rows, out_stride] = weights [rows, weight_stride] times the values of keys [from, to) of a
// tile of `keys` keys; `from` is a multiple of 32. Weights from `to` to the next multiple of 32
// must be 0. Rows up to the next multiple of 16 are written, too.
void matrix_values(const BFloat16* weights, int64_t weight_stride, int64_t rows, const void* values,
                   int64_t keys, int64_t from, int64_t to, int64_t columns, float* out,
                   int64_t out_stride);

}  // namespace attn
