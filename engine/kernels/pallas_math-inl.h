// SPDX-License-Identifier: GPL-3.0-or-later
// The step that the three pallas kernels share: 128 keys of one KV head against some query rows,
// with the softmax state of a row as the TPU keeps it: m and l fill a register of 128 equal lanes
// each, and the accumulator is normalised after every block:
//   m' = max(m, max s),  p = exp(s - m'),  c = l exp(m - m'),  l' = sum p + c
//   acc' = acc c / l' + (p V) / l',  out = acc,  lse = m + ln l
// After JAX's flash and paged attention for TPU. Two things differ. Masked is IEEE -inf here: the
// original adds a large negative number, which gives a fully masked row the mean of its values.
// And a block of paged attention is taken 128 keys at a time, as in flash attention, so that the
// bits of a row are the same in all three kernels and for every page size: keys are cut at
// multiples of 128 from position 0 and nowhere else.
// Included once per Highway target.

#if defined(ATTN_KERNELS_PALLAS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_PALLAS_MATH_INL_H_
#undef ATTN_KERNELS_PALLAS_MATH_INL_H_
#else
#define ATTN_KERNELS_PALLAS_MATH_INL_H_
#endif

#include <algorithm>
#include <cmath>

#include "engine/kernels/pallas_grid.h"
#include "engine/kernels/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Scratch of `rows` query rows in a worker's memory: what the TPU keeps in VMEM.
struct PallasRows {
  int64_t rows = 0;
  int64_t head_size = 0;
  int64_t width = 0;         // head size padded to 16
  float* query = nullptr;    // [rows, head_size] scaled
  float* acc = nullptr;      // [rows, width] normalised output
  float* current = nullptr;  // [rows, width] p V of the block
  float* lanes = nullptr;    // [rows, 4, 128]: m, l, c / l', 1 / l'
  float* scores = nullptr;   // [rows, 128]
  float* m(int64_t r) const { return lanes + r * 4 * pallas::kTpuLanes; }
  float* l(int64_t r) const { return m(r) + pallas::kTpuLanes; }
  float* keep(int64_t r) const { return m(r) + 2 * pallas::kTpuLanes; }
  float* gain(int64_t r) const { return m(r) + 3 * pallas::kTpuLanes; }

  static size_t floats(int64_t rows, int64_t head_size) {
    return static_cast<size_t>(rows * (3 * pad_head_size(head_size) + 5 * pallas::kTpuLanes));
  }
};

inline PallasRows MakeRows(int64_t rows, int64_t head_size, float* scratch) {
  PallasRows state;
  state.rows = rows;
  state.head_size = head_size;
  state.width = pad_head_size(head_size);
  state.query = scratch;
  state.acc = state.query + rows * state.width;
  state.current = state.acc + rows * state.width;
  state.lanes = state.current + rows * state.width;
  state.scores = state.lanes + rows * 4 * pallas::kTpuLanes;
  std::fill(state.acc, state.acc + rows * state.width, 0.0f);
  for (int64_t r = 0; r < rows; ++r) {
    std::fill(state.m(r), state.m(r) + pallas::kTpuLanes, kNegInf);
    std::fill(state.l(r), state.l(r) + pallas::kTpuLanes, 0.0f);
  }
  return state;
}

// The query row is scaled before the kernel, in f32: the original rounds it to the query's type.
inline void ScaleQuery(float scale, PallasRows& state) {
  for (int64_t i = 0; i < state.rows * state.head_size; ++i) state.query[i] *= scale;
}

