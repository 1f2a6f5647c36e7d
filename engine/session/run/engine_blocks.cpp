// SPDX-License-Identifier: GPL-3.0-or-later
// Handles the cache's blocks: the copies and swaps of a step, and the view of every block that is
// shown.
#include "engine/session/run/engine_impl.h"

namespace attn {
namespace {

std::vector<BlockPair> pairs_of(std::span<const BlockMove> moves) {
  std::vector<BlockPair> pairs;
  for (const BlockMove& move : moves) pairs.emplace_back(move.from, move.to);
  return pairs;
}

EventKind event_of(BlockChangeKind kind) {
  switch (kind) {
    case BlockChangeKind::kAllocated:
      return EventKind::kBlockAllocated;
    case BlockChangeKind::kShared:
      return EventKind::kBlockShared;
    case BlockChangeKind::kReleased:
      return EventKind::kBlockReleased;
    case BlockChangeKind::kFreed:
      return EventKind::kBlockFreed;
    case BlockChangeKind::kCached:
      return EventKind::kBlockCached;
    case BlockChangeKind::kEvicted:
      return EventKind::kBlockEvicted;
    case BlockChangeKind::kCopied:
      return EventKind::kBlockCopied;
    case BlockChangeKind::kHashed:
      return EventKind::kBlockHashed;
    case BlockChangeKind::kWindowLeft:
      return EventKind::kBlockLeftWindow;
    case BlockChangeKind::kSwappedOut:
      return EventKind::kBlockSwappedOut;
    case BlockChangeKind::kSwappedIn:
      return EventKind::kBlockSwappedIn;
  }
  return EventKind::kBlockAllocated;
}

// The last number of the event, by its kind: another block, the number of tables, or the free
// blocks.
uint32_t detail_of(const BlockChange& change) {
  switch (change.kind) {
    case BlockChangeKind::kCopied:
    case BlockChangeKind::kSwappedOut:
    case BlockChangeKind::kSwappedIn:
      return static_cast<uint32_t>(change.other);
    case BlockChangeKind::kShared:
    case BlockChangeKind::kReleased:
    case BlockChangeKind::kHashed:
    case BlockChangeKind::kWindowLeft:
      return static_cast<uint32_t>(change.ref_count);
    default:
      return static_cast<uint32_t>(change.free_after);
  }
}

}  // namespace

// The block manager calls it for every change, in order. Changes in the swap pool have no events of
// their own; the swap events show them.
void Engine::Impl::on_block_change(const BlockChange& change) {
  show_change(change);
  // The block's keys are still there: only moves and kernels write to blocks, and they come later.
  const uint32_t request = request_of_table(change.sequence);
  if (change.kind == BlockChangeKind::kWindowLeft && records.own[request])
    records.own[request]->archive_blocks(kind_of_table(change.sequence), change.logical,
                                         change.logical + 1);
  if (change.pool == PoolKind::kSwap) return;
  const bool of_sequence = change.kind != BlockChangeKind::kEvicted;
  const bool marked = kind_of_table(change.sequence) == TableKind::kCross && configs.cache_own();
  emit_instant(execution(kNoLayer), event_of(change.kind), static_cast<uint32_t>(change.block),
               of_sequence ? request : kNoNumber,
               of_sequence ? static_cast<uint32_t>(change.logical) | (marked ? kCrossTableMark : 0)
                           : kNoNumber,
               detail_of(change));
}

void Engine::Impl::show_change(const BlockChange& change) {
  std::vector<BlockView>& pool_blocks = change.pool == PoolKind::kDevice ? blocks : swap_blocks;
  BlockView& view = pool_blocks[static_cast<size_t>(change.block)];
  if (history) history->touch(change.pool, change.block);
  const bool counted = change.pool == PoolKind::kDevice;
  const auto owner = static_cast<int32_t>(request_of_table(change.sequence));
  if (counted) count_block(view, -1);
  view.ref_count = change.ref_count;
  switch (change.kind) {
    case BlockChangeKind::kAllocated:
      view = {.owner = owner,
              .ref_count = change.ref_count,
              .logical = static_cast<int32_t>(change.logical),
              .allocated_step = step,
              .cross = kind_of_table(change.sequence) == TableKind::kCross};
      break;
    case BlockChangeKind::kShared:
      if (change.ref_count == 1) view.owner = owner;
      break;
    case BlockChangeKind::kReleased:
      if (view.owner == owner) view.owner = holder_of(change);
      break;
    case BlockChangeKind::kCached:
      view.owner = -1;
      break;
    case BlockChangeKind::kFreed:
    case BlockChangeKind::kEvicted:
      view = {};
      break;
    case BlockChangeKind::kHashed:
      view.hashed = true;
      if (history) history->hashed(change.block, static_cast<uint32_t>(owner));
      break;
    case BlockChangeKind::kCopied:
      view.filled = blocks[static_cast<size_t>(change.other)].filled;
      view.last_write_step = step;
      break;
    case BlockChangeKind::kSwappedOut:
      swap_blocks[static_cast<size_t>(change.other)].filled = view.filled;
      if (history) history->touch(PoolKind::kSwap, change.other);
      break;
    case BlockChangeKind::kSwappedIn:
      view.filled = swap_blocks[static_cast<size_t>(change.other)].filled;
      view.last_write_step = step;
      break;
    case BlockChangeKind::kWindowLeft:
      break;
  }
  if (counted) count_block(view, 1);
}

void Engine::Impl::count_block(const BlockView& view, int64_t sign) {
  if (view.ref_count <= 0) return;
  filled_slots += sign * view.filled;
  table_entries += sign * view.ref_count;
}

// Another request whose table of the same kind has the block at the same place; -1: there is none.
int32_t Engine::Impl::holder_of(const BlockChange& change) const {
  for (const auto& request : scheduler->requests()) {
    const uint32_t id = table_id(request->id, kind_of_table(change.sequence));
    if (id == change.sequence || !manager.knows(id) || manager.is_swapped(id)) continue;
    const auto table = manager.blocks(id);
    const auto logical = static_cast<size_t>(change.logical);
    if (logical < table.size() && table[logical] == change.block)
      return static_cast<int32_t>(request->id);
  }
  return -1;
}

// Carries out the plan's swaps and copies, before anything is computed. Cannot be cancelled,
// because the block tables already name the new blocks.
void Engine::Impl::move_blocks(StepRecord& record) {
  const int64_t first_layer = cache->spec().first_layer,
                end_layer = first_layer + cache->spec().num_layers;
  const auto swap = [&](const KvStorage& from, const KvStorage& to,
                        const std::vector<BlockMove>& moves) {
    return move_kernel(KernelId::kSwapBlocks, moves, [&](std::span<const BlockPair> pairs) {
      for (int64_t i = first_layer; i < end_layer; ++i)
        backend.swap_blocks(from.layer(i), to.layer(i), pairs);
    });
  };
  if (swap_cache) {
    record.swap_ns += swap(*cache, *swap_cache, plan.swap_out_moves);
    record.swap_ns += swap(*swap_cache, *cache, plan.swap_in_moves);
  }
  record.copy_ns +=
      move_kernel(KernelId::kCopyBlocks, plan.copies, [&](std::span<const BlockPair> pairs) {
        std::vector<KvCacheView> layers;
        for (int64_t i = first_layer; i < end_layer; ++i) layers.push_back(cache->layer(i));
        backend.copy_blocks(layers, pairs);
      });
  record.copied_blocks = static_cast<int64_t>(plan.copies.size());
  record.swapped_out_blocks = static_cast<int64_t>(plan.swap_out_moves.size());
  record.swapped_in_blocks = static_cast<int64_t>(plan.swap_in_moves.size());
}

// Runs `move` as one kernel on the engine's lane; returns its time in ns.
uint64_t Engine::Impl::move_kernel(KernelId kernel, const std::vector<BlockMove>& moves,
                                   const std::function<void(std::span<const BlockPair>)>& move) {
  if (moves.empty()) return 0;
  const uint64_t begin = now_ns();
  move(pairs_of(moves));
  const auto count = static_cast<int64_t>(moves.size());
  const double block_bytes = static_cast<double>(KvStorage::bytes_needed(cache->spec())) /
                             static_cast<double>(cache->spec().num_blocks);
  clock.spend(kEngineLane, modelled_ns(0, 2 * block_bytes * static_cast<double>(count)));
  emit_span(EventKind::kKernel, begin, static_cast<uint32_t>(kernel), step, count,
            count * cache->spec().block_size);
  return now_ns() - begin;
}

std::span<const int32_t> Engine::Impl::table_of(uint32_t request, TableKind kind) const {
  return manager.blocks(table_id(request, kind));
}

void Engine::Impl::mark_blocks_used(TableKind kind) {
  for (const PlannedSequence& planned : plan.sequences)
    filled_slots +=
        attn::mark_blocks_used(planned.places(kind), table_of(planned.request, kind),
                               manager.blocks_left_window(table_id(planned.request, kind)),
                               scenario->engine.block_size, step, blocks)
            .filled;
}

// Tells the history of the blocks of a cancelled step, which may have marked them already.
void Engine::Impl::touch_planned_blocks() {
  if (!history) return;
  for (const PlannedSequence& planned : plan.sequences)
    for (const TableKind kind : scheduler->find(planned.request)->tables())
      for (const int32_t block : table_of(planned.request, kind))
        if (block >= 0) history->touch(PoolKind::kDevice, block);
}

}  // namespace attn
