// SPDX-License-Identifier: GPL-3.0-or-later
// ReaderLog: which worker's attention tile was the last to read the keys of each block, from the
// trace: block events say which table has a block, tile events which keys were read. GUI thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/session/record/layer_rules.h"
#include "engine/trace/event.h"

namespace attn::gui {

struct BlockReader {
  uint64_t end_ns = 0;  // when the tile ended, on the run's clock
  uint32_t request = 0;
  uint8_t lane = kEngineLane;  // 1 + worker; kEngineLane: nobody yet
  uint8_t layer = kNoLayer;
  uint16_t head = 0, heads = 1;  // heads read together: head .. head + heads - 1
  bool is_known() const { return lane != kEngineLane; }
  int worker() const { return lane - 1; }
};

class ReaderLog {
 public:
  void clear();
  // Goes on where it stopped, over at most `most` events. Events that began after `until_ns` are
  // left out. `rules` are those of the run's layers; null: all layers read the same block table.
  // Returns true when nothing is left to read. O(n log n) in the events read.
  bool read(const std::vector<TraceEvent>& events, int64_t block_size, const LayerRules* rules,
            uint64_t until_ns, size_t most);
  size_t num_read() const { return next_; }
  // The last reader of a device block, among the events read, since the block was allocated.
  BlockReader of(int64_t block) const;
  int num_workers() const { return num_workers_; }  // 1 + highest worker of the readers so far

 private:
  void take(const TraceEvent& event, int64_t block_size, const LayerRules* rules);
  int32_t& entry(uint32_t request, uint32_t logical);
  std::vector<int32_t>& table_of(uint32_t request, bool cross);
  BlockReader& reader(uint32_t block);

  size_t next_ = 0;
  int num_workers_ = 0;
  std::vector<BlockReader> readers_;  // [block]: its last reader
  // [request][0: its own table, 1: its encoder's][logical block]: physical block; -1: none.
  std::vector<std::array<std::vector<int32_t>, 2>> tables_;
  std::vector<uint32_t> order_;  // indices of the events being read, by time
};

}  // namespace attn::gui
