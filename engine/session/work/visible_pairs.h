// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the (query, key) pairs of a tile that the mask lets through, and gives the range of the
// keys that its rows see. Any thread.
#pragma once

#include <cstdint>

#include "engine/kernels/weight_recompute.h"
#include "engine/trace/event.h"

namespace attn {

// The number of visible (query, key) pairs of a tile, over its heads. num_rows: length of the
// sequence; later rows and keys do not count. of_head: [num_heads], the pairs of each head are
// added to it; may be null.
int64_t visible_pairs(const TileEvent& tile, const WeightRule& rule, int64_t num_rows,
                      int64_t* of_head);

// The keys of a tile from the first key that its first row sees to the last key that its last row
// sees.
KeySpan seen_keys(const TileEvent& tile, const WeightRule& rule);

}  // namespace attn
