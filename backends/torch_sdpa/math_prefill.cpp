// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/torch_sdpa/math_prefill.h"

#include <algorithm>

#include "engine/kernels/prefill/prefill_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/torch_sdpa/math_prefill.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/prefill/mask_rows-inl.h"
#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::torch_sdpa {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

// A tile of query rows of one head, for MathScores(), MathSoftmax() and MathValues().
struct MathRows {
  MathRows(const PrefillPlan& plan, const QueryTile& query_tile, Tensor& all_scores)
      : args(*plan.args),
        sequence(args.sequences.front()),
        tile(query_tile),
        kv_head(tile.head / (args.num_heads / args.num_kv_heads)),
        width(pad_head_size(args.head_size)),
        stride((sequence.kv_len + kKvTile - 1) / kKvTile * kKvTile),
        scores(all_scores.data<float>() +
               (tile.head * sequence.query_len + tile.row) * sequence.kv_len) {
    rule.scale = args.scale * sequence.keys.scale_of(kv_head);
    rule.slope = args.alibi_slopes ? args.alibi_slopes[tile.head] : 0.0f;
    rule.causal = args.causal;
    rule.sliding_window = args.sliding_window;
    rule.soft_cap = args.soft_cap;
    rule.head = tile.head;
  }
  int64_t position(int64_t r) const { return sequence.context_len + tile.row + r; }
  KeyRange visible(int64_t r) const { return VisibleKeys(rule, position(r), sequence.kv_len); }
  TileEvent event(KernelId kernel) const {
    return {sequence.request,
            static_cast<uint32_t>(position(0)),
            0,
            static_cast<uint32_t>(tile.rows),
            static_cast<uint32_t>(sequence.kv_len),
            static_cast<uint32_t>(tile.head),
            kernel};
  }

  const PrefillArgs& args;
  const PrefillSequence& sequence;
  const QueryTile& tile;
  int64_t kv_head, width;
  int64_t stride;  // kv_len, rounded up to whole tiles: the length of a row of scratch memory
  float* scores;   // [tile.rows, kv_len], in the tensor of all scores
  ScoreRule rule;
};

// Writes the scores, -inf for unseen keys. scratch: the query [rows, head_size], rows of scores
// [rows, stride], a row of the mask [stride].
template <class Probe>
bool MathScores(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores, float* scratch,
                Probe& probe) {
  const MathRows rows(plan, tile, scores);
  const PrefillArgs& args = rows.args;
  const PrefillSequence& sequence = rows.sequence;
  const int64_t keys = sequence.kv_len;
  float* query = scratch;
  float* products = query + kQueryTile * rows.width;
  float* mask = products + kQueryTile * rows.stride;
  if (!probe.tile_begin()) return false;
  LoadQuery(*args.query, sequence.row_begin + tile.row, tile.rows, args.num_heads, tile.head,
            args.head_size, query);
  for (int64_t k = 0; k < keys; k += kKvTile) {
    const int64_t count = std::min(kKvTile, keys - k);
    Scores(query, args.head_size, tile.rows,
           plan.packed_tile(tile.sequence, rows.kv_head, k / kKvTile).keys,
           (count + kKeyPanel - 1) / kKeyPanel, args.head_size, products + k, rows.stride);
  }
  for (int64_t r = 0; r < tile.rows; ++r) {
    float* row = products + r * rows.stride;
    const float* bias = sequence.bias ? sequence.bias + tile.head * sequence.bias_head_stride +
                                            (tile.row + r) * sequence.bias_row_stride
                                      : nullptr;
    if (HasMask(sequence)) {
      LoadMask(sequence, tile.head, tile.row + r, 0, keys, bias, mask);
      bias = mask;
    }
    const KeyRange visible = rows.visible(r), seen = Aligned(visible);
    const bool plain = rows.rule.is_plain() && !bias;  // PrepareScores() then leaves out the scale
    if (plain && visible.begin < visible.end)
      ApplyTerms(rows.rule, rows.position(r), 0, seen.begin, seen.end, row);
    PrepareScores(rows.rule, rows.position(r), visible, 0, bias, row);
    float* to = rows.scores + r * keys;
    std::fill(to, to + keys, kNegInf);
    if (visible.begin < visible.end)
      std::copy(row + visible.begin, row + visible.end, to + visible.begin);
  }
  probe.tile_end(rows.event(KernelId::kMathScores), args.head_size);
  return true;
}

// scratch: one row [stride].
template <class Probe>
bool MathSoftmax(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores, float* scratch,
                 Probe& probe) {
  const MathRows rows(plan, tile, scores);
  const PrefillArgs& args = rows.args;
  const int64_t keys = rows.sequence.kv_len, row_begin = rows.sequence.row_begin + tile.row;
  float* lse = args.lse + row_begin * args.num_heads + tile.head;
  if (!probe.tile_begin()) return false;
  for (int64_t r = 0; r < tile.rows; ++r) {
    float* row = rows.scores + r * keys;
    std::fill(std::copy_n(row, keys, scratch), scratch + rows.stride, kNegInf);
    const KeyRange visible = rows.visible(r), seen = Aligned(visible);
    const float top = visible.begin < visible.end ? RowMax(scratch, seen.begin, seen.end) : kNegInf;
    const TileState state = ScoresToWeights(kLog2E, top, visible, {0, keys}, scratch);
    if (state.max != kNegInf) ScaleRow(1.0f / state.sum, rows.stride, scratch);
    if (!ATTN_FAULT(kWeightsNotRead)) std::copy_n(scratch, keys, row);
    lse[r * args.num_heads] = LogSumExp(state);
  }
  const TileEvent event = rows.event(KernelId::kMathSoftmax);
  probe.tile_end(event, args.head_size);
  probe.rows_done(event, lse, args.num_heads);
  return true;
}

