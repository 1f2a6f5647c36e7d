// SPDX-License-Identifier: GPL-3.0-or-later
// A block of query rows of one head against KV tiles, shared by the two prefill kernels of
// xformers. Tiles and their merging are those of tile_math-inl.h. Included once per Highway target.

#if defined(ATTN_BACKENDS_XFORMERS_BLOCK_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_BACKENDS_XFORMERS_BLOCK_ROWS_INL_H_
#undef ATTN_BACKENDS_XFORMERS_BLOCK_ROWS_INL_H_
#else
#define ATTN_BACKENDS_XFORMERS_BLOCK_ROWS_INL_H_
#endif

#include <algorithm>

#include "backends/xformers/memory_efficient_prefill.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::xformers {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

struct BlockRows {
  static constexpr int64_t kMost = 128;
  int64_t rows = 0;
  int64_t head_size = 0, width = 0;  // width: head size rounded up to a multiple of 16
  int64_t first = 0;                 // position of row 0
  float scale = 1;
  float* query = nullptr;   // [rows, head_size]
  float* out = nullptr;     // [rows, width]
  float* scores = nullptr;  // [rows, kKvTile]
  RowStates<kMost> states;
  KeyRange visible[kMost], in_tile[kMost];
  int64_t k_first = 0, k_last = 0;  // rows see keys in [k_first, k_last) only

  static size_t floats(int64_t rows, int64_t head_size) {
    return static_cast<size_t>(rows * (2 * pad_head_size(head_size) + kKvTile));
  }
};

// One packed tile: keys as panels, values as strips of all `count` keys.
struct BlockTile {
  int64_t k = 0, count = 0;  // keys k .. k + count - 1
  const float* keys = nullptr;
  const float* values = nullptr;
  bool finite = true;  // true if all values are finite
};

// Starts a block: loads the query, clears output and softmax state. The caller then fills in
// `first` and `visible` and calls SeenKeys().
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
  block.states.Clear();
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

// O = O * keep + P V * add of the tile. A tile with a value that is not finite is taken row by row
// over the visible keys: such a value times the weight 0 of an unseen key would be NaN.
inline void AccumulateBlock(const ScoreRule& rule, BlockRows& block, const BlockTile& tile) {
  const RowStates<BlockRows::kMost>& states = block.states;
  for (int64_t e = 0; e < block.width; e += kValueStrip) {
    const int64_t columns = std::min(kValueStrip, block.width - e);
    const float* strip = tile.values + e * tile.count;
    if (!tile.finite) {
      for (int64_t r = 0; r < block.rows; ++r)
        AccumulateSeen(rule, block.first + r, block.scores + r * kKvTile, block.in_tile[r], strip,
                       columns, tile.k, states.keep + r, states.add + r,
                       block.out + r * block.width + e, block.width);
      continue;
    }
    const ValueRun<float> run{strip, tile.count};
    for (int64_t r = 0; r < block.rows; r += kTileRows)
      WithCount<kTileRows>(std::min<int64_t>(kTileRows, block.rows - r), [&](auto count) HWY_ATTR {
        OutputColumns<count>(block.scores + r * kKvTile, kKvTile, &run, 1, columns, columns,
                             states.keep + r, states.add + r, block.out + r * block.width + e,
                             block.width);
      });
  }
}

// Merges one KV tile into all rows. bias: f32 [rows, bias_stride], added to the scores; its column
// 0 belongs to key bias_key; null: none.
inline void AttendTile(BlockRows& block, const BlockTile& tile, const float* bias,
                       int64_t bias_stride, int64_t bias_key) {
  const int64_t panels = (tile.count + kKeyPanel - 1) / kKeyPanel;
  Scores(block.query, block.head_size, block.rows, tile.keys, panels, block.head_size, block.scores,
         kKvTile);
  ScoreRule rule;
  rule.scale = block.scale;
  for (int64_t r = 0; r < block.rows; ++r) {
    block.in_tile[r] = InTile(block.visible[r], tile.k, tile.count);
    // This rule has a scale only: the positions passed here just locate the bias.
    block.states.Set(r, TileSoftmax(rule, 0, block.in_tile[r], tile.k - bias_key,
                                    bias ? bias + r * bias_stride : nullptr,
                                    {0, panels * kKeyPanel}, block.scores + r * kKvTile));
  }
  block.states.Merge(block.rows);
  AccumulateBlock(rule, block, tile);
}

// Writes the rows to out [T, H, D] from row `row` on, and their log-sum-exps to lse [T, H].
inline void FinishRows(const BlockRows& block, int64_t row, int64_t num_heads, int64_t head,
                       Tensor& out, float* lse) {
  for (int64_t r = 0; r < block.rows; ++r) {
    const int64_t at = (row + r) * num_heads + head;
    lse[at] = FinishRow(block.states.max[r], block.states.sum[r], kNegInf, 1.0f,
                        block.out + r * block.width, block.head_size, out, at * block.head_size);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::xformers
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
