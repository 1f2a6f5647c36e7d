// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/dot_tiles.h"

#include <algorithm>
#include <cstddef>

#include "engine/kernels/fault.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/matrix_tiles.h"

#if ATTN_HAS_BF16_UNITS
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")
#endif

namespace attn {
namespace {

constexpr int kMostTiles = 4;  // most tiles of 16 keys or columns that are multiplied at once
constexpr int kMostRows = 6;
constexpr int64_t kPairBytes = 64;  // bytes that one pair of coordinates of a tile's 16 keys takes

// --- sources of up to 4 tiles of 16 keys: load(pair, tile) gives one pair of coordinates of a
// tile's keys, fetch(pair, tiles) may prefetch values
struct TileKeys {
  const std::byte* tiles[kMostTiles] = {};
  inline __attribute__((always_inline)) __m512i load(int64_t pair, int tile) const {
    return _mm512_load_si512(tiles[tile] + pair * kPairBytes);
  }
  static void fetch(int64_t /*pair*/, int /*tiles*/) {}
};

// kRun: keys that lie side by side in a page, 8 or 16.
template <int kRun>
struct PageKeys {
  static constexpr int kParts = 16 / kRun;  // runs of a tile
  const BFloat16* runs[kMostTiles * kParts] = {};
  const BFloat16* values[kMostTiles * kParts] = {};
  int64_t stride = 0;

  inline __attribute__((always_inline)) __m512i load(int64_t pair, int tile) const {
    if (ATTN_FAULT(kFirstPageForAll)) tile = 0;
    const BFloat16* first = runs[tile * kParts] + pair * stride;
    if constexpr (kRun == 16) {
      const __m512i k = _mm512_loadu_si512(first);
      return ATTN_FAULT(kOddCoordinateFirst) ? _mm512_rol_epi32(k, 16) : k;
    }
    const BFloat16* second = runs[tile * kParts + kParts - 1] + pair * stride;
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(first))),
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second)), 1);
  }
  // Prefetches one cache line of values per cache line of keys.
  inline __attribute__((always_inline)) void fetch(int64_t pair, int tiles) const {
    if (!values[0] || pair % kParts != 0) return;
    for (int i = 0; i < tiles * kParts; ++i) __builtin_prefetch(values[i] + pair * 2 * kRun, 0, 2);
  }
};

template <int kRows, int kTiles, class Keys>
inline __attribute__((always_inline)) void products(const int32_t* query, int64_t query_stride,
                                                    const Keys& keys, int64_t pairs, float* scores,
                                                    int64_t score_stride) {
  __m512 sums[kRows][kTiles];
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int t = 0; t < kTiles; ++t) sums[r][t] = _mm512_setzero_ps();
  for (int64_t pair = 0; pair < pairs; ++pair) {
    keys.fetch(pair, kTiles);
    __m512i k[kTiles];
#pragma GCC unroll 4
    for (int t = 0; t < kTiles; ++t) k[t] = keys.load(pair, t);
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r) {
      const __m512i q = _mm512_set1_epi32(query[r * query_stride + pair]);
#pragma GCC unroll 4
      for (int t = 0; t < kTiles; ++t)
        sums[r][t] = _mm512_dpbf16_ps(sums[r][t], reinterpret_cast<__m512bh>(q),
                                      reinterpret_cast<__m512bh>(k[t]));
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int t = 0; t < kTiles; ++t)
      _mm512_storeu_ps(scores + r * score_stride + t * 16, sums[r][t]);
}

template <int kTiles, class Keys, int kRows = kMostRows>
void rows_of_products(const int32_t* query, int64_t rows, int64_t query_stride, const Keys& keys,
                      int64_t pairs, float* scores, int64_t score_stride) {
  if constexpr (kRows > 1)
    if (rows < kRows)
      return rows_of_products<kTiles, Keys, kRows - 1>(query, rows, query_stride, keys, pairs,
                                                       scores, score_stride);
  products<kRows, kTiles>(query, query_stride, keys, pairs, scores, score_stride);
}

