// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/flash_prefill.h"

#include <algorithm>
#include <vector>

#include "engine/kernels/prefill_plan.h"
#include "engine/kernels/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/flash_prefill.cpp"
#include "hwy/foreach_target.h"  // first: it includes this file once per target

#include "hwy/highway.h"

#include "engine/kernels/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// One query tile of one head: every KV tile it sees, in order. False when the gate cancelled it.
template <class Probe>
bool FlashTile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, Probe& probe) {
  const PrefillArgs& args = *plan.args;
  const PrefillSequence& sequence = args.sequences[static_cast<size_t>(tile.sequence)];
  const PackedKv packed = plan.packed(tile.sequence, tile.head);
  const int64_t width = pad_head_size(args.head_size);
  float* query = scratch;                                 // [rows, head_size]
  float* out = query + kQueryTile * width;                // [rows, width]
  float* scores = out + kQueryTile * width;               // [rows, kKvTile]
  const int64_t first = sequence.context_len + tile.row;  // position of the tile's first row

  LoadQuery(*args.query, sequence.row_begin + tile.row, tile.rows, args.num_heads, tile.head,
            args.head_size, query);
  std::fill(out, out + tile.rows * width, 0.0f);
  ScoreRule rule{args.scale, args.alibi_slopes ? args.alibi_slopes[tile.head] : 0.0f, args.causal,
                 args.sliding_window};
  RowState states[kQueryTile];
  KeyRange visible[kQueryTile], in_tile[kQueryTile];
  int64_t k_first = sequence.kv_len, k_last = 0;
  for (int64_t r = 0; r < tile.rows; ++r) {
    visible[r] = VisibleKeys(rule, first + r, sequence.kv_len);
    k_first = std::min(k_first, visible[r].begin);
    k_last = std::max(k_last, visible[r].end);
  }

  TileEvent event{sequence.request,
                  static_cast<uint32_t>(first),
                  0,
                  static_cast<uint32_t>(tile.rows),
                  0,
                  static_cast<uint32_t>(tile.head),
                  KernelId::kFlashPrefill};
  for (int64_t k = k_first / kKvTile * kKvTile; k < k_last; k += kKvTile) {
    if (!probe.tile_begin()) return false;
    const int64_t count = std::min(kKvTile, sequence.kv_len - k);
    const int64_t panels = (std::min(count, k_last - k) + kKeyPanel - 1) / kKeyPanel;
    Scores(query, args.head_size, tile.rows, packed.keys + k * args.head_size, panels,
           args.head_size, scores, kKvTile);
    for (int64_t r = 0; r < tile.rows; ++r) {
      OnlineSoftmax(rule, first + r, visible[r], k, panels * kKeyPanel, scores + r * kKvTile,
                    states[r], out + r * width, width);
      in_tile[r] = InTile(visible[r], k, count);
    }
    AccumulateVisible(scores, kKvTile, tile.rows, in_tile, packed.values + k * packed.value_stride,
                      packed.value_stride, out, width);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    probe.row_states(event, 0, tile.rows, &states[0].max, &states[0].sum, 2, k <= k_first);
    probe.tile_end(event, args.head_size);
  }

  const int64_t row = sequence.row_begin + tile.row;
  float* lse = args.lse + row * args.num_heads + tile.head;
  for (int64_t r = 0; r < tile.rows; ++r)
    lse[r * args.num_heads] = FinishRow(states[r], out + r * width, args.head_size, *args.out,
                                        ((row + r) * args.num_heads + tile.head) * args.head_size);
  probe.rows_done(event, lse, args.num_heads);
  return true;
}

bool FlashTileNull(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                   NullProbe& probe) {
  return FlashTile(plan, tile, scratch, probe);
}
bool FlashTileTrace(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                    TraceProbe& probe) {
  return FlashTile(plan, tile, scratch, probe);
}
bool FlashTileStep(const PrefillPlan& plan, const QueryTile& tile, float* scratch,
                   StepProbe& probe) {
  return FlashTile(plan, tile, scratch, probe);
}

void PackKvTile(const PrefillPlan& plan, const PackTask& task) {
  const PrefillArgs& args = *plan.args;
  const PrefillSequence& sequence = args.sequences[static_cast<size_t>(task.sequence)];
  PackKeys(sequence.keys, task.kv_head, task.begin, task.count, args.head_size,
           plan.key_panels(task.sequence, task.kv_head) + task.begin * args.head_size);
  if (plan.packs_values(task.sequence))
    PackValues(
        sequence.values, task.kv_head, task.begin, task.count, args.head_size,
        plan.value_rows(task.sequence, task.kv_head) + task.begin * pad_head_size(args.head_size));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(FlashTileNull);
HWY_EXPORT(FlashTileTrace);
HWY_EXPORT(FlashTileStep);
HWY_EXPORT(PackKvTile);

bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(FlashTileNull)(plan, tile, scratch, probe);
}
bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(FlashTileTrace)(plan, tile, scratch, probe);
}
bool run_tile(const PrefillPlan& plan, const QueryTile& tile, float* scratch, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(FlashTileStep)(plan, tile, scratch, probe);
}

}  // namespace

bool pack_kv(const PrefillPlan& plan, const Execution& execution) {
  const double bytes = static_cast<double>(kKvTile * plan.args->head_size) * 16;
  return traced_parallel_for(
      execution, KernelId::kPackKv, static_cast<int64_t>(plan.pack_tasks.size()), plan.num_tokens,
      0, bytes, [&](int64_t task, int) {
        HWY_DYNAMIC_DISPATCH(PackKvTile)(plan, plan.pack_tasks[static_cast<size_t>(task)]);
      });
}

bool flash_prefill(const PrefillArgs& args, Workspace& workspace, const Execution& execution) {
  const PrefillPlan plan = plan_prefill(args, execution, workspace);
  if (!pack_kv(plan, execution)) return false;
  const auto width = static_cast<size_t>((args.head_size + 15) / 16 * 16);
  workspace.reserve_workers(execution.pool->num_workers(), kQueryTile * (2 * width + kKvTile));
  return run_tiles(KernelId::kFlashPrefill, static_cast<int64_t>(plan.tiles.size()),
                   plan.num_tokens, execution, [&](int64_t task, int worker, auto& probe) {
                     return run_tile(plan, plan.tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn
#endif  // HWY_ONCE
