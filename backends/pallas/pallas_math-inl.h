// SPDX-License-Identifier: GPL-3.0-or-later
// The step that the three pallas kernels share: up to 128 keys of a KV head against query rows.
// The softmax state of a row is kept as on the TPU: m and l fill a register of 128 equal lanes
// each, and the accumulator is normalised after every block:
//   m_b = max s,  p = exp(s - m_b),  l_b = sum p,  m' = max(m, m_b)
//   alpha = exp(m - m'),  beta = exp(m_b - m'),  l' = alpha l + beta l_b
//   acc' = acc alpha l / l' + (p V) beta / l',  out = acc,  lse = m + ln l
// (The code keeps m in units of ln 2 and uses 2^x, as tile_math-inl.h.) After JAX's paged attention
// for TPU, but queries are scaled in f32, masked scores are -inf, and keys are cut at multiples of
// 128 from position 0 in all three kernels. Included once per Highway target.

#if defined(ATTN_BACKENDS_PALLAS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_BACKENDS_PALLAS_MATH_INL_H_
#undef ATTN_BACKENDS_PALLAS_MATH_INL_H_
#else
#define ATTN_BACKENDS_PALLAS_MATH_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "backends/pallas/pallas_grid.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

struct PallasRows {
  int64_t rows = 0;
  int64_t head_size = 0;
  int64_t width = 0;        // head size rounded up to a multiple of 16
  float* query = nullptr;   // [rows, head_size] scaled
  float* acc = nullptr;     // [rows, width] normalised output
  float* lanes = nullptr;   // [rows, 4, 128]: m, l, alpha l / l', beta / l'
  float* scores = nullptr;  // [rows, 128]
  float* m(int64_t r) const { return lanes + r * 4 * kTpuLanes; }
  float* l(int64_t r) const { return m(r) + kTpuLanes; }
  float* keep(int64_t r) const { return m(r) + 2 * kTpuLanes; }
  float* gain(int64_t r) const { return m(r) + 3 * kTpuLanes; }

  static size_t floats(int64_t rows, int64_t head_size) {
    return static_cast<size_t>(rows * (2 * pad_head_size(head_size) + 5 * kTpuLanes));
  }
};

inline PallasRows MakeRows(int64_t rows, int64_t head_size, float* scratch) {
  PallasRows state;
  state.rows = rows;
  state.head_size = head_size;
  state.width = pad_head_size(head_size);
  state.query = scratch;
  state.acc = state.query + rows * state.width;
  state.lanes = state.acc + rows * state.width;
  state.scores = state.lanes + rows * 4 * kTpuLanes;
  std::fill(state.acc, state.acc + rows * state.width, 0.0f);
  for (int64_t r = 0; r < rows; ++r) {
    std::fill(state.m(r), state.m(r) + kTpuLanes, kNegInf);
    std::fill(state.l(r), state.l(r) + kTpuLanes, 0.0f);
  }
  return state;
}

inline void ScaleQuery(float scale, PallasRows& state) {
  for (int64_t i = 0; i < state.rows * state.head_size; ++i) state.query[i] *= scale;
}

// Updates m and l of row r with the maximum and sum of a block, and stores the factors by which the
// old output and the block's output are multiplied (keep, gain).
inline void UpdateLanes(const PallasRows& state, int64_t r, TileState block) {
  const DF d;
  if (std::isnan(block.max) || std::isnan(state.m(r)[0])) {
    std::fill_n(state.m(r), 4 * kTpuLanes, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const VF m_block = hn::Set(d, block.max), l_block = hn::Set(d, block.sum);
  const VF one = hn::Set(d, 1.0f);
  for (int64_t i = 0; i < kTpuLanes; i += kLanes) {
    const VF m_prev = hn::Load(d, state.m(r) + i);
    const VF m_next = hn::Max(m_prev, m_block);
    const VF alpha = Exp2(d, hn::Sub(m_prev, m_next)), beta = Exp2(d, hn::Sub(m_block, m_next));
    const VF correction = hn::Mul(alpha, hn::Load(d, state.l(r) + i));
    const VF l_next = hn::MulAdd(beta, l_block, correction);
    const VF inverse = hn::Div(one, l_next);
    hn::Store(m_next, d, state.m(r) + i);
    hn::Store(l_next, d, state.l(r) + i);
    hn::Store(hn::Mul(correction, inverse), d, state.keep(r) + i);
    hn::Store(hn::Mul(beta, inverse), d, state.gain(r) + i);
  }
}

// Computes one block: keys k_begin .. k_begin + count - 1 (count <= 128) as panels, values as
// strips. Row r sees the keys visible[r]. finite: whether all values are finite; if not, the block
// is taken row by row, because NaN or inf times the weight 0 of an unseen key would be NaN.
inline void PallasBlock(const PallasRows& state, const KeyRange* visible, int64_t k_begin,
                        int64_t count, const float* keys, const float* values, bool finite) {
  const int64_t panels = (count + kKeyPanel - 1) / kKeyPanel;
  Scores(state.query, state.head_size, state.rows, keys, panels, state.head_size, state.scores,
         kBlock);
  const ScoreRule rule;
  KeyRange in_tile[kBlock];
  float keep[kBlock], gain[kBlock];
  for (int64_t r = 0; r < state.rows; ++r) {
    in_tile[r] = InTile(visible[r], k_begin, count);
    const TileState block = TileSoftmax(rule, 0, in_tile[r], k_begin, nullptr,
                                        {0, panels * kKeyPanel}, state.scores + r * kBlock);
    keep[r] = 1.0f;
    gain[r] = 0.0f;
    if (block.max == kNegInf) continue;  // nothing seen
    UpdateLanes(state, r, block);
    keep[r] = state.keep(r)[0];
    gain[r] = state.gain(r)[0];
  }
  for (int64_t e = 0; e < state.width; e += kValueStrip) {
    const int64_t columns = std::min(kValueStrip, state.width - e);
    const float* strip = values + e * count;
    if (!finite) {
      for (int64_t r = 0; r < state.rows; ++r)
        AccumulateSeen(rule, 0, state.scores + r * kBlock, in_tile[r], strip, columns, k_begin,
                       keep + r, gain + r, state.acc + r * state.width + e, state.width);
      continue;
    }
    const ValueRun<float> run{strip, count};
    for (int64_t r = 0; r < state.rows; r += kTileRows)
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, state.rows - r), [&](auto rows) HWY_ATTR {
        OutputColumns<rows>(state.scores + r * kBlock, kBlock, &run, 1, columns, columns, keep + r,
                            gain + r, state.acc + r * state.width + e, state.width);
      });
  }
}

// Writes the output of query row r to `out` from element `at` on, and returns the row's
// log-sum-exp. If the row saw no key, its output is +0 and its log-sum-exp is -inf.
inline float FinishPallasRow(const PallasRows& state, int64_t r, Tensor& out, int64_t at) {
  const float max = state.m(r)[0];
  FinishRow(max, 1.0f, kNegInf, 1.0f, state.acc + r * state.width, state.head_size, out, at);
  return LogSumExp({max, state.l(r)[0]});
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::pallas
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
