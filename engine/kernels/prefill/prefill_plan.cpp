// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/prefill/prefill_plan.h"

#include <algorithm>
#include <tuple>

#include "engine/kernels/prefill/tile_rows.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn {
namespace {

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

int64_t padded_head(int64_t head_size) {
  return round_up(head_size, 16);
}

int64_t key_floats(const PrefillPlan& plan, int64_t count) {
  const int64_t head_size = plan.args->head_size;
  return plan.bf16_unit != Bf16Unit::kNone ? matrix_key_bytes(count, head_size) / 4
                                           : round_up(round_up(count, kKeyPanel) * head_size, 16);
}
// With bf16_values there is room for either packing: values that are not all finite go into strips.
int64_t value_floats(const PrefillPlan& plan, int64_t count) {
  const int64_t width = padded_head(plan.args->head_size);
  const int64_t strips = round_up(count * width, 16);
  return plan.bf16_values ? std::max(strips, matrix_value_bytes(count, width) / 4) : strips;
}

// The most floats (4 MiB) that a worker packs for itself.
constexpr int64_t kMostUnitFloats = int64_t{1} << 20;
// Several workers take whole units only if there are at least this many per worker.
constexpr int kUnitsPerWorker = 4;

// Rows per query tile: kQueryTile, or fewer if several workers would have too few tiles to share.
int64_t rows_per_tile(const PrefillArgs& args, int workers) {
  for (const int64_t rows : {kQueryTile, kQueryTile / 2}) {
    int64_t tiles = 0;
    for (const PrefillSequence& sequence : args.sequences)
      tiles += (sequence.query_len + rows - 1) / rows * args.num_heads;
    if (workers == 1 || tiles >= 8 * workers) return rows;
  }
  return kQueryTile / 4;
}

bool units_pay(const PrefillPlan& plan, int workers) {
  const PrefillArgs& args = *plan.args;
  int64_t largest = 0;
  for (const PrefillSequence& sequence : args.sequences)
    largest = std::max(largest, (sequence.kv_len + kKvTile - 1) / kKvTile *
                                    (key_floats(plan, kKvTile) + value_floats(plan, kKvTile)));
  const int64_t num_units = static_cast<int64_t>(args.sequences.size()) * args.num_kv_heads;
  return largest <= kMostUnitFloats && (workers == 1 || num_units >= kUnitsPerWorker * workers);
}

void plan_tiles(const PrefillArgs& args, const Execution& execution, bool in_units,
                PrefillPlan& plan) {
  const bool in_order = execution.query_tile_rows > 0;
  const int64_t tile_rows = in_order   ? std::min(execution.query_tile_rows, kQueryTile)
                            : in_units ? kQueryTile
                                       : rows_per_tile(args, execution.pool->num_workers());
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.num_tokens += sequence.query_len;
    for (int64_t row = 0; row < sequence.query_len; row += tile_rows)
      for (int64_t head = 0; head < args.num_heads; ++head)
        plan.tiles.push_back({s, head, row, std::min(tile_rows, sequence.query_len - row)});
  }
  if (in_order) return;
  // Sequences with more keys come first. The tiles of one head follow each other, those of later
  // rows first.
  const auto kv_len = [&](const QueryTile& tile) {
    return args.sequences[static_cast<size_t>(tile.sequence)].kv_len;
  };
  std::stable_sort(
      plan.tiles.begin(), plan.tiles.end(), [&](const QueryTile& x, const QueryTile& y) {
        if (kv_len(x) != kv_len(y)) return kv_len(x) > kv_len(y);
        return std::tie(x.sequence, x.head, y.row) < std::tie(y.sequence, y.head, x.row);
      });
}

