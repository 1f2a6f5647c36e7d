// SPDX-License-Identifier: GPL-3.0-or-later
// Some query rows of one head against tiles of 128 keys: what the two prefill kernels of xformers
// share, so that a row has the same bits in both. Keys are cut at multiples of 128 from position 0.
//   s = scale * q.k (+ bias),  m = running max,  d = running sum of exp(s - m),  o = unnormalised
//   output; out = o / d,  lse = m + ln d
// Included once per Highway target.

#if defined(ATTN_KERNELS_BLOCK_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_BLOCK_ROWS_INL_H_
#undef ATTN_KERNELS_BLOCK_ROWS_INL_H_
#else
#define ATTN_KERNELS_BLOCK_ROWS_INL_H_
#endif

#include <algorithm>

#include "engine/kernels/memory_efficient_prefill.h"
#include "engine/kernels/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

struct BlockRows {
  static constexpr int64_t kMost = 128;
  int64_t rows = 0;
  int64_t head_size = 0, width = 0;  // width: head size padded to 16
  int64_t first = 0;                 // position of row 0
  float scale = 1;
  float* query = nullptr;   // [rows, head_size]
  float* out = nullptr;     // [rows, width]
  float* scores = nullptr;  // [rows, kBlockKeys]
  RowState states[kMost];
  KeyRange visible[kMost], in_tile[kMost];
  int64_t k_first = 0, k_last = 0;  // keys that any row sees

  static size_t floats(int64_t rows, int64_t head_size) {
    return static_cast<size_t>(rows * (2 * pad_head_size(head_size) + kBlockKeys));
  }
};

// visible is filled in by the caller; then SeenKeys.
inline void BeginRows(const Tensor& query, int64_t row, int64_t rows, int64_t num_heads,
                      int64_t head, int64_t head_size, float scale, float* scratch,
                      BlockRows& block) {
  block.rows = rows;
  block.head_size = head_size;
  block.width = pad_head_size(head_size);
  block.scale = scale;
  block.query = scratch;
  block.out = block.query + rows * block.width;
  block.scores = block.out + rows * block.width;
  LoadQuery(query, row, rows, num_heads, head, head_size, block.query);
  std::fill(block.out, block.out + rows * block.width, 0.0f);
}

inline void SeenKeys(int64_t kv_len, BlockRows& block) {
  block.k_first = kv_len;
  block.k_last = 0;
  for (int64_t r = 0; r < block.rows; ++r) {
    if (block.visible[r].begin >= block.visible[r].end) continue;
    block.k_first = std::min(block.k_first, block.visible[r].begin);
    block.k_last = std::max(block.k_last, block.visible[r].end);
  }
}

// scores = scores * scale + bias
inline void AddBias(float scale, const float* HWY_RESTRICT bias, int64_t width,
                    float* HWY_RESTRICT scores) {
  const DF d;
  const VF factor = hn::Set(d, scale);
  for (int64_t i = 0; i < width; i += kLanes)
    hn::Store(hn::Add(hn::Mul(hn::Load(d, scores + i), factor), hn::LoadU(d, bias + i)), d,
              scores + i);
}

// Keys k .. k + count - 1 (count <= 128) as panels, values as rows. bias: f32 [rows, ..] of key k
// on, readable to the end of the last panel; null: none.
inline void AttendTile(BlockRows& block, int64_t k, int64_t count, const float* keys,
                       const float* values, int64_t value_stride, const float* bias,
                       int64_t bias_stride) {
  const int64_t panels = (count + kKeyPanel - 1) / kKeyPanel, width = panels * kKeyPanel;
  Scores(block.query, block.head_size, block.rows, keys, panels, block.head_size, block.scores,
         kBlockKeys);
  const ScoreRule rule{bias ? 1.0f : block.scale, 0.0f, false, 0};
  for (int64_t r = 0; r < block.rows; ++r) {
    float* scores = block.scores + r * kBlockKeys;
    if (bias) AddBias(block.scale, bias + r * bias_stride, width, scores);
    OnlineSoftmax(rule, block.first + r, block.visible[r], k, width, scores, block.states[r],
                  block.out + r * block.width, block.width);
    block.in_tile[r] = InTile(block.visible[r], k, count);
  }
  AccumulateVisible(block.scores, kBlockKeys, block.rows, block.in_tile, values, value_stride,
                    block.out, block.width);
}

// Rows to out [T, H, D] from row `row` on, log-sum-exps to lse [T, H].
inline void FinishRows(const BlockRows& block, int64_t row, int64_t num_heads, int64_t head,
                       Tensor& out, float* lse) {
  for (int64_t r = 0; r < block.rows; ++r) {
    const int64_t at = (row + r) * num_heads + head;
    lse[at] = FinishRow(block.states[r], block.out + r * block.width, block.head_size, out,
                        at * block.head_size);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
