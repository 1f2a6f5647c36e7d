// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/xformers/prefix_prefill.h"

#include <algorithm>
#include <vector>

#include "backends/xformers/memory_efficient_prefill.h"
#include "engine/kernels/cache/gather_rows.h"
#include "engine/kernels/prefill/prefill_plan.h"
#include "engine/kernels/tiles/run_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/xformers/prefix_prefill.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "backends/xformers/block_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn::backends::xformers {
namespace HWY_NAMESPACE {
using namespace attn::HWY_NAMESPACE;  // the tiles of engine/kernels

// A worker's copy of one tile of keys and values.
struct PrefixTile {
  float* keys = nullptr;    // [kKvTile / 64, D, 64]
  float* values = nullptr;  // strips of kKvTile rows
  float* rows = nullptr;    // [kKvTile, D]
  float* bias = nullptr;    // [128, kKvTile]
};

// Packs tokens k .. k + count - 1 of a KV head, by pack(source, head, first token of the source).
// Tokens below context_len are in the cache pages, the others in `fresh`. A tile that has both is
// first gathered into dense f32 rows.
template <class Pack>
auto LoadTile(const KvSource& context, const KvSource& fresh, int64_t context_len, int64_t kv_head,
              int64_t k, int64_t count, int64_t head_size, float* rows, Pack&& pack) {
  const int64_t in_context = std::clamp<int64_t>(context_len - k, 0, count);
  if (in_context == 0) return pack(fresh, kv_head, k - context_len);
  if (in_context == count) return pack(context, kv_head, k);
  gather_rows(context, kv_head, k, in_context, head_size, rows);
  gather_rows(fresh, kv_head, 0, count - in_context, head_size, rows + in_context * head_size);
  return pack(dense_rows(rows, DType::kF32, 1, head_size), 0, 0);
}

inline size_t PrefixScratchFloats(const PrefixArgs& args) {
  const int64_t width = pad_head_size(args.head_size);
  return BlockRows::floats(kPrefixQueries, args.head_size) +
         static_cast<size_t>(kKvTile * 3 * width + kPrefixQueries * kKvTile);
}

template <class Probe>
bool PrefixProgram(const PrefixArgs& args, const QueryTile& tile, float* scratch, Probe& probe) {
  const PrefixSequence& sequence = args.sequences[static_cast<size_t>(tile.sequence)];
  const int64_t kv_len = sequence.context_len + sequence.query_len;
  const int64_t kv_head = tile.head / (args.num_heads / args.num_kv_heads);
  const int64_t row = sequence.row_begin + tile.row;
  BlockRows block;
  BeginRows(*args.query, row, tile.rows, args.num_heads, tile.head, args.head_size, args.scale,
            scratch, block);
  block.first = sequence.context_len + tile.row;
  ScoreRule rule;
  rule.sliding_window = args.sliding_window;
  for (int64_t r = 0; r < tile.rows; ++r)
    block.visible[r] = VisibleKeys(rule, block.first + r, kv_len);
  SeenKeys(kv_len, block);
  PrefixTile copy;
  copy.keys = scratch + BlockRows::floats(tile.rows, args.head_size);
  copy.values = copy.keys + kKvTile * block.width;
  copy.rows = copy.values + kKvTile * block.width;
  copy.bias = copy.rows + kKvTile * block.width;

  TileEvent event{sequence.request,
                  static_cast<uint32_t>(block.first),
                  0,
                  static_cast<uint32_t>(tile.rows),
                  0,
                  static_cast<uint32_t>(tile.head),
                  KernelId::kPrefixPrefill};
  const float slope = args.alibi_slopes ? args.alibi_slopes[tile.head] : 0.0f;
  const auto attend = [&](int64_t k) {
    if (!probe.tile_begin()) return false;
    const int64_t count = std::min(kKvTile, kv_len - k);
    LoadTile(sequence.context_keys, sequence.new_keys, sequence.context_len, kv_head, k, count,
             args.head_size, copy.rows, [&](const KvSource& source, int64_t head, int64_t begin) {
               PackKeys(source, head, begin, count, args.head_size, copy.keys);
             });
    const bool finite = LoadTile(
        sequence.context_values, sequence.new_values, sequence.context_len, kv_head, k, count,
        args.head_size, copy.rows, [&](const KvSource& source, int64_t head, int64_t begin) {
          return PackValues(source, head, begin, count, args.head_size, copy.values);
        });
    if (args.alibi_slopes)
      for (int64_t r = 0; r < tile.rows; ++r)
        for (int64_t i = 0; i < kKvTile; ++i)
          copy.bias[r * kKvTile + i] = slope * static_cast<float>(k + i - (block.first + r));
    AttendTile(block, {k, count, copy.keys, copy.values, finite},
               args.alibi_slopes ? copy.bias : nullptr, kKvTile, k);
    event.k_begin = static_cast<uint32_t>(k);
    event.k_count = static_cast<uint32_t>(count);
    probe.row_states(event, 0, tile.rows, block.states.max, block.states.sum, 1,
                     k <= block.k_first);
    probe.tile_end(event, args.head_size);
    return true;
  };
  int64_t k = block.k_first / kKvTile * kKvTile;
  for (; k + kKvTile <= sequence.context_len; k += kKvTile)  // tiles that lie in the context
    if (!attend(k)) return false;
  for (; k < block.k_last; k += kKvTile)  // tiles with new tokens
    if (!attend(k)) return false;
  FinishRows(block, row, args.num_heads, tile.head, *args.out, args.lse);
  probe.rows_done(event, args.lse + row * args.num_heads + tile.head, args.num_heads);
  return true;
}

bool PrefixNull(const PrefixArgs& args, const QueryTile& tile, float* scratch, NullProbe& probe) {
  return PrefixProgram(args, tile, scratch, probe);
}
bool PrefixTrace(const PrefixArgs& args, const QueryTile& tile, float* scratch, TraceProbe& probe) {
  return PrefixProgram(args, tile, scratch, probe);
}
bool PrefixStep(const PrefixArgs& args, const QueryTile& tile, float* scratch, StepProbe& probe) {
  return PrefixProgram(args, tile, scratch, probe);
}
size_t PrefixScratch(const PrefixArgs& args) {
  return PrefixScratchFloats(args);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::backends::xformers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::backends::xformers {
namespace {

HWY_EXPORT(PrefixNull);
HWY_EXPORT(PrefixTrace);
HWY_EXPORT(PrefixStep);
HWY_EXPORT(PrefixScratch);

bool run_tile(const PrefixArgs& args, const QueryTile& tile, float* scratch, NullProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PrefixNull)(args, tile, scratch, probe);
}
bool run_tile(const PrefixArgs& args, const QueryTile& tile, float* scratch, TraceProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PrefixTrace)(args, tile, scratch, probe);
}
bool run_tile(const PrefixArgs& args, const QueryTile& tile, float* scratch, StepProbe& probe) {
  return HWY_DYNAMIC_DISPATCH(PrefixStep)(args, tile, scratch, probe);
}

}  // namespace

bool prefix_prefill(const PrefixArgs& args, Workspace& workspace, const Execution& execution) {
  const int64_t asked = execution.query_tile_rows;
  const int64_t rows = asked > 0 ? std::min(asked, kPrefixQueries) : kPrefixQueries;
  std::vector<QueryTile> tiles;
  int64_t tokens = 0, pairs = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefixSequence& sequence = args.sequences[static_cast<size_t>(s)];
    const int64_t query_len = sequence.query_len;
    tokens += query_len;
    pairs += query_len * (sequence.context_len + query_len) * args.num_heads;
    for (int64_t row = 0; row < query_len; row += rows)
      for (int64_t head = 0; head < args.num_heads; ++head)
        tiles.push_back({s, head, row, std::min(rows, query_len - row)});
  }
  workspace.reserve_workers(execution.pool->num_workers(),
                            HWY_DYNAMIC_DISPATCH(PrefixScratch)(args));
  const auto tasks = static_cast<int64_t>(tiles.size());
  return run_tiles(KernelId::kPrefixPrefill, tasks, tokens,
                   work_of_pairs(tasks, static_cast<double>(pairs), args.head_size), execution,
                   [&](int64_t task, int worker, auto& probe) {
                     return run_tile(args, tiles[static_cast<size_t>(task)],
                                     workspace.worker(worker), probe);
                   });
}

}  // namespace attn::backends::xformers
#endif  // HWY_ONCE
