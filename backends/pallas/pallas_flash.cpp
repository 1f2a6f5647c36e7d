// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/pallas/pallas_flash.h"

#include <algorithm>
#include <vector>

#include "backends/pallas/pallas_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/pallas/pallas_flash.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "backends/pallas/pallas_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::pallas {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

template <class Probe>
bool PallasFlashTile(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
                     Probe& probe) {
  const FlashArgs& args = *plan.args;
  const int64_t real = std::clamp<int64_t>(args.query_len - tile.row, 0, tile.rows);
  PallasRows state = MakeRows(tile.rows, args.head_size, scratch);
  LoadQuery(*args.query, args.row_begin + tile.row, tile.rows, args.num_heads, tile.head,
            args.head_size, state.query);
  ScaleQuery(args.scale, state);
  KeyRange visible[kBlock];
  for (int64_t r = 0; r < tile.rows; ++r) visible[r] = {0, tile.row + r + 1};

  const int64_t kv_head = tile.head / (args.num_heads / args.num_kv_heads);
  const float* keys = plan.keys + tile.head * plan.key_floats();
  const float* values = plan.values + tile.head * plan.value_floats();
  TileEvent event{args.request,
                  static_cast<uint32_t>(tile.row),
                  0,
                  static_cast<uint32_t>(real),
                  0,
                  static_cast<uint32_t>(tile.head),
                  KernelId::kPallasFlash};
  const int64_t last_row = tile.row + tile.rows - 1;
  for (int64_t k = 0; below_or_on_diagonal(last_row, 0, k); k += kBlock) {
    if (!probe.tile_begin()) return false;
    const int64_t count = std::min(kBlock, args.padded_len - k);
    PallasBlock(state, visible, k, count, keys + k * args.head_size, values + k * plan.width,
                plan.finite[static_cast<size_t>(kv_head * plan.blocks() + k / kBlock)] != 0);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(std::clamp<int64_t>(args.query_len - k, 0, count));
    if (real == 0 || event.k_count == 0) continue;  // padding
    probe.row_states(event, 0, real, state.m(0), state.l(0), 4 * kTpuLanes, k == 0);
    probe.tile_end(event, args.head_size);
  }

  const int64_t row = args.row_begin + tile.row;
  float* lse = args.lse + row * args.num_heads + tile.head;
  for (int64_t r = 0; r < tile.rows; ++r)
    lse[r * args.num_heads] = FinishPallasRow(
        state, r, *args.out, ((row + r) * args.num_heads + tile.head) * args.head_size);
  if (real > 0) probe.rows_done(event, lse, args.num_heads);
  return true;
}

bool PallasFlashNull(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
                     NullProbe& probe) {
  return PallasFlashTile(plan, tile, scratch, probe);
}
bool PallasFlashTrace(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
                      TraceProbe& probe) {
  return PallasFlashTile(plan, tile, scratch, probe);
}
bool PallasFlashStep(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
                     StepProbe& probe) {
  return PallasFlashTile(plan, tile, scratch, probe);
}

// Packs keys and values of a block of one KV head, and copies them for the other query heads of the
// group. True when all values are finite.
bool PallasRepeatBlock(const FlashPlan& plan, int64_t kv_head, int64_t begin) {
  const FlashArgs& args = *plan.args;
  const int64_t group = args.num_heads / args.num_kv_heads, first = kv_head * group;
  const int64_t count = std::min(kBlock, args.padded_len - begin);
  float* keys = plan.keys + first * plan.key_floats() + begin * args.head_size;
  float* values = plan.values + first * plan.value_floats() + begin * plan.width;
  const int64_t key_floats = round_up(count, kKeyPanel) * args.head_size;
  PackKeys(args.keys, kv_head, begin, count, args.head_size, keys);
  const bool finite = PackValues(args.values, kv_head, begin, count, args.head_size, values);
  for (int64_t i = 1; i < group; ++i) {
    std::copy_n(keys, key_floats, keys + i * plan.key_floats());
    std::copy_n(values, count * plan.width, values + i * plan.value_floats());
  }
  return finite;
}

size_t PallasFlashScratch(int64_t head_size) {
  return PallasRows::floats(kBlock, head_size);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::pallas
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::pallas {
namespace {

HWY_EXPORT(PallasFlashNull);
HWY_EXPORT(PallasFlashTrace);
HWY_EXPORT(PallasFlashStep);
HWY_EXPORT(PallasRepeatBlock);
HWY_EXPORT(PallasFlashScratch);

bool run_tile(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
              NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasFlashNull)(plan, tile, scratch, probe);
}
bool run_tile(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
              TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasFlashTrace)(plan, tile, scratch, probe);
}
bool run_tile(const FlashPlan& plan, const FlashPlan::Tile& tile, float* scratch,
              StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PallasFlashStep)(plan, tile, scratch, probe);
}

// Tiles are ordered by head, then row. With query_tile_rows: by row, then head.
void plan_tiles(const Execution& execution, FlashPlan& plan) {
  const int64_t asked = execution.query_tile_rows;
  const int64_t rows = asked > 0 ? std::min(asked, kBlock) : kBlock;
  for (int64_t head = 0; head < plan.args->num_heads; ++head)
    for (int64_t row = 0; row < plan.args->padded_len; row += rows)
      plan.tiles.push_back({head, row, std::min(rows, plan.args->padded_len - row)});
  if (asked > 0)
    std::stable_sort(plan.tiles.begin(), plan.tiles.end(),
                     [](const auto& x, const auto& y) { return x.row < y.row; });
}

}  // namespace

bool flash(const FlashArgs& args, Workspace& workspace, const Execution& execution) {
  FlashPlan plan;
  plan.args = &args;
  plan.width = round_up(args.head_size, 16);
  plan.keys = workspace.shared(
      static_cast<size_t>(args.num_heads * (plan.key_floats() + plan.value_floats())));
  plan.values = plan.keys + args.num_heads * plan.key_floats();
  plan_tiles(execution, plan);

  const int64_t blocks = plan.blocks();
  plan.finite.assign(static_cast<size_t>(args.num_kv_heads * blocks), 1);
  const double bytes =
      static_cast<double>(kBlock * args.head_size * 8 * (1 + args.num_heads / args.num_kv_heads));
  if (!traced_parallel_for(execution, KernelId::kPackKv, args.num_kv_heads * blocks,
                           args.padded_len, 0, bytes, [&](int64_t task, int) {
                             plan.finite[static_cast<size_t>(task)] = HWY_DYNAMIC_DISPATCH(
                                 PallasRepeatBlock)(plan, task / blocks, task % blocks * kBlock);
                           }))
    return false;
  workspace.reserve_workers(execution.pool->num_workers(),
                            HWY_DYNAMIC_DISPATCH(PallasFlashScratch)(args.head_size));
  const auto tiles = static_cast<int64_t>(plan.tiles.size());
  const auto pairs = static_cast<double>(args.padded_len * args.padded_len * args.num_heads);
  return run_tiles(KernelId::kPallasFlash, tiles, args.padded_len,
                   work_of_pairs(tiles, pairs, args.head_size), execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_tile(plan, plan.tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn::backends::pallas
#endif  // HWY_ONCE
