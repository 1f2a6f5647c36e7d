// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of the paged cache: blocks, slots, copies, evictions, hits, swaps, bytes.
#include <algorithm>
#include <vector>

#include "engine/lesson/quantity/quantity_tables.h"
#include "engine/lesson/quantity/resolved_arguments.h"

namespace attn::lesson {
namespace {

using With = ResolvedArguments;

double as_number(int64_t count) {
  return static_cast<double>(count);
}

struct BlockCounts {
  int64_t used = 0, free = 0, cached = 0, saved = 0, wasted_slots = 0;
};
BlockCounts count_blocks(const EngineSnapshot& shot) {
  BlockCounts counts;
  std::vector<bool> in_table(shot.blocks.size());
  int64_t entries = 0, filled = 0;
  for (const RequestView& request : shot.requests)
    for (const BlockTableView* table : {&request.own_table, &request.cross_table})
      for (const int32_t block : table->blocks) {
        if (block < 0) continue;  // it left the window
        ++entries;
        if (in_table[static_cast<size_t>(block)]) continue;
        in_table[static_cast<size_t>(block)] = true;
        ++counts.used;
        filled += shot.blocks[static_cast<size_t>(block)].filled;
      }
  if (shot.prefixes)
    for (const PrefixView& prefix : *shot.prefixes)
      counts.cached += prefix.block >= 0 && !in_table[static_cast<size_t>(prefix.block)];
  counts.free = static_cast<int64_t>(shot.blocks.size()) - (shot.has_null_block ? 1 : 0) -
                counts.used - counts.cached;
  counts.saved = entries - counts.used;
  counts.wasted_slots = counts.used * shot.block_size - filled;
  return counts;
}
// At `peak` the blocks are counted before the step gives blocks back. A StepRecord counts them
// after the step.
BlockCounts blocks_of_step(const With& with) {
  if (with.is_at_peak()) return count_blocks(*with.snapshot());
  const StepRecord& step = with.step_record();
  return {step.used_blocks, step.free_blocks, step.cached_blocks, step.saved_blocks,
          step.wasted_slots};
}
QuantityValue of_step(const With& with, int64_t BlockCounts::*figure) {
  return {as_number(blocks_of_step(with).*figure), {}};
}
// The sum of a figure over all steps.
QuantityValue of_all_steps(const FrozenRun& run, int64_t StepRecord::*figure) {
  int64_t sum = 0;
  for (const StepRecord& step : *run.end().steps) sum += step.*figure;
  return {as_number(sum), {}};
}

Place block_place(int64_t block, int64_t step) {
  Place place;
  place.kind = PlaceKind::kBlock;
  place.block = block;
  place.step = step;
  return place;
}
QuantityValue of_block(const With& with, int32_t BlockView::*figure) {
  const int64_t block = with.block();
  const auto shot = with.snapshot();
  return {static_cast<double>(shot->blocks[static_cast<size_t>(block)].*figure),
          block_place(block, with.step_to_show_block())};
}

QuantityValue first_block(const FrozenRun& run, const With& with, EventKind kind,
                          const char* never) {
  for (const TraceEvent& event : run.events())
    if (event.kind == kind)
      return {static_cast<double>(event.a), block_place(event.a, with.step_to_show())};
  with.refuse("this never happens in the run", never, "a run in which it does");
}

double bytes_per_token(const FrozenRun& run) {
  const EngineSnapshot& end = run.end();
  const auto slots = static_cast<double>(end.blocks.size()) * as_number(end.block_size);
  return slots > 0 ? as_number(end.cache_bytes) / slots : 0;
}

constexpr Quantity kCacheQuantities[] = {
    {"block_size", "", "tokens", "", false, "the number of tokens that fit into a block",
     [](const FrozenRun& run, const With&) {
       return QuantityValue{as_number(run.end().block_size), {}};
     }},
    {"num_blocks", "", "blocks", "", false, "the number of blocks of the cache",
     [](const FrozenRun& run, const With&) {
       return QuantityValue{static_cast<double>(run.end().blocks.size()), {}};
     }},
    {"blocks_used", "step", "blocks", "", false,
     "blocks that are in a table after the step (at `peak`: before it gives blocks back)",
     [](const FrozenRun&, const With& with) { return of_step(with, &BlockCounts::used); }},
    {"blocks_free", "step", "blocks", "", false,
     "blocks that are in no table and not kept for a prefix after the step (at `peak`: before "
     "requests end)",
     [](const FrozenRun&, const With& with) { return of_step(with, &BlockCounts::free); }},
    {"blocks_cached", "step", "blocks", "", false,
     "blocks that are in no table and kept for their prefix after the step (at `peak`: before "
     "requests end)",
     [](const FrozenRun&, const With& with) { return of_step(with, &BlockCounts::cached); }},
    {"blocks_saved", "step", "blocks", "", false,
     "entries of all tables minus the different blocks in them: what sharing saves",
     [](const FrozenRun&, const With& with) { return of_step(with, &BlockCounts::saved); }},
    {"blocks_of", "request step", "blocks", "request", false,
     "entries of a request's block table after the step (at `peak`: before it gives blocks back)",
     [](const FrozenRun&, const With& with) {
       const auto shot = with.snapshot();
       const RequestView& request = with.request_in(*shot);
       return QuantityValue{
           static_cast<double>(request.own_table.held().size() + request.cross_table.held().size()),
           with.place(PlaceKind::kRequest)};
     }},
    {"wasted_slots", "step", "slots", "", false, "slots of the used blocks that are empty",
     [](const FrozenRun&, const With& with) { return of_step(with, &BlockCounts::wasted_slots); }},
    {"waste", "step", "part", "", false, "the share of the slots of used blocks that are empty",
     [](const FrozenRun& run, const With& with) {
       const BlockCounts counts = blocks_of_step(with);
       const double slots = as_number(counts.used * run.end().block_size);
       return QuantityValue{slots > 0 ? as_number(counts.wasted_slots) / slots : 0, {}};
     }},
    {"block_of", "request token step", "", "block", false,
     "the physical block that holds a token after the step (at `peak`: before it gives blocks "
     "back)",
     [](const FrozenRun&, const With& with) {
       const int64_t block = with.block();
       return QuantityValue{as_number(block), block_place(block, with.step_to_show_block())};
     }},
    {"logical_block_of", "request token", "", "", false,
     "the entry of the block table under which a token is found",
     [](const FrozenRun& run, const With& with) {
       return QuantityValue{as_number(with.token() / run.end().block_size), {}};
     }},
    {"slot_of", "request token step", "", "block", false,
     "the slot of a token: its block times the block size, plus its place in the block",
     [](const FrozenRun& run, const With& with) {
       const int64_t block = with.block(), size = run.end().block_size;
       return QuantityValue{as_number(block * size + with.token() % size),
                            block_place(block, with.step_to_show_block())};
     }},
    {"slots_filled", "request token block step", "slots", "block", false,
     "the filled slots of a block after the step (at `peak`: before it gives blocks back)",
     [](const FrozenRun&, const With& with) { return of_block(with, &BlockView::filled); }},
    {"references", "request token block step", "tables", "block", false,
     "in how many tables a block is after the step (at `peak`: before it gives blocks back): its "
     "reference "
     "count",
     [](const FrozenRun&, const With& with) { return of_block(with, &BlockView::ref_count); }},
    {"copies", "", "blocks", "", false, "blocks that were copied before somebody wrote into them",
     [](const FrozenRun& run, const With&) {
       return of_all_steps(run, &StepRecord::copied_blocks);
     }},
    {"first_copy", "", "", "block", true, "the block that the first copy-on-write made",
     [](const FrozenRun& run, const With& with) {
       return first_block(run, with, EventKind::kBlockCopied, "no copy-on-write");
     }},
    {"evictions", "", "blocks", "", false, "cached blocks that were taken for other tokens",
     [](const FrozenRun& run, const With&) {
       return of_all_steps(run, &StepRecord::evicted_blocks);
     }},
    {"first_evicted", "", "", "block", true, "the block that was evicted first",
     [](const FrozenRun& run, const With& with) {
       return first_block(run, with, EventKind::kBlockEvicted, "no eviction");
     }},
    {"hits", "", "tokens", "", false, "prompt tokens that were found in the prefix cache",
     [](const FrozenRun& run, const With&) { return of_all_steps(run, &StepRecord::hit_tokens); }},
    {"hit_share", "", "part", "", false, "the share of the tokens looked up that were found",
     [](const FrozenRun& run, const With&) {
       const double asked = of_all_steps(run, &StepRecord::queried_tokens).number;
       const double found = of_all_steps(run, &StepRecord::hit_tokens).number;
       return QuantityValue{asked > 0 ? found / asked : 0, {}};
     }},
    {"hits_of", "request", "tokens", "request", false,
     "tokens of a request that were found in the prefix cache",
     [](const FrozenRun&, const With& with) {
       return QuantityValue{as_number(with.request().num_cached), with.place(PlaceKind::kRequest)};
     }},
    {"swapped_out", "", "blocks", "", false, "blocks that went into the swap pool",
     [](const FrozenRun& run, const With&) {
       return of_all_steps(run, &StepRecord::swapped_out_blocks);
     }},
    {"swapped_in", "", "blocks", "", false, "blocks that came back from the swap pool",
     [](const FrozenRun& run, const With&) {
       return of_all_steps(run, &StepRecord::swapped_in_blocks);
     }},
    {"cache_bytes", "", "bytes", "", false, "the memory of the whole cache, all layers",
     [](const FrozenRun& run, const With&) {
       return QuantityValue{as_number(run.end().cache_bytes), {}};
     }},
    {"bytes_per_token", "", "bytes", "", false, "keys and values of one token, all layers",
     [](const FrozenRun& run, const With&) {
       return QuantityValue{bytes_per_token(run), {}};
     }},
    {"kv_bytes", "step", "bytes", "", false,
     "the memory of the blocks in use after the step (at `peak`: before it gives blocks back)",
     [](const FrozenRun& run, const With& with) {
       return QuantityValue{
           as_number(blocks_of_step(with).used * run.end().block_size) * bytes_per_token(run), {}};
     }},
};

}  // namespace

std::span<const Quantity> cache_quantities() {
  return kCacheQuantities;
}

}  // namespace attn::lesson
