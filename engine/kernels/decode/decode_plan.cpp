// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/decode/decode_plan.h"

#include <algorithm>

#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn {
namespace {

DecodePlan begin_plan(const DecodeArgs& args, KernelId kernel) {
  DecodePlan plan;
  plan.args = &args;
  plan.kernel = kernel;
  plan.width = (args.head_size + 15) / 16 * 16;
  plan.first_partial.assign(args.sequences.size(), -1);
  return plan;
}

// Adds tasks of up to `tiles` tiles each. If a sequence needs more than one task, each task leaves
// partial results, and a merge per head is added.
void cut(DecodePlan& plan, int64_t sequence, int64_t head, int64_t heads, int64_t tiles,
         int64_t& partials) {
  const int64_t all = plan.num_tiles(sequence);
  if (all <= tiles) {
    plan.tasks.push_back({sequence, head, heads, 0, all, true});
    return;
  }
  int64_t& first = plan.first_partial[static_cast<size_t>(sequence)];
  if (first < 0) {
    first = partials;
    partials += plan.args->num_heads * plan.num_partials(sequence);
  }
  for (int64_t tile = 0; tile < all; tile += tiles)
    plan.tasks.push_back({sequence, head, heads, tile, std::min(all, tile + tiles), false});
  for (int64_t h = head; h < head + heads; ++h)
    plan.merges.push_back({sequence, h, 1, 0, all, false});
}

}  // namespace

double DecodePlan::pairs() const {
  int64_t keys = 0;
  for (const DecodeSequence& sequence : args->sequences) keys += sequence.seq_len;
  return static_cast<double>(keys * args->num_heads);
}

DecodePlan plan_decode_v1(const DecodeArgs& args) {
  DecodePlan plan = begin_plan(args, KernelId::kPagedDecodeV1);
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s)
    for (int64_t head = 0; head < args.num_heads; ++head)
      plan.tasks.push_back({s, head, 1, 0, plan.num_tiles(s), true});
  return plan;
}

DecodePlan plan_decode_v2(const DecodeArgs& args) {
  DecodePlan plan = begin_plan(args, KernelId::kPagedDecodeV2);
  int64_t partials = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s)
    for (int64_t head = 0; head < args.num_heads; ++head)
      cut(plan, s, head, 1, kPartition / kKvTile, partials);
  return plan;
}

DecodePlan plan_decode_grouped(const DecodeArgs& args, int workers) {
  DecodePlan plan = begin_plan(args, KernelId::kUnifiedDecode);
  const int64_t group = args.num_heads / args.num_kv_heads;
  // Heads that see different blocks cannot share one pass over the keys.
  const int64_t heads = args.blocksparse && args.blocksparse->head_sliding_step != 0
                            ? 1
                            : std::min<int64_t>(group, kMaxDecodeHeads);
  int64_t tiles = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s)
    tiles += plan.num_tiles(s) * args.num_kv_heads;
  // Most tiles of a task. One worker: all tiles. More: a quarter of tiles / workers, at least 1.
  const int64_t share = workers == 1 ? tiles : std::max<int64_t>(1, tiles / (4 * workers));
  if (args.one_partial_per_task) plan.tiles_per_partial = std::max<int64_t>(1, share);
  int64_t partials = 0;
  for (int64_t s = 0; s < static_cast<int64_t>(args.sequences.size()); ++s)
    for (int64_t kv_head = 0; kv_head < args.num_kv_heads; ++kv_head)
      for (int64_t h = 0; h < group; h += heads)
        cut(plan, s, kv_head * group + h, std::min(heads, group - h), share, partials);
  return plan;
}

int64_t packed_key_floats(const DecodeArgs& args) {
  return args.bf16_unit == Bf16Unit::kDotProducts ? matrix_key_bytes(kKvTile, args.head_size) / 4
                                                  : kKvTile * args.head_size;
}

int64_t decode_scratch(const DecodePlan& plan) {
  const DecodeArgs& args = *plan.args;
  const int64_t bf16_query = args.bf16_unit == Bf16Unit::kDotProducts
                                 ? matrix_query_bytes(kMaxDecodeHeads, args.head_size) / 4
                                 : 0;
  return kMaxDecodeHeads * (2 * plan.width + kKvTile) + packed_key_floats(args) +
         kKvTile * plan.width + bf16_query;
}

void reserve(DecodePlan& plan, Workspace& workspace, int workers) {
  int64_t partials = 0;
  for (size_t s = 0; s < plan.first_partial.size(); ++s)
    if (plan.first_partial[s] >= 0)
      partials += plan.args->num_heads * plan.num_partials(static_cast<int64_t>(s));
  plan.partials =
      workspace.shared(static_cast<size_t>(partials * (DecodePlan::kPartialHeader + plan.width)));
  workspace.reserve_workers(workers, static_cast<size_t>(decode_scratch(plan)));
}

}  // namespace attn
