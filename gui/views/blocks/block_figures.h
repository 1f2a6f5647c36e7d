// SPDX-License-Identifier: GPL-3.0-or-later
// BlockFigures: how much of the cache is used, wasted, shared and kept, and what a contiguous cache
// would take, computed from one snapshot; also in words.
#pragma once

#include <QString>

#include "engine/session/run/snapshot.h"

namespace attn::gui {

struct BlockFigures {
  int64_t head_size = 0, cache_head_size = 0;  // elements; the cache's may be larger, with padding
  int64_t block_size = 0;                      // slots
  // The fields from `total` to `table_entries` are about the device pool. The null block counts in
  // `total` only.
  int64_t total = 0;                       // blocks
  int64_t usable = 0, used = 0, free = 0;  // usable = used + free; `free` includes cached ones
  int64_t cached = 0;                      // free blocks that are kept for their prefix
  int64_t bytes_per_block = 0, used_bytes = 0, usable_bytes = 0;
  int64_t reserved_slots = 0, filled_slots = 0;  // slots of used blocks; how many are filled
  int64_t table_entries = 0;                     // references to used blocks, over all tables
  int64_t host_total = 0, host_used = 0;         // blocks of the swap pool
  int64_t holders = 0;                           // requests that hold blocks of the device pool
  int64_t max_model_len = 0;                     // tokens, the longest sequence the source can have
  // Blocks that the holders would take in a cache that reserves the longest length for each
  // sequence in one piece. An encoder's tokens count with the blocks that they have now.
  int64_t contiguous_blocks = 0;

  int64_t wasted_slots() const { return reserved_slots - filled_slots; }
  int64_t wasted_bytes() const {
    return block_size > 0 ? wasted_slots() * bytes_per_block / block_size : 0;
  }
  double waste_percent() const;  // of the reserved slots; 0 if none is reserved
  int64_t saved_blocks() const { return table_entries - used; }
};
BlockFigures figures_of(const EngineSnapshot& snapshot);
QString figures_text(const BlockFigures& figures, bool brief);
QString figures_explanation(const BlockFigures& figures);  // rich text

}  // namespace attn::gui
