// SPDX-License-Identifier: GPL-3.0-or-later
// RunBlocks: what every block of both pools holds, as views show it, and how full the used device
// blocks are. It is told of every change and of the keys that a step writes, and tells the history
// which blocks changed. Engine thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/scheduler.h"
#include "engine/session/history/step_history.h"
#include "engine/session/run/snapshot.h"

namespace attn {

class RunBlocks {
 public:
  // history: null: not kept. step: the engine's counter.
  RunBlocks(const BlockManager& manager, StepHistory* history, const uint32_t& step,
            size_t num_blocks);

  void change(const BlockChange& change, const Scheduler& scheduler);
  // Marks the blocks that the step reads and writes in the tables of this kind.
  void mark_used(const BatchPlan& plan, TableKind kind);
  // Tells the history of the blocks of a cancelled step, which may be marked already.
  void touch_planned(const BatchPlan& plan, const Scheduler& scheduler);

  const std::vector<BlockView>& device() const { return device_; }
  const std::vector<BlockView>& swap() const { return swap_; }
  // Slots of the used device blocks that hold keys.
  int64_t filled_slots() const { return filled_slots_; }
  // Entries of block tables that point to device blocks.
  int64_t table_entries() const { return table_entries_; }

 private:
  void count(const BlockView& view, int64_t sign);
  int32_t holder_of(const BlockChange& change, const Scheduler& scheduler) const;

  const BlockManager& manager_;
  StepHistory* history_;
  const uint32_t& step_;
  std::vector<BlockView> device_, swap_;
  int64_t filled_slots_ = 0, table_entries_ = 0;
};

}  // namespace attn
