// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/prefill/math_prefill.h"

#include <algorithm>

#include "engine/kernels/prefill/prefill_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/prefill/math_prefill.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// Computes one query tile of one head against all keys: scores, softmax over whole rows, weights x
// V. False when the gate cancelled it.
template <class Probe>
bool MathTile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, Probe& probe) {
  const PrefillArgs& args = *plan.args;
  const PrefillSequence& sequence = args.sequences[static_cast<size_t>(tile.sequence)];
  const int64_t kv_head = tile.head / (args.num_heads / args.num_kv_heads);
  const int64_t width = pad_head_size(args.head_size);
  const int64_t stride = (sequence.kv_len + kKvTile - 1) / kKvTile * kKvTile;
  float* query = scratch;                    // [rows, head_size]
  float* out = query + kQueryTile * width;   // [rows, width]
  float* scores = out + kQueryTile * width;  // [rows, stride]
  const int64_t first = sequence.context_len + tile.row;
  const ScoreRule rule{args.scale * sequence.keys.scale_of(kv_head),
                       args.alibi_slopes ? args.alibi_slopes[tile.head] : 0.0f,
                       args.causal,
                       args.sliding_window,
                       args.soft_cap,
                       args.blocksparse,
                       tile.head,
                       args.causal ? -1 : sequence.kv_len - 1};

  if (!probe.tile_begin()) return false;
  LoadQuery(*args.query, sequence.row_begin + tile.row, tile.rows, args.num_heads, tile.head,
            args.head_size, query);
  for (int64_t k = 0; k < sequence.kv_len; k += kKvTile) {
    const int64_t count = std::min(kKvTile, sequence.kv_len - k);
    Scores(query, args.head_size, tile.rows,
           plan.packed_tile(tile.sequence, kv_head, k / kKvTile).keys,
           (count + kKeyPanel - 1) / kKeyPanel, args.head_size, scores + k, stride);
  }
  std::fill(out, out + tile.rows * width, 0.0f);
  const int64_t row = sequence.row_begin + tile.row;
  float* lse = args.lse + row * args.num_heads + tile.head;
  for (int64_t r = 0; r < tile.rows; ++r) {
    float* weights = scores + r * stride;
    const KeyRange visible = VisibleKeys(rule, first + r, sequence.kv_len);
    const float* bias = sequence.bias ? sequence.bias + tile.head * sequence.bias_head_stride +
                                            (tile.row + r) * sequence.bias_row_stride
                                      : nullptr;
    TileState state = TileSoftmax(rule, first + r, visible, 0, bias, {0, sequence.kv_len}, weights);
    const bool empty = state.max == kNegInf;
    const float shift = BiasShift(rule, first + r);
    const float keep =
        TakeSink(args.sinks ? args.sinks[tile.head] - shift : kNegInf, state.max, state.sum);
    if (!empty) ScaleRow(keep / state.sum, stride, weights);
    const float one = 1.0f;
    for (int64_t k = 0; k < sequence.kv_len; k += kKvTile) {
      const int64_t count = std::min(kKvTile, sequence.kv_len - k);
      const PackedTile& packed = plan.packed_tile(tile.sequence, kv_head, k / kKvTile);
      for (int64_t e = 0; e < width; e += kValueStrip)
        AccumulateSeen(rule, first + r, weights + k, InTile(visible, k, count),
                       packed.values + e * count, std::min(kValueStrip, width - e), k, &one, &one,
                       out + r * width + e, width);
    }
    // The weights are normalised already: the output needs no division.
    FinishRow(empty ? kNegInf : 0.0f, 1.0f, kNegInf, sequence.values.scale_of(kv_head),
              out + r * width, args.head_size, *args.out,
              ((row + r) * args.num_heads + tile.head) * args.head_size);
    lse[r * args.num_heads] = LogSumExp(state) + shift;
    if (args.weights)
      std::copy_n(weights, sequence.kv_len,
                  (*args.weights)[static_cast<size_t>(tile.sequence)].data<float>() +
                      (tile.head * sequence.query_len + tile.row + r) * sequence.kv_len);
  }
  const TileEvent event{sequence.request,
                        static_cast<uint32_t>(first),
                        0,
                        static_cast<uint32_t>(tile.rows),
                        static_cast<uint32_t>(sequence.kv_len),
                        static_cast<uint32_t>(tile.head),
                        KernelId::kMathPrefill};
  probe.tile_end(event, args.head_size);
  probe.rows_done(event, lse, args.num_heads);
  return true;
}

bool MathTileNull(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                  NullProbe& probe) {
  return MathTile(plan, tile, scratch, probe);
}
bool MathTileTrace(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                   TraceProbe& probe) {
  return MathTile(plan, tile, scratch, probe);
}
bool MathTileStep(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                  StepProbe& probe) {
  return MathTile(plan, tile, scratch, probe);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(MathTileNull);
HWY_EXPORT(MathTileTrace);
HWY_EXPORT(MathTileStep);

bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MathTileNull)(plan, tile, scratch, probe);
}
bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MathTileTrace)(plan, tile, scratch, probe);
}
bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MathTileStep)(plan, tile, scratch, probe);
}

}  // namespace

bool math_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution) {
  const PrefillPlan plan = plan_prefill(args, execution, workspace);
  if (!pack_kv(plan, execution)) return false;
  int64_t longest = 0;
  for (const PrefillSequence& sequence : args.sequences)
    longest = std::max(longest, sequence.kv_len);
  const int64_t width = (args.head_size + 15) / 16 * 16;
  const int64_t stride = (longest + kKvTile - 1) / kKvTile * kKvTile;
  workspace.reserve_workers(execution.pool->num_workers(),
                            static_cast<size_t>(kQueryTile * (2 * width + stride)));
  if (args.weights) {
    args.weights->clear();
    for (const PrefillSequence& sequence : args.sequences)
      args.weights->emplace_back(DType::kF32,
                                 Shape{args.num_heads, sequence.query_len, sequence.kv_len});
  }
  return run_tiles(KernelId::kMathPrefill, static_cast<int64_t>(plan.tiles.size()), plan.num_tokens,
                   execution, [&](int64_t task, int worker, auto& probe) {
                     return run_tile(plan, plan.tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn
#endif  // HWY_ONCE