// Makes a unit of each group of consecutive tiles that read the same packed keys and values.
void plan_units(PrefillPlan& plan) {
  const int64_t group = plan.args->num_heads / plan.args->num_kv_heads;
  const auto num_tiles = static_cast<int64_t>(plan.tiles.size());
  for (int64_t begin = 0; begin < num_tiles;) {
    const QueryTile& first = plan.tiles[static_cast<size_t>(begin)];
    int64_t end = begin;
    while (end < num_tiles) {
      const QueryTile& tile = plan.tiles[static_cast<size_t>(end)];
      if (tile.sequence != first.sequence || tile.head / group != first.head / group) break;
      ++end;
    }
    const int64_t kv_len = plan.args->sequences[static_cast<size_t>(first.sequence)].kv_len;
    const int64_t packs = (kv_len + kKvTile - 1) / kKvTile;
    const int64_t pack =
        plan.first_packed[static_cast<size_t>(first.sequence)] + first.head / group * packs;
    plan.units.push_back({begin, end, pack, pack + packs});
    begin = end;
  }
}

}  // namespace

PackedTile& PrefillPlan::packed_tile(int64_t sequence, int64_t kv_head, int64_t index) const {
  const int64_t num_tiles =
      (args->sequences[static_cast<size_t>(sequence)].kv_len + kKvTile - 1) / kKvTile;
  return packed[static_cast<size_t>(first_packed[static_cast<size_t>(sequence)] +
                                    kv_head * num_tiles + index)];
}

double PrefillPlan::pairs() const {
  double pairs = 0;
  for (const PrefillSequence& sequence : args->sequences)
    pairs += static_cast<double>(sequence.query_len * sequence.kv_len);
  return pairs * static_cast<double>(args->num_heads);
}

int64_t PrefillPlan::pack_tile_bytes() const {
  const int64_t value_bytes = bf16_values
                                  ? matrix_value_bytes(kKvTile, padded_head(args->head_size))
                                  : 4 * value_floats(*this, kKvTile);
  return 4 * key_floats(*this, kKvTile) + value_bytes;
}

void PrefillPlan::place(int64_t begin, int64_t end, float* base) const {
  for (int64_t i = begin; i < end; ++i) {
    const PackTask& task = pack_tasks[static_cast<size_t>(i)];
    PackedTile& tile = packed[static_cast<size_t>(i)];
    tile.keys = base + task.offset;
    tile.values = tile.keys + key_floats(*this, task.count);
  }
}

PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution, Workspace& workspace,
                         PrefillAbilities abilities) {
  PrefillPlan plan;
  plan.args = &args;
  if (abilities.bf16_unit) plan.bf16_unit = args.bf16_unit;
  plan.bf16_values = args.bf16_weights && plan.bf16_unit != Bf16Unit::kNone;
  const bool in_units = abilities.in_units && execution.query_tile_rows == 0 &&
                        units_pay(plan, execution.pool->num_workers());
  plan_tiles(args, execution, in_units, plan);

  int64_t floats = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.first_packed.push_back(static_cast<int64_t>(plan.pack_tasks.size()));
    for (int64_t head = 0; head < args.num_kv_heads; ++head) {
      if (in_units) floats = 0;
      for (int64_t begin = 0; begin < sequence.kv_len; begin += kKvTile) {
        const int64_t count = std::min(kKvTile, sequence.kv_len - begin);
        plan.pack_tasks.push_back({s, head, begin, count, floats});
        floats += key_floats(plan, count) + value_floats(plan, count);
      }
      plan.unit_floats = std::max(plan.unit_floats, floats);
    }
  }
  plan.packed.resize(plan.pack_tasks.size());
  if (in_units) {
    plan_units(plan);
  } else {
    plan.unit_floats = 0;
    plan.place(0, static_cast<int64_t>(plan.packed.size()),
               workspace.shared(static_cast<size_t>(floats)));
  }
  return plan;
}

int64_t flash_tile_rows(const PrefillArgs& args, int workers) {
  PrefillPlan plan;
  plan.args = &args;
  plan.bf16_unit = args.bf16_unit;
  plan.bf16_values = args.bf16_weights && plan.bf16_unit != Bf16Unit::kNone;
  return units_pay(plan, workers) ? kQueryTile : rows_per_tile(args, workers);
}

}  // namespace attn
