// SPDX-License-Identifier: GPL-3.0-or-later
// The (query, key) pairs of a tile that the mask lets through. Any thread.
#pragma once

#include <cstdint>

#include "engine/kernels/weight_recompute.h"
#include "engine/trace/event.h"

namespace attn {

// The number of visible (query, key) pairs of a tile, over all its heads. num_rows: length of the
// sequence; rows and keys of a tile beyond it do not count. of_head: [num_heads], to which the
// pairs of each head are added; null: they are not wanted.
int64_t visible_pairs(const TileEvent& tile, const WeightRule& rule, int64_t num_rows,
                      int64_t* of_head);

// The keys of a tile, at least those that some row sees: from the first one of the first row to the
// last one of the last row.
KeySpan seen_keys(const TileEvent& tile, const WeightRule& rule);

}  // namespace attn
