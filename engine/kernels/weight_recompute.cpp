// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/weight_recompute.h"

#include "engine/core/tensor.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/weight_recompute.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file once per target

#include "hwy/highway.h"

#include "engine/kernels/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

void RecomputeWeights(const WeightTile& tile, float* weights, int64_t weights_stride, float* panel,
                      float* scores) {
  const DF d;
  const KvSource keys = dense_rows(tile.key, DType::kF32, 1, tile.key_stride);
  for (int64_t k = 0; k < tile.k_count; k += kKeyPanel) {
    const int64_t count = std::min(kKeyPanel, tile.k_count - k);
    KvSource rows = keys;
    rows.chunk = tile.head_size;
    PackKeys(rows, 0, k, count, tile.head_size, panel);
    for (int64_t q = 0; q < tile.q_count; q += kTileRows) {
      const int64_t group = std::min<int64_t>(kTileRows, tile.q_count - q);
      Scores(tile.query + q * tile.query_stride, tile.query_stride, group, panel, 1, tile.head_size,
             scores, kKeyPanel);
      for (int64_t r = 0; r < group; ++r) {
        float* row = scores + r * kKeyPanel;
        const float lse = tile.lse[(q + r) * tile.lse_stride];
        for (int64_t i = 0; i < kKeyPanel; i += kLanes) {
          const VF s = hn::Mul(hn::Load(d, row + i), hn::Set(d, tile.scale));
          hn::Store(Exp(d, hn::Sub(s, hn::Set(d, lse))), d, row + i);
        }
        const int64_t visible =
            tile.causal ? std::clamp<int64_t>(tile.q_begin + q + r - tile.k_begin - k + 1, 0, count)
                        : count;
        float* out = weights + (q + r) * weights_stride + k;
        if (std::isnan(lse)) {
          std::fill(out, out + count, lse);
        } else if (lse == kNegInf) {  // nothing was visible to this row
          std::fill(out, out + count, 0.0f);
        } else {
          std::copy_n(row, visible, out);
          std::fill(out + visible, out + count, 0.0f);
        }
      }
    }
  }
}

float ScoreDot(const float* query, const float* key, int64_t head_size) {
  const hn::CappedTag<float, 1> d;
  auto sum = hn::Zero(d);
  for (int64_t e = 0; e < head_size; ++e)
    sum = hn::MulAdd(hn::Set(d, query[e]), hn::Set(d, key[e]), sum);
  return hn::GetLane(sum);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {
HWY_EXPORT(RecomputeWeights);
HWY_EXPORT(ScoreDot);
}  // namespace

void recompute_weights(const WeightTile& tile, float* weights, int64_t weights_stride) {
  const AlignedBuffer scratch(static_cast<size_t>(kKeyPanel * tile.head_size + 6 * kKeyPanel) *
                              sizeof(float));
  auto* panel = reinterpret_cast<float*>(const_cast<std::byte*>(scratch.data()));
  HWY_DYNAMIC_DISPATCH(RecomputeWeights)
  (tile, weights, weights_stride, panel, panel + kKeyPanel * tile.head_size);
}

float score_dot(const float* query, const float* key, int64_t head_size) {
  return HWY_DYNAMIC_DISPATCH(ScoreDot)(query, key, head_size);
}

}  // namespace attn
#endif  // HWY_ONCE
