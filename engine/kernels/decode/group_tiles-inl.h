// SPDX-License-Identifier: GPL-3.0-or-later
// O += P V for the query heads of one KV head. The values of a page are read, and widened to f32,
// once for all heads that fit into registers. Bits are those of OutputColumns() (tile_math-inl.h):
// every column of a head is one chain of multiply-adds in the order of the keys. Included once per
// Highway target.

#if defined(ATTN_KERNELS_GROUP_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_GROUP_TILES_INL_H_
#undef ATTN_KERNELS_GROUP_TILES_INL_H_
#else
#define ATTN_KERNELS_GROUP_TILES_INL_H_
#endif

#include <type_traits>

#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Query heads that are computed together, if there are as many: with 32 registers 8 by 2 vectors.
inline constexpr int kGroupRows = kLanes == 16 ? 8 : 4;

// Vectors of columns that are computed together with `rows` heads: what fits into the registers.
constexpr int GroupVectors(int rows) {
  if (kLanes != 16) return kTileVectors;
  return rows > 4 ? 2 : rows > 1 ? 4 : 8;
}

// Whether two vectors of columns are taken as one vector of pairs: the even columns in one vector
// of sums and the odd ones in another, put in order when the tile is done. A pair of bf16 numbers
// is widened by one shift and one mask, two neighbouring vectors by two shuffles and two shifts.
template <class T, int kVectors>
constexpr bool TakesPairs() {
  return std::is_same_v<T, BFloat16> && kVectors % 2 == 0 && HWY_TARGET != HWY_SCALAR;
}

// Whether every pass over the keys of a tile prefetches its share of the next tile, so that memory
// is busy all the time; otherwise the first pass asks for everything. Where a load takes several
// instructions, these bound the loop and the other passes are better left alone (measured on AMD
// family 25).
template <class T>
constexpr bool SpreadsAhead() {
  return std::is_same_v<T, float> || std::is_same_v<T, BFloat16>;
}

// Puts the columns of two vectors of sums in order.
HWY_INLINE void OrderPairs(DF d, VF& even, VF& odd) {
#if HWY_TARGET != HWY_SCALAR
  HWY_ALIGN float columns[2 * kLanes];
  hn::StoreInterleaved2(even, odd, d, columns);
  even = hn::Load(d, columns);
  odd = hn::Load(d, columns + kLanes);
#else
  (void)d, (void)even, (void)odd;
#endif
}

// Dot products of kRows heads with the keys [first, last) of one panel; first and last are
// multiples of 16. As ScoreRows(), for more rows.
template <int kRows, class Keys>
HWY_INLINE void GroupScores(const float* query, const Keys& keys, int64_t first, int64_t last,
                            int64_t head_size, float* scores) {
  constexpr int kVectors = std::min(GroupVectors(kRows), kTileVectors);
  for (; first + kVectors * kLanes <= last; first += kVectors * kLanes)
    ScoreTile<kRows, kVectors>(query, head_size, keys, first, head_size, scores, kKvTile);
  if constexpr (kLanes == 16)
    if (first < last)
      WithCount<kVectors - 1>((last - first) / 16, [&](auto vectors) HWY_ATTR {
        ScoreTile<kRows, vectors>(query, head_size, keys, first, head_size, scores, kKvTile);
      });
}

// out [kRows, kVectors] = out keep + (weights [kRows, keys] values) add.
template <int kRows, int kVectors, class T>
HWY_INLINE void GroupOutputTile(const float* HWY_RESTRICT weights, int64_t weight_stride,
                                const ValueRun<T>* runs, int64_t num_runs, int64_t column,
                                int64_t value_stride, const float* keep, const float* add,
                                float* HWY_RESTRICT out, int64_t out_stride) {
  constexpr bool kPairs = TakesPairs<T, kVectors>();
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(T));
  const DF d;
  VF acc[kRows][kVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::Zero(d);
  for (int64_t run = 0; run < num_runs; ++run) {
    const T* values = runs[run].first + column;
    // The memory to prefetch, of which this pass over the keys asks for `share` elements per key.
    const int64_t share = SpreadsAhead<T>() ? kVectors * kLanes : column == 0 ? value_stride : 0;
    const T* ahead = runs[run].ahead ? runs[run].ahead + column * runs[run].count : nullptr;
    for (int64_t k = 0; k < runs[run].count; ++k, values += value_stride, ++weights) {
      // Of the memory to prefetch each step asks for as much as it reads.
      if (ahead)
        for (int64_t e = 0; e < share; e += kLine) __builtin_prefetch(ahead + k * share + e, 0, 2);
      VF value[kVectors];
#pragma GCC unroll 8
      for (int v = 0; v + 1 < kVectors; v += 2)
        if constexpr (kPairs)
          LoadPairs(d, values + v * kLanes, value[v], value[v + 1]);
        else
          LoadTwo(d, values + v * kLanes, values + (v + 1) * kLanes, value[v], value[v + 1]);
      if constexpr (kVectors % 2 == 1)
        value[kVectors - 1] = LoadAsFloat(d, values + (kVectors - 1) * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const VF p = hn::Set(d, weights[r * weight_stride]);
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::MulAdd(p, value[v], acc[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
    const VF a = hn::Set(d, keep[r]), b = hn::Set(d, add[r]);
    if constexpr (kPairs)
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; v += 2) OrderPairs(d, acc[r][v], acc[r][v + 1]);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      float* to = out + r * out_stride + v * kLanes;
      hn::Store(hn::MulAdd(acc[r][v], b, hn::Mul(hn::Load(d, to), a)), d, to);
    }
  }
}

// The same for `width` columns, a multiple of 16.
template <int kRows, class T>
HWY_INLINE void GroupOutput(const float* weights, int64_t weight_stride, const ValueRun<T>* runs,
                            int64_t num_runs, int64_t width, int64_t value_stride,
                            const float* keep, const float* add, float* out, int64_t out_stride) {
  constexpr int kVectors = GroupVectors(kRows);
  int64_t e = 0;
  for (; e + kVectors * kLanes <= width; e += kVectors * kLanes)
    GroupOutputTile<kRows, kVectors>(weights, weight_stride, runs, num_runs, e, value_stride, keep,
                                     add, out + e, out_stride);
  if constexpr (kLanes == 16)
    if (e < width)
      WithCount<kVectors - 1>((width - e) / 16, [&](auto vectors) HWY_ATTR {
        GroupOutputTile<kRows, vectors>(weights, weight_stride, runs, num_runs, e, value_stride,
                                        keep, add, out + e, out_stride);
      });
}

// Calls fn(first, std::integral_constant<int, rows>()) for the heads of a group: kMost (4 or 8) at
// a time, then up to 4.
template <int kMost, class Fn>
HWY_INLINE void ForHeads(int64_t heads, Fn&& fn) {
  int64_t h = 0;
  if constexpr (kMost > 4)
    for (; h + kMost <= heads; h += kMost) fn(h, std::integral_constant<int, kMost>());
  for (; h < heads; h += 4)
    WithCount<4>(std::min<int64_t>(4, heads - h), [&](auto rows) HWY_ATTR { fn(h, rows); });
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