// m, l of row r after a block whose scores have the maximum `top`; scores become weights.
inline void UpdateLanes(const PallasRows& state, int64_t r, float top, int64_t width) {
  const DF d;
  float* scores = state.scores + r * pallas::kBlock;
  const float max = std::max(top, state.m(r)[0]);
  const float sum = ExpRow(max, width, scores);
  const VF m_next = hn::Set(d, max);
  const VF row_sum = hn::Set(d, sum);
  const VF one = hn::Set(d, 1.0f);
  for (int64_t i = 0; i < pallas::kTpuLanes; i += kLanes) {
    const VF alpha = Exp(d, hn::Sub(hn::Load(d, state.m(r) + i), m_next));
    const VF correction = hn::Mul(alpha, hn::Load(d, state.l(r) + i));
    const VF l_next = hn::Add(row_sum, correction);
    const VF inverse = hn::Div(one, l_next);
    hn::Store(m_next, d, state.m(r) + i);
    hn::Store(l_next, d, state.l(r) + i);
    hn::Store(hn::Mul(correction, inverse), d, state.keep(r) + i);
    hn::Store(inverse, d, state.gain(r) + i);
  }
}

// acc = acc * keep + current * gain, lane by lane.
inline void MergeBlock(const PallasRows& state, int64_t r) {
  const DF d;
  float* acc = state.acc + r * state.width;
  const float* current = state.current + r * state.width;
  for (int64_t e = 0; e < state.width; e += kLanes) {
    const int64_t lane = e % pallas::kTpuLanes;
    const VF kept = hn::Mul(hn::Load(d, acc + e), hn::Load(d, state.keep(r) + lane));
    hn::Store(hn::MulAdd(hn::Load(d, current + e), hn::Load(d, state.gain(r) + lane), kept), d,
              acc + e);
  }
}

// One block: keys k_begin .. k_begin + count - 1 (count <= 128) as panels, values as rows. Row r
// sees the keys visible[r].
inline void PallasBlock(const PallasRows& state, const KeyRange* visible, int64_t k_begin,
                        int64_t count, const float* keys, const float* values,
                        int64_t value_stride) {
  const int64_t panels = (count + kKeyPanel - 1) / kKeyPanel, width = panels * kKeyPanel;
  Scores(state.query, state.head_size, state.rows, keys, panels, state.head_size, state.scores,
         pallas::kBlock);
  std::fill(state.current, state.current + state.rows * state.width, 0.0f);
  const ScoreRule rule{1.0f, 0.0f, false, 0};
  KeyRange in_tile[pallas::kBlock];
  for (int64_t r = 0; r < state.rows; ++r) {
    in_tile[r] = InTile(visible[r], k_begin, count);
    if (in_tile[r].begin >= in_tile[r].end) continue;
    float* scores = state.scores + r * pallas::kBlock;
    const float top = ApplyRule(rule, 0, visible[r], k_begin, width, scores);
    if (std::max(top, state.m(r)[0]) == kNegInf) {
      // Every visible score is -inf, or NaN, which the maximum does not see.
      if (std::any_of(scores, scores + width, [](float s) { return std::isnan(s); }))
        for (float* lanes : {state.m(r), state.l(r), state.keep(r), state.gain(r)})
          std::fill(lanes, lanes + pallas::kTpuLanes, std::numeric_limits<float>::quiet_NaN());
      else
        in_tile[r].end = in_tile[r].begin;
      continue;
    }
    UpdateLanes(state, r, top, width);
  }
  AccumulateVisible(state.scores, pallas::kBlock, state.rows, in_tile, values, value_stride,
                    state.current, state.width);
  for (int64_t r = 0; r < state.rows; ++r)
    if (in_tile[r].begin < in_tile[r].end) MergeBlock(state, r);
}

// Row r to the output at element `at`; returns its log-sum-exp. Nothing visible: +0 and -inf.
inline float FinishPallasRow(const PallasRows& state, int64_t r, Tensor& out, int64_t at) {
  const RowState normalised{state.m(r)[0], 1.0f};
  FinishRow(normalised, state.acc + r * state.width, state.head_size, out, at);
  const float max = state.m(r)[0];
  return max == kNegInf ? kNegInf : max + std::log(state.l(r)[0]);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
