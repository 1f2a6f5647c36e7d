// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/prefill_plan.h"

#include <algorithm>

namespace attn {
namespace {

int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

int64_t padded_keys(const PrefillSequence& sequence) {
  return round_up(sequence.kv_len, kKeyPanel);
}

int64_t padded_head(int64_t head_size) {
  return round_up(head_size, 16);
}

// Dense f32 rows that follow each other without a gap are read where they are. Rows of several
// heads lie a power of two apart: read in place they would all meet in a few sets of the L1 cache.
bool values_usable_as_they_lie(const PrefillSequence& sequence, int64_t head_size) {
  return sequence.values.dtype == DType::kF32 && !sequence.values.block_table &&
         sequence.values.token_stride == head_size && head_size % 16 == 0;
}

void plan_tiles(const PrefillArgs& args, const Execution& execution, PrefillPlan& plan) {
  const bool in_order = execution.query_tile_rows > 0;
  const int64_t tile_rows = in_order ? std::min(execution.query_tile_rows, kQueryTile) : kQueryTile;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.num_tokens += sequence.query_len;
    for (int64_t row = 0; row < sequence.query_len; row += tile_rows)
      for (int64_t head = 0; head < args.num_heads; ++head)
        plan.tiles.push_back({s, head, row, std::min(tile_rows, sequence.query_len - row)});
  }
  if (in_order) return;
  // The longest tiles first: what is left for the end is small, and all workers finish together.
  const auto keys_seen = [&](const QueryTile& tile) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(tile.sequence)];
    return args.causal ? std::min(sequence.kv_len, sequence.context_len + tile.row + tile.rows)
                       : sequence.kv_len;
  };
  std::stable_sort(plan.tiles.begin(), plan.tiles.end(),
                   [&](const QueryTile& x, const QueryTile& y) {
                     return keys_seen(x) * x.rows > keys_seen(y) * y.rows;
                   });
}

}  // namespace

float* PrefillPlan::key_panels(int64_t sequence, int64_t kv_head) const {
  const int64_t panels =
      padded_keys(args->sequences[static_cast<size_t>(sequence)]) * args->head_size;
  return memory + key_offsets[static_cast<size_t>(sequence)] + kv_head * panels;
}

float* PrefillPlan::value_rows(int64_t sequence, int64_t kv_head) const {
  const int64_t rows =
      args->sequences[static_cast<size_t>(sequence)].kv_len * padded_head(args->head_size);
  return memory + value_offsets[static_cast<size_t>(sequence)] + kv_head * rows;
}

bool PrefillPlan::packs_values(int64_t sequence) const {
  return value_offsets[static_cast<size_t>(sequence)] >= 0;
}

PackedKv PrefillPlan::packed(int64_t sequence, int64_t head) const {
  const int64_t kv_head = head / (args->num_heads / args->num_kv_heads);
  PackedKv packed;
  packed.keys = key_panels(sequence, kv_head);
  if (packs_values(sequence)) {
    packed.values = value_rows(sequence, kv_head);
    packed.value_stride = padded_head(args->head_size);
  } else {
    const KvSource& values = args->sequences[static_cast<size_t>(sequence)].values;
    packed.values = static_cast<const float*>(values.base) + values.row(0, kv_head);
    packed.value_stride = values.token_stride;
  }
  return packed;
}

PrefillPlan plan_prefill(const PrefillArgs& args, const Execution& execution,
                         Workspace& workspace) {
  PrefillPlan plan;
  plan.args = &args;
  plan_tiles(args, execution, plan);
  int64_t floats = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s) {
    const PrefillSequence& sequence = args.sequences[static_cast<size_t>(s)];
    plan.key_offsets.push_back(floats);
    floats += args.num_kv_heads * padded_keys(sequence) * args.head_size;
    floats = round_up(floats, 16);
    if (values_usable_as_they_lie(sequence, args.head_size)) {
      plan.value_offsets.push_back(-1);
    } else {
      plan.value_offsets.push_back(floats);
      floats += args.num_kv_heads * sequence.kv_len * padded_head(args.head_size);
      floats = round_up(floats, 16);
    }
    for (int64_t head = 0; head < args.num_kv_heads; ++head)
      for (int64_t begin = 0; begin < sequence.kv_len; begin += kKvTile)
        plan.pack_tasks.push_back({s, head, begin, std::min(kKvTile, sequence.kv_len - begin)});
  }
  plan.memory = workspace.shared(static_cast<size_t>(floats));
  return plan;
}

}  // namespace attn
