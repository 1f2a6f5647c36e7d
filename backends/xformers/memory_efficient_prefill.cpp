// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/xformers/memory_efficient_prefill.h"

#include <algorithm>
#include <vector>

#include "backends/xformers/memory_efficient_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/xformers/memory_efficient_prefill.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "backends/xformers/block_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::xformers {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

// Reads rows row .. row + rows - 1 of a head of the tensor bias, its first `columns` columns, as
// f32.
void MemoryEfficientBias(const Tensor& tensor, int64_t head, int64_t row, int64_t rows,
                         int64_t columns, float* bias) {
  if (ATTN_FAULT(kMaskNotRead)) {
    std::fill_n(bias, rows * columns, 0.0f);
    return;
  }
  if (ATTN_FAULT(kMaskOfFirstHead)) head = 0;
  const int64_t len = tensor.dim(1);
  const int64_t stride = ATTN_FAULT(kMaskPaddingRead) ? len : tensor.dim(2);
  WithType(tensor.dtype(), [&]<class T>(T) HWY_ATTR {
    const T* from = tensor.data<T>() + (head * len + row) * stride;
    for (int64_t r = 0; r < rows; ++r) CopyAsFloat(from + r * stride, columns, bias + r * columns);
  });
}

template <class Probe>
bool MemoryEfficientTile(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
                         float* scratch, Probe& probe) {
  const MemoryEfficientArgs& args = *plan.args;
  const auto s = static_cast<size_t>(tile.sequence);
  const int64_t q_start = args.mask->queries().starts[s], k_start = args.mask->keys().starts[s];
  const int64_t kv_len = plan.kv_len(tile.sequence), row = args.row_begin + q_start + tile.row;
  BlockRows block;
  BeginRows(*args.query, row, tile.rows, args.num_heads, tile.head, args.head_size, args.scale,
            scratch, block);
  block.first = tile.row;
  for (int64_t r = 0; r < tile.rows; ++r) {
    const KeySpan seen = args.mask->visible(q_start + tile.row + r);
    block.visible[r] = {seen.begin - k_start, seen.end - k_start};
  }
  SeenKeys(kv_len, block);

  float* bias = nullptr;
  const int64_t columns = block.k_last;  // No row of the tile sees a later column of the bias.
  if (args.tensor_bias) {
    bias = scratch + BlockRows::floats(tile.rows, args.head_size);
    MemoryEfficientBias(*args.tensor_bias, tile.head, tile.row, tile.rows, columns, bias);
  }
  const int64_t kv_head = tile.head / (args.num_heads / args.num_kv_heads);
  const float* keys = plan.keys(tile.sequence, kv_head);
  const float* values = plan.values(tile.sequence, kv_head);
  TileEvent event{args.requests[s],
                  static_cast<uint32_t>(args.positions[s] + tile.row),
                  0,
                  static_cast<uint32_t>(tile.rows),
                  0,
                  static_cast<uint32_t>(tile.head),
                  KernelId::kMemoryEfficientPrefill};
  for (int64_t k = block.k_first / kKvTile * kKvTile; k < block.k_last; k += kKvTile) {
    if (!probe.tile_begin()) return false;
    const int64_t count = std::min(kKvTile, kv_len - k);
    const bool finite = plan.finite[plan.pack_of(tile.sequence, kv_head, k / kKvTile)] != 0;
    AttendTile(block, {k, count, keys + k * args.head_size, values + k * plan.width, finite}, bias,
               columns, 0);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    probe.row_states(event, 0, tile.rows, block.states.max, block.states.sum, 1,
                     k <= block.k_first);
    probe.tile_end(event, args.head_size);
  }
  FinishRows(block, row, args.num_heads, tile.head, *args.out, args.lse);
  probe.rows_done(event, args.lse + row * args.num_heads + tile.head, args.num_heads);
  return true;
}

bool MemoryEfficientNull(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
                         float* scratch, NullProbe& probe) {
  return MemoryEfficientTile(plan, tile, scratch, probe);
}
bool MemoryEfficientTrace(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
                          float* scratch, TraceProbe& probe) {
  return MemoryEfficientTile(plan, tile, scratch, probe);
}
bool MemoryEfficientStep(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
                         float* scratch, StepProbe& probe) {
  return MemoryEfficientTile(plan, tile, scratch, probe);
}

// Packs the keys and values of one tile. True when all values are finite.
bool MemoryEfficientPack(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Pack& pack) {
  const MemoryEfficientArgs& args = *plan.args;
  const int64_t column = args.mask->keys().starts[static_cast<size_t>(pack.sequence)] + pack.begin;
  PackKeys(args.keys, pack.kv_head, column, pack.count, args.head_size,
           plan.keys(pack.sequence, pack.kv_head) + pack.begin * args.head_size);
  return PackValues(args.values, pack.kv_head, column, pack.count, args.head_size,
                    plan.values(pack.sequence, pack.kv_head) + pack.begin * plan.width);
}

