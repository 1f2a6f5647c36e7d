// SPDX-License-Identifier: GPL-3.0-or-later
// Paged attention of the pallas backend: one query token per sequence, on one or two cores
// (megacore). A core walks its sequences, KV heads and compute blocks in order. Another worker of
// the pool copies the pages of the next block into the core's other buffer, as a DMA engine does
// on a TPU. Without a copying worker (DecodeWorkers::copiers), the core's own worker copies them
// before it computes.
#pragma once

#include "backends/pallas/pallas_grid.h"
#include "backends/pallas/pallas_multi_query.h"

namespace attn::backends::pallas {

// How the workers of a pool share a decode call.
struct DecodeWorkers {
  bool alone = false;    // a small call in dynamic order: one worker does all
  bool copiers = false;  // each core has a second worker, which copies its pages
  uint64_t work_ns = 0;  // estimate, as in ThreadPool::parallel_for()
};
// keys: the number of keys of all sequences of the call.
DecodeWorkers decode_workers(int64_t cores, int64_t keys, int64_t num_heads, int64_t head_size,
                             int workers, TaskOrder order);

// Computes the sequences of `range` in one call; query_len of each is 1. False when the gate
// cancelled it. Engine thread.
bool paged_decode(const PagedArgs& args, CallRange range, Megacore mode, Workspace& workspace,
                  const Execution& execution);

}  // namespace attn::backends::pallas
