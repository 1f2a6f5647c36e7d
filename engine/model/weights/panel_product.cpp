// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/weights/panel_product.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/model/weights/panel_product.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

#include "engine/model/weights/widen-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Up to this many rows, the weights are widened in registers, without a copy as f32 in memory.
constexpr int kFewRows = kLanes >= 16 ? 4 : 1;
// Columns of a panel that are widened at a time; a whole block, where a block has more.
constexpr int64_t kLeastPiece = 64;
// Accumulators of a tile: 6 rows x 4 vectors of 16 lanes, or x 2 vectors of fewer lanes.
constexpr int kTileRows = 6;
constexpr int kTileVectors = kLanes >= 16 ? 4 : 2;

// Calls fn(std::integral_constant<int, count>()); count: 1 .. kMax.
template <int kMax, class Fn>
HWY_INLINE void WithCount(int64_t count, Fn&& fn) {
  if constexpr (kMax == 1) {
    fn(std::integral_constant<int, 1>());
  } else {
    if (count == kMax) return fn(std::integral_constant<int, kMax>());
    WithCount<kMax - 1>(count, fn);
  }
}

// --- few rows: weights go from their bytes into the sums ---

template <class Type, int kRows>
void RowProducts(const uint8_t* HWY_RESTRICT bytes, int64_t columns, const float* HWY_RESTRICT x,
                 float* HWY_RESTRICT y) {
  constexpr int64_t kBytes = kPanelRows * Type::kBlockBytes;
  const DF d;
  VF sum[kRows][kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  const auto add = [&](int64_t k, int v, VF weight) HWY_ATTR {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
      sum[r][v] = hn::MulAdd(hn::Set(d, x[r * columns + k]), weight, sum[r][v]);
  };
  int64_t k = 0;
  for (; k + Type::kBlock <= columns; k += Type::kBlock, bytes += kBytes)
    Type::Widen(bytes, [&](int64_t i, int v, VF weight) HWY_ATTR { add(k + i, v, weight); });
  if (k < columns)
    Type::Widen(bytes, [&](int64_t i, int v, VF weight) HWY_ATTR {
      if (k + i < columns) add(k + i, v, weight);
    });
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], d, y + r * kPanelRows + v * kLanes);
}

// --- more rows: a piece of the weights is widened, then multiplied tile by tile ---

// Writes f32 weights to `to`: [columns, rounded up to whole blocks][64 rows].
template <class Type>
void WidenPiece(const uint8_t* HWY_RESTRICT bytes, int64_t columns, float* HWY_RESTRICT to) {
  const DF d;
  for (int64_t k = 0; k < columns; k += Type::kBlock, bytes += kPanelRows * Type::kBlockBytes)
    Type::Widen(bytes, [&](int64_t i, int v, VF weight) HWY_ATTR {
      hn::StoreU(weight, d, to + (k + i) * kPanelRows + v * kLanes);
    });
}

// sums [kRows, kTileVectors * lanes] += x [kRows, columns] weights [columns, kTileVectors * lanes]
template <int kRows>
HWY_INLINE void TileProduct(const float* HWY_RESTRICT x, int64_t x_stride,
                            const float* HWY_RESTRICT weights, int64_t columns,
                            float* HWY_RESTRICT sums) {
  const DF d;
  VF sum[kRows][kTileVectors];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v)
      sum[r][v] = hn::LoadU(d, sums + r * kPanelRows + v * kLanes);
  for (int64_t k = 0; k < columns; ++k) {
    VF weight[kTileVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v)
      weight[v] = hn::LoadU(d, weights + k * kPanelRows + v * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const VF factor = hn::Set(d, x[r * x_stride + k]);
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) sum[r][v] = hn::MulAdd(factor, weight[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v)
      hn::StoreU(sum[r][v], d, sums + r * kPanelRows + v * kLanes);
}

template <class Type>
void ProductOf(const WeightPanel& panel, const float* x, int64_t rows, float* y) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(panel.bytes);
  const int64_t columns = panel.columns;
  if (rows <= kFewRows)
    return WithCount<kFewRows>(
        rows, [&](auto few) HWY_ATTR { RowProducts<Type, few()>(bytes, columns, x, y); });
  constexpr bool kIsF32 = std::is_same_v<Type, F32Weights>;  // read as they are
  constexpr int64_t kPiece = std::max<int64_t>(kLeastPiece, Type::kBlock);
  constexpr int64_t kPieceBytes = kPiece / Type::kBlock * Type::kBlockBytes * kPanelRows;
  alignas(64) float room[kPiece * kPanelRows];
  std::fill_n(y, rows * kPanelRows, 0.0f);
  for (int64_t k = 0; k < columns; k += kPiece) {
    const int64_t count = std::min(kPiece, columns - k);
    const uint8_t* piece = bytes + k / kPiece * kPieceBytes;
    const float* weights = room;
    if constexpr (kIsF32)
      weights = reinterpret_cast<const float*>(piece);
    else
      WidenPiece<Type>(piece, count, room);
    // Unless the weights are f32, each tile prefetches its share of the next piece of them.
    const int64_t share = kIsF32 ? 0 : kPieceBytes / ((rows + kTileRows - 1) / kTileRows) + 64;
    const uint8_t* ahead = piece + kPieceBytes;
    for (int64_t row = 0; row < rows; row += kTileRows)
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, rows - row), [&](auto tile) HWY_ATTR {
        for (int64_t i = 0; i < share; i += 64) __builtin_prefetch(ahead + i, 0, 2);
        ahead += share;
        for (int64_t n = 0; n < kPanelRows; n += kTileVectors * kLanes)
          TileProduct<tile()>(x + row * columns + k, columns, weights + n, count,
                              y + row * kPanelRows + n);
      });
  }
}

void PanelProduct(const WeightPanel& panel, const float* x, int64_t rows, float* y) {
  switch (panel.type) {
    case WeightType::kF32:
      return ProductOf<F32Weights>(panel, x, rows, y);
    case WeightType::kF16:
      return ProductOf<F16Weights>(panel, x, rows, y);
    case WeightType::kBF16:
      return ProductOf<BF16Weights>(panel, x, rows, y);
    case WeightType::kQ8_0:
      return ProductOf<Q8_0Weights>(panel, x, rows, y);
    case WeightType::kQ4_0:
      return ProductOf<Q4_0Weights>(panel, x, rows, y);
    case WeightType::kQ4_K:
      return ProductOf<Q4_KWeights>(panel, x, rows, y);
    case WeightType::kQ6_K:
      return ProductOf<Q6_KWeights>(panel, x, rows, y);
    case WeightType::kQ4_1:
      return ProductOf<Q4_1Weights>(panel, x, rows, y);
    case WeightType::kQ5_1:
      return ProductOf<Q5_1Weights>(panel, x, rows, y);
    case WeightType::kQ2_K:
      return ProductOf<Q2_KWeights>(panel, x, rows, y);
    case WeightType::kQ3_K:
      return ProductOf<Q3_KWeights>(panel, x, rows, y);
    case WeightType::kQ5_K:
      return ProductOf<Q5_KWeights>(panel, x, rows, y);
    case WeightType::kIQ4_XS:
      return ProductOf<IQ4_XSWeights>(panel, x, rows, y);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {
HWY_EXPORT(PanelProduct);
}  // namespace

void panel_product(const WeightPanel& panel, const float* x, int64_t rows, float* y) {
  HWY_DYNAMIC_DISPATCH(PanelProduct)(panel, x, rows, y);
}

}  // namespace attn
#endif  // HWY_ONCE