// Products of all rows with `tiles` tiles (1 .. 4), in groups of rows of nearly equal size.
// query_stride: in pairs.
template <class Keys>
void all_products(const int32_t* query, int64_t rows, int64_t query_stride, Keys& keys,
                  int64_t tiles, int64_t pairs, float* scores, int64_t score_stride) {
  const int64_t groups = (rows + kMostRows - 1) / kMostRows;
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t first = rows * g / groups, count = rows * (g + 1) / groups - first;
    const int32_t* q = query + first * query_stride;
    float* to = scores + first * score_stride;
    switch (tiles) {
      case 1:
        rows_of_products<1>(q, count, query_stride, keys, pairs, to, score_stride);
        break;
      case 2:
        rows_of_products<2>(q, count, query_stride, keys, pairs, to, score_stride);
        break;
      case 3:
        rows_of_products<3>(q, count, query_stride, keys, pairs, to, score_stride);
        break;
      default:
        rows_of_products<4>(q, count, query_stride, keys, pairs, to, score_stride);
    }
    if constexpr (requires { keys.values; }) keys.values[0] = nullptr;  // prefetched already
  }
}

template <int kRun>
void page_products(const int32_t* query, int64_t rows, const DotPages& pages, int64_t from,
                   int64_t to, int64_t head_size, float* scores, int64_t score_stride) {
  PageKeys<kRun> keys;
  keys.stride = pages.stride;
  for (int64_t run = from / kRun; run < to / kRun; ++run) {
    keys.runs[run - from / kRun] = pages.runs[run];
    keys.values[run - from / kRun] = pages.values[run];
  }
  all_products(query, rows, matrix_depth(head_size) / 2, keys, (to - from) / 16,
               (head_size + 1) / 2, scores + from, score_stride);
}

// Products of all rows with packed tiles [tile_begin, tile_end), from pair `first_pair` on.
void tile_products(const int32_t* query, int64_t rows, int64_t query_stride, const void* packed,
                   int64_t tile_bytes, int64_t tile_begin, int64_t tile_end, int64_t first_pair,
                   int64_t pairs, float* scores, int64_t score_stride) {
  for (int64_t tile = tile_begin; tile < tile_end; tile += kMostTiles) {
    const int64_t tiles = std::min<int64_t>(kMostTiles, tile_end - tile);
    TileKeys at;
    for (int64_t t = 0; t < tiles; ++t)
      at.tiles[t] =
          static_cast<const std::byte*>(packed) + (tile + t) * tile_bytes + first_pair * kPairBytes;
    all_products(query + first_pair, rows, query_stride, at, tiles, pairs,
                 scores + tile * kMatrixSide, score_stride);
  }
}

}  // namespace

void dot_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride) {
  tile_products(static_cast<const int32_t*>(query), rows, matrix_depth(head_size) / 2, keys,
                matrix_key_bytes(kMatrixSide, head_size), tile_begin, tile_end, 0,
                (head_size + 1) / 2, scores, score_stride);
}

void dot_values(const BFloat16* weights, int64_t weight_stride, int64_t rows, const void* values,
                int64_t keys, int64_t from, int64_t to, int64_t columns, float* out,
                int64_t out_stride) {
  tile_products(reinterpret_cast<const int32_t*>(weights), rows, weight_stride / 2, values,
                matrix_value_bytes(keys, kMatrixSide), 0, columns / kMatrixSide, from / 2,
                (to + 1) / 2 - from / 2, out, out_stride);
}

void dot_round_weights(const float* weights, int64_t count, BFloat16* rounded) {
  for (int64_t i = 0; i < count; i += 32) {
    const __m512bh both =
        _mm512_cvtne2ps_pbh(_mm512_load_ps(weights + i + 16), _mm512_load_ps(weights + i));
    _mm512_store_si512(rounded + i, reinterpret_cast<__m512i>(both));
  }
}

void dot_page_scores(const void* query, int64_t rows, const DotPages& keys, int64_t from,
                     int64_t to, int64_t head_size, float* scores, int64_t score_stride) {
  const auto* pairs = static_cast<const int32_t*>(query);
  if (keys.run == 16)
    page_products<16>(pairs, rows, keys, from, to, head_size, scores, score_stride);
  else
    page_products<8>(pairs, rows, keys, from, to, head_size, scores, score_stride);
}

}  // namespace attn
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else  // built without bf16 units: nothing below is called

namespace attn {

void dot_scores(const void*, int64_t, const void*, int64_t, int64_t, int64_t, float*, int64_t) {}
void dot_page_scores(const void*, int64_t, const DotPages&, int64_t, int64_t, int64_t, float*,
                     int64_t) {}
void dot_values(const BFloat16*, int64_t, int64_t, const void*, int64_t, int64_t, int64_t, int64_t,
                float*, int64_t) {}
void dot_round_weights(const float*, int64_t, BFloat16*) {}

}  // namespace attn
#endif