// scratch: the output [rows, width].
template <class Probe>
bool MathValues(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores, float* scratch,
                Probe& probe) {
  const MathRows rows(plan, tile, scores);
  const PrefillArgs& args = rows.args;
  const int64_t keys = rows.sequence.kv_len, row_begin = rows.sequence.row_begin + tile.row;
  float* out = scratch;
  if (!probe.tile_begin()) return false;
  std::fill(out, out + tile.rows * rows.width, 0.0f);
  for (int64_t r = 0; r < tile.rows; ++r) {
    const int64_t skipped = ATTN_FAULT(kScoresOfFirstHead) ? tile.head : 0;
    const float* weights = rows.scores + r * keys - skipped * rows.sequence.query_len * keys;
    const KeyRange visible = rows.visible(r);
    const float one = 1.0f;
    for (int64_t k = 0; k < keys; k += kKvTile) {
      const int64_t count = std::min(kKvTile, keys - k);
      const PackedTile& packed = plan.packed_tile(tile.sequence, rows.kv_head, k / kKvTile);
      for (int64_t e = 0; e < rows.width; e += kValueStrip)
        AccumulateSeen(rows.rule, rows.position(r), weights + k, InTile(visible, k, count),
                       packed.values + e * count, std::min(kValueStrip, rows.width - e), k, &one,
                       &one, out + r * rows.width + e, rows.width);
    }
    // The weights are normalised already. A row that sees no key has the log-sum-exp -inf.
    const int64_t at = (row_begin + r) * args.num_heads + tile.head;
    FinishRow(args.lse[at] == kNegInf ? kNegInf : 0.0f, 1.0f, kNegInf,
              rows.sequence.values.scale_of(rows.kv_head), out + r * rows.width, args.head_size,
              *args.out, at * args.head_size);
  }
  probe.tile_end(rows.event(KernelId::kMathValues), args.head_size);
  return true;
}

#define ATTN_MATH_FUNCTIONS(Name, Probe)                                                 \
  bool MathScores##Name(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores,  \
                        float* scratch, Probe& probe) {                                  \
    return MathScores(plan, tile, scores, scratch, probe);                               \
  }                                                                                      \
  bool MathSoftmax##Name(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores, \
                         float* scratch, Probe& probe) {                                 \
    return MathSoftmax(plan, tile, scores, scratch, probe);                              \
  }                                                                                      \
  bool MathValues##Name(const PrefillPlan& plan, const QueryTile& tile, Tensor& scores,  \
                        float* scratch, Probe& probe) {                                  \
    return MathValues(plan, tile, scores, scratch, probe);                               \
  }
ATTN_MATH_FUNCTIONS(Null, NullProbe)
ATTN_MATH_FUNCTIONS(Trace, TraceProbe)
ATTN_MATH_FUNCTIONS(Step, StepProbe)
#undef ATTN_MATH_FUNCTIONS

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::torch_sdpa
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::torch_sdpa {
namespace {

#define ATTN_MATH_DISPATCH(Name, Probe)                                                          \
  HWY_EXPORT(MathScores##Name);                                                                  \
  HWY_EXPORT(MathSoftmax##Name);                                                                 \
  HWY_EXPORT(MathValues##Name);                                                                  \
  bool run_tile(KernelId kernel, const PrefillPlan& plan, const QueryTile& tile, Tensor& scores, \
                float* scratch, Probe& probe) {                                                  \
    if (kernel == KernelId::kMathScores)                                                         \
      return HWY_DYNAMIC_DISPATCH(MathScores##Name)(plan, tile, scores, scratch, probe);         \
    if (kernel == KernelId::kMathSoftmax)                                                        \
      return HWY_DYNAMIC_DISPATCH(MathSoftmax##Name)(plan, tile, scores, scratch, probe);        \
    return HWY_DYNAMIC_DISPATCH(MathValues##Name)(plan, tile, scores, scratch, probe);           \
  }
ATTN_MATH_DISPATCH(Null, NullProbe)
ATTN_MATH_DISPATCH(Trace, TraceProbe)
ATTN_MATH_DISPATCH(Step, StepProbe)
#undef ATTN_MATH_DISPATCH

}  // namespace

bool math_prefill(const PrefillArgs& args, Tensor& scores, Workspace& workspace,
                  const Execution& execution) {
  const PrefillSequence& sequence = args.sequences.front();
  const PrefillPlan plan = plan_prefill(args, execution, workspace);
  if (!pack_kv(plan, execution)) return false;
  const Shape shape{args.num_heads, sequence.query_len, sequence.kv_len};
  if (scores.dtype() != DType::kF32 || scores.shape() != shape) scores = Tensor(DType::kF32, shape);
  const int64_t width = (args.head_size + 15) / 16 * 16;
  const int64_t stride = (sequence.kv_len + kKvTile - 1) / kKvTile * kKvTile;
  workspace.reserve_workers(execution.pool->num_workers(),
                            static_cast<size_t>(kQueryTile * (width + stride) + stride));
  const auto tiles = static_cast<int64_t>(plan.tiles.size());
  const uint64_t work_ns = work_of_pairs(tiles, plan.pairs() / 3, args.head_size);
  for (const KernelId kernel :
       {KernelId::kMathScores, KernelId::kMathSoftmax, KernelId::kMathValues})
    if (!run_tiles(kernel, tiles, plan.num_tokens, work_ns, execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_tile(kernel, plan, plan.tiles[static_cast<size_t>(task)], scores,
                                     workspace.worker(worker), probe);
                   }))
      return false;
  return true;
}

}  // namespace attn::backends::torch_sdpa
#endif  // HWY_ONCE