// Floats of scratch memory that a worker needs: its block of rows and, with ALiBi, their bias.
size_t MemoryEfficientScratch(const MemoryEfficientArgs& args) {
  size_t floats = BlockRows::floats(kBlockQueries, args.head_size);
  if (!args.tensor_bias) return floats;
  return floats + static_cast<size_t>(kBlockQueries * args.tensor_bias->dim(2));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::xformers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::xformers {
namespace {

HWY_EXPORT(MemoryEfficientNull);
HWY_EXPORT(MemoryEfficientTrace);
HWY_EXPORT(MemoryEfficientStep);
HWY_EXPORT(MemoryEfficientPack);
HWY_EXPORT(MemoryEfficientScratch);

bool run_tile(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
              float* scratch, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MemoryEfficientNull)(plan, tile, scratch, probe);
}
bool run_tile(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
              float* scratch, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MemoryEfficientTrace)(plan, tile, scratch, probe);
}
bool run_tile(const MemoryEfficientPlan& plan, const MemoryEfficientPlan::Tile& tile,
              float* scratch, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(MemoryEfficientStep)(plan, tile, scratch, probe);
}

// Tiles of later rows come first. With query_tile_rows, tiles have at most that many rows and stay
// in order.
void plan_tiles(const Execution& execution, MemoryEfficientPlan& plan) {
  const bool in_order = execution.query_tile_rows > 0;
  const int64_t rows =
      in_order ? std::min(execution.query_tile_rows, kBlockQueries) : kBlockQueries;
  const SeqLenInfo& queries = plan.args->mask->queries();
  for (int64_t s = 0; s < queries.num_seqs(); ++s) {
    const int64_t query_len = queries.lens[static_cast<size_t>(s)];
    plan.num_queries += query_len;
    for (int64_t row = 0; row < query_len; row += rows)
      for (int64_t head = 0; head < plan.args->num_heads; ++head)
        plan.tiles.push_back({s, head, row, std::min(rows, query_len - row)});
  }
  if (!in_order)
    std::stable_sort(plan.tiles.begin(), plan.tiles.end(),
                     [](const auto& x, const auto& y) { return x.row > y.row; });
}

MemoryEfficientPlan plan_call(const MemoryEfficientArgs& args, const Execution& execution,
                              Workspace& workspace) {
  MemoryEfficientPlan plan;
  plan.args = &args;
  plan.width = (args.head_size + 15) / 16 * 16;
  plan_tiles(execution, plan);
  int64_t floats = 0;
  for (int64_t s = 0; s < args.mask->keys().num_seqs(); ++s) {
    plan.offsets.push_back(floats);
    plan.first_pack.push_back(static_cast<int64_t>(plan.packs.size()));
    floats += args.num_kv_heads * (plan.key_floats(s) + plan.value_floats(s));
    for (int64_t head = 0; head < args.num_kv_heads; ++head)
      for (int64_t begin = 0; begin < plan.kv_len(s); begin += kKvTile)
        plan.packs.push_back({s, head, begin, std::min(kKvTile, plan.kv_len(s) - begin)});
  }
  plan.finite.assign(plan.packs.size(), 1);
  plan.memory = workspace.shared(static_cast<size_t>(floats));
  return plan;
}

}  // namespace

bool memory_efficient_prefill(const MemoryEfficientArgs& args, Workspace& workspace,
                              const Execution& execution) {
  MemoryEfficientPlan plan = plan_call(args, execution, workspace);
  const double bytes = static_cast<double>(kKvTile * args.head_size) * 16;
  if (!traced_parallel_for(execution, KernelId::kPackKv, static_cast<int64_t>(plan.packs.size()),
                           plan.num_queries, 0, bytes, [&](int64_t task, int) {
                             const auto i = static_cast<size_t>(task);
                             plan.finite[i] =
                                 HWY_DYNAMIC_DISPATCH(MemoryEfficientPack)(plan, plan.packs[i]);
                           }))
    return false;
  workspace.reserve_workers(execution.pool->num_workers(),
                            HWY_DYNAMIC_DISPATCH(MemoryEfficientScratch)(args));
  const auto tiles = static_cast<int64_t>(plan.tiles.size());
  double pairs = 0;
  for (const MemoryEfficientPlan::Tile& tile : plan.tiles)
    pairs += static_cast<double>(tile.rows * plan.kv_len(tile.sequence));
  return run_tiles(KernelId::kMemoryEfficientPrefill, tiles, plan.num_queries,
                   work_of_pairs(tiles, pairs, args.head_size), execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_tile(plan, plan.tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn::backends::xformers
#endif  // HWY_ONCE
