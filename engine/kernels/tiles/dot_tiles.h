// SPDX-License-Identifier: GPL-3.0-or-later
// S = Q K^T by dot products of pairs of bf16 numbers (AVX-512 BF16, bf16_unit.h), and O = P V for
// weights that are rounded to bf16. The keys are either packed as in matrix_tiles.h or read from
// cache pages, which hold the same pairs.
//
// Order of additions, which fixes the bits: pairs are added in order; of a pair the odd coordinate
// is added first, then the even one, each product with one rounding as in a multiply-add. Numbers
// and sums of a magnitude below 2^-126 count as 0. Any thread; only where
// has_bf16_unit(kDotProducts).
#pragma once

#include <cstdint>

#include "engine/core/dtype.h"

namespace attn {

// Dot products of `rows` queries with keys 16 tile_begin .. 16 tile_end - 1, to the same columns of
// scores f32 [rows, score_stride]. query: from matrix_pack_query(); keys: from matrix_pack_keys().
void dot_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride);

// 64 keys that lie in pages [head_size / 2, block_size, 2]: neighbouring keys lie side by side, as
// pairs of coordinates. A run is `run` such keys in one page; key i of the 64 is in run i / run.
struct DotPages {
  const BFloat16* const* runs = nullptr;  // [64 / run] where each run of keys begins
  // [64 / run] where the values of each run begin, to prefetch them; all null: no prefetch.
  const BFloat16* const* values = nullptr;
  int64_t run = 16;    // keys of a run, side by side: 8 or 16
  int64_t stride = 0;  // numbers from one pair of coordinates to the next
};
// dot_scores() for the keys [from, to) of 64 keys in pages; from and to are multiples of 16.
void dot_page_scores(const void* query, int64_t rows, const DotPages& keys, int64_t from,
                     int64_t to, int64_t head_size, float* scores, int64_t score_stride);

// matrix_values() by dot products, but only `rows` rows are written; `from` is a multiple of 2.
void dot_values(const BFloat16* weights, int64_t weight_stride, int64_t rows, const void* values,
                int64_t keys, int64_t from, int64_t to, int64_t columns, float* out,
                int64_t out_stride);
// Rounds `count` weights, a multiple of 32, to bf16; weights below 2^-126 become 0. `weights` and
// `rounded` are aligned to 64 bytes.
void dot_round_weights(const float* weights, int64_t count, BFloat16* rounded);

}  // namespace attn
