// SPDX-License-Identifier: GPL-3.0-or-later
// S = Q K^T without the matrix unit, but in its order of additions (matrix_tiles.h), for decodes.
// bf16 products are exact in f32, so under SubnormalsAreZero the bits are the unit's. Included once
// per Highway target.

#if defined(ATTN_KERNELS_TILE_STEPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_TILE_STEPS_INL_H_
#undef ATTN_KERNELS_TILE_STEPS_INL_H_
#else
#define ATTN_KERNELS_TILE_STEPS_INL_H_
#endif

#include <algorithm>

#include "engine/kernels/tiles/matrix_tiles.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Loads coordinates e and e + 1 of the keys of one vector; a coordinate beyond the head size is 0.
// Where kPair is 2, the head size must be even.
template <class Keys>
HWY_INLINE void LoadCoordinates(const Keys& keys, DF d, int64_t e, int64_t head_size,
                                int64_t column, VF* k) {
  if constexpr (Keys::kPair == 2) {
    keys.Load(d, e, column, k);
  } else {
    keys.Load(d, e, column, k);
    k[1] = hn::Zero(d);
    if (e + 1 < head_size) keys.Load(d, e + 1, column, k + 1);
  }
}

template <int kRows, int kVectors, class Keys>
HWY_INLINE void StepwiseTile(const float* HWY_RESTRICT query, int64_t query_stride,
                             const Keys& keys, int64_t first, int64_t head_size,
                             float* HWY_RESTRICT scores, int64_t score_stride) {
  const DF d;
  VF sum[kRows][kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  for (int64_t step = 0; step < head_size; step += kMatrixStep) {
    VF even[kRows][kVectors], odd[kRows][kVectors];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) even[r][v] = odd[r][v] = hn::Zero(d);
    const int64_t end = std::min(head_size, step + kMatrixStep);
    for (int64_t e = step; e < end; e += 2) {
      keys.FetchAhead(e, first, kVectors * kLanes);
      VF k[kVectors][2];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        LoadCoordinates(keys, d, e, head_size, first + v * kLanes, k[v]);
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const float* q = query + r * query_stride + e;
        const VF q0 = hn::Set(d, q[0]), q1 = hn::Set(d, e + 1 < end ? q[1] : 0.0f);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
          even[r][v] = hn::MulAdd(q0, k[v][0], even[r][v]);
          odd[r][v] = hn::MulAdd(q1, k[v][1], odd[r][v]);
        }
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sum[r][v] = hn::Add(sum[r][v], hn::Add(even[r][v], odd[r][v]));
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(sum[r][v], d, scores + r * score_stride + first + v * kLanes);
}

// Dot products of kRows queries with the keys [first, last) of one panel; first and last are
// multiples of 16.
template <int kRows, class Keys>
HWY_INLINE void StepwiseRows(const float* query, int64_t query_stride, const Keys& keys,
                             int64_t first, int64_t last, int64_t head_size, float* scores,
                             int64_t score_stride) {
  constexpr int kVectors = kLanes == 16 && kRows > 2 ? 2 : kTileVectors;
  for (; first + kVectors * kLanes <= last; first += kVectors * kLanes)
    StepwiseTile<kRows, kVectors>(query, query_stride, keys, first, head_size, scores,
                                  score_stride);
  if constexpr (kLanes == 16)
    if (first < last)
      WithCount<kVectors - 1>((last - first) / 16, [&](auto vectors) HWY_ATTR {
        StepwiseTile<kRows, vectors>(query, query_stride, keys, first, head_size, scores,
                                     score_stride);
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
