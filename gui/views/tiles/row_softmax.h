// SPDX-License-Identifier: GPL-3.0-or-later
// The online softmax of one query row, tile by tile: the running maximum m, the running sum d, and
// the factor by which d and the output are rescaled when m grows. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/session/record/attention_record.h"
#include "engine/trace/probe.h"
#include "gui/views/tiles/tile_history.h"

namespace attn::gui {

struct SoftmaxLine {
  size_t tile = 0;  // index into the tiles
  int64_t k_begin = 0, k_count = 0;
  int64_t seen = 0;        // keys of the tile that the row sees
  float max = 0, sum = 0;  // of the part up to this tile: largest score m, and d = Σ exp(score - m)
  float rescale = 0;       // exp(old m - new m); 0: nothing before
  bool anew = false;       // m and d begin here
};

struct RowSoftmax {
  enum class Origin { kNone, kKernel, kRecomputed, kTooLong };
  Origin origin = Origin::kNone;
  std::vector<SoftmaxLine> lines;  // in order of the keys
  // Merged from the parts i that begin anew: m = max m_i, d = Σ d_i exp(m_i - m).
  float max = 0, sum = 0;
  int64_t merged = 0;      // parts; 1: not cut
  int64_t partitions = 0;  // of kPartition keys; 0: none
  // A sink is one more logit, without a key. It enters m and d after the last tile.
  bool has_sink = false;
  float sink = 0, sink_max = 0, sink_sum = 0;  // logit; m and d after
  float sink_rescale = 0;                      // exp(old m - new m)

  bool is_known() const { return origin == Origin::kKernel || origin == Origin::kRecomputed; }
};

// A row whose last tile ends beyond this many keys is not recomputed.
inline constexpr int64_t kMostRecomputedKeys = 8192;

// tiles: all tiles of the head so far. states: those of other rows are ignored. record: if it is
// null, the rule is a default WeightRule.
RowSoftmax row_softmax(const std::vector<TileMark>& tiles, size_t count, int64_t query,
                       const std::vector<RowStateEvent>& states, const AttentionRecord* record,
                       int64_t layer, int64_t head);

}  // namespace attn::gui
