// SPDX-License-Identifier: GPL-3.0-or-later
// S = Q K^T by dot products of pairs of bf16 numbers (AVX-512 BF16, bf16_unit.h), of keys in the
// tiles of matrix_tiles.h or where they lie in pages, which hold the same pairs.
//
// Order of additions, which fixes the bits: a pair adds its odd coordinate first, each product with
// one rounding as a multiply-add does; pairs follow each other. Numbers and sums below 2^-126 count
// as 0. Any thread; only with has_bf16_unit(kDotProducts).
#pragma once

#include <cstdint>

#include "engine/core/dtype.h"

namespace attn {

// scores f32 [rows, score_stride] of keys 16 tile_begin .. 16 tile_end - 1: dot products. query: of
// matrix_pack_query; keys: of matrix_pack_keys.
void dot_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride);

// 64 keys in pages whose key axis is fast, [head_size / 2, block_size, 2].
struct DotPages {
  const BFloat16* const* runs = nullptr;    // where every `run` keys begin
  const BFloat16* const* values = nullptr;  // their values, to be fetched; [0] null: not
  int64_t run = 16;                         // keys side by side: 8 or 16
  int64_t stride = 0;                       // numbers from one pair of coordinates to the next
};
// scores of the keys [from, to), multiples of 16.
void dot_page_scores(const void* query, int64_t rows, const DotPages& keys, int64_t from,
                     int64_t to, int64_t head_size, float* scores, int64_t score_stride);

}  // namespace attn
