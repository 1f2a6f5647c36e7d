// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/prefill_plan.h"

#include <algorithm>
#include <tuple>

namespace attn {
namespace {

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

int64_t padded_head(int64_t head_size) {
  return round_up(head_size, 16);
}

// As many rows as a tile can have, so that keys and values are read seldom; fewer where the workers
// would not have enough tiles to share.
int64_t rows_per_tile(const PrefillArgs& args, int workers) {
  for (const int64_t rows : {kQueryTile, kQueryTile / 2}) {
    int64_t tiles = 0;
    for (const PrefillSequence& sequence : args.sequences)
      tiles += (sequence.query_len + rows - 1) / rows * args.num_heads;
    if (workers == 1 || tiles >= 8 * workers) return rows;
  }
  return kQueryTile / 4;
}

void plan_tiles(const PrefillArgs& args, const Execution& execution, PrefillPlan& plan) {
  const bool in_order = execution.query_tile_rows > 0;
  const int64_t tile_rows = in_order ? std::min(execution.query_tile_rows, kQueryTile)
                                     : rows_per_tile(args, execution.pool->num_workers());
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.num_tokens += sequence.query_len;
    for (int64_t row = 0; row < sequence.query_len; row += tile_rows)
      for (int64_t head = 0; head < args.num_heads; ++head)
        plan.tiles.push_back({s, head, row, std::min(tile_rows, sequence.query_len - row)});
  }
  if (in_order) return;
  // The longest tiles first: what is left for the end is small, and all workers finish together.
  // The tiles of one head follow each other, so that its packed keys and values stay in the cache.
  const auto kv_len = [&](const QueryTile& tile) {
    return args.sequences[static_cast<size_t>(tile.sequence)].kv_len;
  };
  std::stable_sort(
      plan.tiles.begin(), plan.tiles.end(), [&](const QueryTile& x, const QueryTile& y) {
        if (kv_len(x) != kv_len(y)) return kv_len(x) > kv_len(y);
        return std::tie(x.sequence, x.head, y.row) < std::tie(y.sequence, y.head, x.row);
      });
}

}  // namespace

PackedTile& PrefillPlan::packed_tile(int64_t sequence, int64_t kv_head, int64_t index) const {
  const int64_t num_tiles =
      (args->sequences[static_cast<size_t>(sequence)].kv_len + kKvTile - 1) / kKvTile;
  return packed[static_cast<size_t>(first_packed[static_cast<size_t>(sequence)] +
                                    kv_head * num_tiles + index)];
}

PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution,
                         Workspace& workspace) {
  PrefillPlan plan;
  plan.args = &args;
  plan_tiles(args, execution, plan);
  const int64_t width = padded_head(args.head_size);
  int64_t floats = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.first_packed.push_back(static_cast<int64_t>(plan.pack_tasks.size()));
    for (int64_t head = 0; head < args.num_kv_heads; ++head)
      for (int64_t begin = 0; begin < sequence.kv_len; begin += kKvTile) {
        const int64_t count = std::min(kKvTile, sequence.kv_len - begin);
        plan.pack_tasks.push_back({s, head, begin, count});
        floats += round_up(count, kKeyPanel) * args.head_size + count * width;
        floats = round_up(floats, 16);
      }
  }
  float* at = workspace.shared(static_cast<size_t>(floats));
  plan.packed.reserve(plan.pack_tasks.size());
  for (const PackTask& task : plan.pack_tasks) {
    PackedTile tile;
    tile.keys = at;
    tile.values = at + round_up(round_up(task.count, kKeyPanel) * args.head_size, 16);
    at = tile.values + task.count * width;
    plan.packed.push_back(tile);
  }
  return plan;
}

}  // namespace attn
