// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/run/parts/run_blocks.h"

namespace attn {

RunBlocks::RunBlocks(const BlockManager& manager, StepHistory* history, const uint32_t& step,
                     size_t num_blocks)
    : manager_(manager),
      history_(history),
      step_(step),
      device_(num_blocks),
      swap_(static_cast<size_t>(manager.config().num_swap_blocks)) {}

void RunBlocks::change(const BlockChange& change, const Scheduler& scheduler) {
  std::vector<BlockView>& pool_blocks = change.pool == PoolKind::kDevice ? device_ : swap_;
  BlockView& view = pool_blocks[static_cast<size_t>(change.block)];
  if (history_) history_->touch(change.pool, change.block);
  const bool counted = change.pool == PoolKind::kDevice;
  const auto owner = static_cast<int32_t>(request_of_table(change.sequence));
  if (counted) count(view, -1);
  view.ref_count = change.ref_count;
  switch (change.kind) {
    case BlockChangeKind::kAllocated:
      view = {.owner = owner,
              .ref_count = change.ref_count,
              .logical = static_cast<int32_t>(change.logical),
              .allocated_step = step_,
              .cross = kind_of_table(change.sequence) == TableKind::kCross};
      break;
    case BlockChangeKind::kShared:
      if (change.ref_count == 1) view.owner = owner;
      break;
    case BlockChangeKind::kReleased:
      if (view.owner == owner) view.owner = holder_of(change, scheduler);
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
      if (history_) history_->hashed(change.block, static_cast<uint32_t>(owner));
      break;
    case BlockChangeKind::kCopied:
      view.filled = device_[static_cast<size_t>(change.other)].filled;
      view.last_write_step = step_;
      break;
    case BlockChangeKind::kSwappedOut:
      swap_[static_cast<size_t>(change.other)].filled = view.filled;
      if (history_) history_->touch(PoolKind::kSwap, change.other);
      break;
    case BlockChangeKind::kSwappedIn:
      view.filled = swap_[static_cast<size_t>(change.other)].filled;
      view.last_write_step = step_;
      break;
    case BlockChangeKind::kWindowLeft:
      break;
  }
  if (counted) count(view, 1);
}

void RunBlocks::count(const BlockView& view, int64_t sign) {
  if (view.ref_count <= 0) return;
  filled_slots_ += sign * view.filled;
  table_entries_ += sign * view.ref_count;
}

// Another request whose table of the same kind has the block at the same place; -1: there is none.
int32_t RunBlocks::holder_of(const BlockChange& change, const Scheduler& scheduler) const {
  for (const auto& request : scheduler.requests()) {
    const uint32_t id = table_id(request->id, kind_of_table(change.sequence));
    if (id == change.sequence || !manager_.knows(id) || manager_.is_swapped(id)) continue;
    const auto table = manager_.blocks(id);
    const auto logical = static_cast<size_t>(change.logical);
    if (logical < table.size() && table[logical] == change.block)
      return static_cast<int32_t>(request->id);
  }
  return -1;
}

void RunBlocks::mark_used(const BatchPlan& plan, TableKind kind) {
  for (const PlannedSequence& planned : plan.sequences) {
    const uint32_t table = table_id(planned.request, kind);
    filled_slots_ += mark_blocks_used(planned.places(kind), manager_.blocks(table),
                                      manager_.blocks_left_window(table),
                                      manager_.config().block_size, step_, device_)
                         .filled;
  }
}

void RunBlocks::touch_planned(const BatchPlan& plan, const Scheduler& scheduler) {
  if (!history_) return;
  for (const PlannedSequence& planned : plan.sequences)
    for (const TableKind kind : scheduler.find(planned.request)->tables())
      for (const int32_t block : manager_.blocks(table_id(planned.request, kind)))
        if (block >= 0) history_->touch(PoolKind::kDevice, block);
}

}  // namespace attn
