// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tiles/matrix_tiles.h"
#include "engine/kernels/tiles/bf16_unit.h"

#include <algorithm>

#if ATTN_HAS_BF16_UNITS
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq")
#endif

namespace attn {
namespace {

constexpr int64_t kTileBytes = 1024;

// --- the unit's registers 0 .. 7, tiles of 16 rows x 64 bytes (MatrixSession)
template <int kTile>
inline __attribute__((always_inline)) void load_tile(const std::byte* from, int64_t row_bytes) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(row_bytes), "i"(kTile) : "memory");
}
template <int kTile>
inline __attribute__((always_inline)) void store_tile(float* to, int64_t row_bytes) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(row_bytes), "i"(kTile) : "memory");
}
template <int kTile>
inline __attribute__((always_inline)) void zero_tile() {
  asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
}
// Adds the matrix product of the tiles kLeft and kRight to the tile kSum.
template <int kSum, int kLeft, int kRight>
inline __attribute__((always_inline)) void multiply_tiles() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSum), "i"(kLeft), "i"(kRight));
}

inline __attribute__((always_inline)) void zero_sums() {
  zero_tile<0>();
  zero_tile<1>();
  zero_tile<2>();
  zero_tile<3>();
}

// 32 rows x 32 columns; the sums are in tiles 0 .. 3.
inline __attribute__((always_inline)) void two_by_two(const std::byte* rows, int64_t row_bytes,
                                                      const std::byte* first,
                                                      const std::byte* second, int64_t steps) {
  zero_sums();
  for (int64_t step = 0; step < steps; ++step) {
    const std::byte* left = rows + step * kMatrixStep * 2;
    load_tile<4>(left, row_bytes);
    load_tile<6>(first + step * kTileBytes, 64);
    multiply_tiles<0, 4, 6>();
    load_tile<7>(second + step * kTileBytes, 64);
    multiply_tiles<1, 4, 7>();
    load_tile<5>(left + kMatrixSide * row_bytes, row_bytes);
    multiply_tiles<2, 5, 6>();
    multiply_tiles<3, 5, 7>();
  }
}

// 16 rows x 64 columns; the sums are in tiles 0 .. 3.
inline __attribute__((always_inline)) void one_by_four(const std::byte* rows, int64_t row_bytes,
                                                       const std::byte* const (&keys)[4],
                                                       int64_t steps) {
  zero_sums();
  for (int64_t step = 0; step < steps; ++step) {
    load_tile<4>(rows + step * kMatrixStep * 2, row_bytes);
    load_tile<5>(keys[0] + step * kTileBytes, 64);
    multiply_tiles<0, 4, 5>();
    load_tile<6>(keys[1] + step * kTileBytes, 64);
    multiply_tiles<1, 4, 6>();
    load_tile<7>(keys[2] + step * kTileBytes, 64);
    multiply_tiles<2, 4, 7>();
    load_tile<5>(keys[3] + step * kTileBytes, 64);
    multiply_tiles<3, 4, 5>();
  }
}

// Products of `rows` rows with tiles [tile_begin, tile_end) of 16 columns, which are tile_bytes
// apart and have `steps` steps.
void matrix_products(const std::byte* left, int64_t row_bytes, int64_t rows, const std::byte* right,
                     int64_t tile_bytes, int64_t steps, int64_t tile_begin, int64_t tile_end,
                     float* scores, int64_t score_stride) {
  const int64_t stride_bytes = score_stride * 4;
  // Past tile_end the last tile is multiplied again; tile_end limits which results are stored.
  const auto tile = [&](int64_t t) { return right + std::min(t, tile_end - 1) * tile_bytes; };
  for (; rows > kMatrixSide; rows -= 2 * kMatrixSide, left += 2 * kMatrixSide * row_bytes,
                             scores += 2 * kMatrixSide * score_stride)
    for (int64_t t = tile_begin; t < tile_end; t += 2) {
      two_by_two(left, row_bytes, tile(t), tile(t + 1), steps);
      float *above = scores + t * kMatrixSide, *below = above + kMatrixSide * score_stride;
      store_tile<0>(above, stride_bytes);
      store_tile<2>(below, stride_bytes);
      if (t + 1 == tile_end) continue;
      store_tile<1>(above + kMatrixSide, stride_bytes);
      store_tile<3>(below + kMatrixSide, stride_bytes);
    }
  if (rows <= 0) return;
  for (int64_t t = tile_begin; t < tile_end; t += 4) {
    one_by_four(left, row_bytes, {tile(t), tile(t + 1), tile(t + 2), tile(t + 3)}, steps);
    float* to = scores + t * kMatrixSide;
    store_tile<0>(to, stride_bytes);
    if (t + 1 < tile_end) store_tile<1>(to + kMatrixSide, stride_bytes);
    if (t + 2 < tile_end) store_tile<2>(to + 2 * kMatrixSide, stride_bytes);
    if (t + 3 < tile_end) store_tile<3>(to + 3 * kMatrixSide, stride_bytes);
  }
}

}  // namespace

void matrix_pack_query(const float* query, int64_t rows, int64_t head_size, void* packed) {
  alignas(64) static constexpr uint16_t kUpperHalves[32] = {
      1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  const __m512i upper = _mm512_load_si512(kUpperHalves);
  const int64_t depth = matrix_depth(head_size);
  auto* to = static_cast<std::byte*>(packed);
  const auto numbers = [&](const float* row, int64_t from) {
    const auto count = std::clamp<int64_t>(head_size - from, 0, 16);
    return _mm512_castps_si512(
        _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), row + from));
  };
  for (int64_t r = 0; r < rows; ++r, query += head_size)
    for (int64_t d = 0; d < depth; d += kMatrixStep)
      _mm512_store_si512(
          to + (r * depth + d) * 2,
          _mm512_permutex2var_epi16(numbers(query, d), upper, numbers(query, d + 16)));
}

void matrix_scores(const void* query, int64_t rows, const void* keys, int64_t tile_begin,
                   int64_t tile_end, int64_t head_size, float* scores, int64_t score_stride) {
  const int64_t depth = matrix_depth(head_size);
  matrix_products(static_cast<const std::byte*>(query), depth * 2, rows,
                  static_cast<const std::byte*>(keys), matrix_key_bytes(kMatrixSide, head_size),
                  depth / kMatrixStep, tile_begin, tile_end, scores, score_stride);
}

void matrix_values(const BFloat16* weights, int64_t weight_stride, int64_t rows, const void* values,
                   int64_t keys, int64_t from, int64_t to, int64_t columns, float* out,
                   int64_t out_stride) {
  const int64_t first = from / kMatrixStep, end = (to + kMatrixStep - 1) / kMatrixStep;
  matrix_products(reinterpret_cast<const std::byte*>(weights + first * kMatrixStep),
                  weight_stride * 2, rows,
                  static_cast<const std::byte*>(values) + first * kTileBytes,
                  matrix_value_bytes(keys, kMatrixSide), end - first, 0, columns / kMatrixSide, out,
                  out_stride);
}

}  // namespace attn
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#else  // built without bf16 units: nothing below is called

namespace attn {

void matrix_pack_query(const float*, int64_t, int64_t, void*) {}
void matrix_scores(const void*, int64_t, const void*, int64_t, int64_t, int64_t, float*, int64_t) {}
void matrix_values(const BFloat16*, int64_t, int64_t, const void*, int64_t, int64_t, int64_t,
                   int64_t, float*, int64_t) {}

}  // namespace attn
#endif
