// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/tiles/row_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "engine/kernels/decode/paged_decode.h"
#include "engine/kernels/weight_recompute.h"

namespace attn::gui {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

bool has_row(const TileEvent& tile, int64_t query) {
  return query >= tile.q_begin && query < int64_t{tile.q_begin} + tile.q_count;
}

float rescale_of(float before, float after) {
  return before == kNone ? 0.0f : std::exp(before - after);
}

// How often a tile was visited. A preempted request can visit it again.
struct Visits {
  size_t shown = 0, all = 0;
};
// The visits of tiles, by the first key and the kernel of a tile.
using VisitsOf = std::map<std::pair<uint32_t, KernelId>, Visits>;

VisitsOf count_visits(const std::vector<TileMark>& tiles, size_t count, int64_t query) {
  VisitsOf visits;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const TileEvent& tile = tiles[i].tile;
    if (!has_row(tile, query)) continue;
    Visits& of_tile = visits[{tile.k_begin, tile.kernel}];
    of_tile.shown += i < count;
    ++of_tile.all;
  }
  return visits;
}

// The report of the last shown visit. If some visits have no report, the newest report.
const RowStateEvent* state_of(const std::vector<RowStateEvent>& states, const TileEvent& tile,
                              int64_t query, int64_t layer, int64_t head, const Visits& visits) {
  const RowStateEvent *wanted = nullptr, *newest = nullptr;
  size_t reported = 0;
  for (const RowStateEvent& state : states) {
    if (state.request != tile.request || state.layer != layer || state.head != head ||
        state.query != query || state.k_begin != tile.k_begin || state.kernel != tile.kernel)
      continue;
    newest = &state;
    if (++reported == visits.shown) wanted = &state;
  }
  return reported == visits.all ? wanted : newest;
}

void own_state(const AttentionRecord& record, int64_t layer, int64_t head, int64_t query,
               SoftmaxLine& line) {
  std::vector<float> scores;
  line.max = kNone;
  const int64_t end = std::min(line.k_begin + line.k_count, record.num_keys(layer));
  for (int64_t key = line.k_begin; key < end; ++key) {
    if (!record.shape().rules.of(layer).sees(head, query, key)) continue;
    scores.push_back(record.operands(layer, head, query, key).score);
    line.max = std::max(line.max, scores.back());
  }
  line.sum = 0;
  for (const float score : scores) line.sum += std::exp(score - line.max);
}

void take_sink(float sink, RowSoftmax& row) {
  row.has_sink = sink != kNone;
  if (!row.has_sink) return;
  row.sink = sink;
  row.sink_max = std::max(row.max, sink);
  row.sink_rescale = rescale_of(row.max, row.sink_max);
  row.sink_sum = row.sum * row.sink_rescale + std::exp(sink - row.sink_max);
}

}  // namespace

RowSoftmax row_softmax(const std::vector<TileMark>& tiles, size_t count, int64_t query,
                       const std::vector<RowStateEvent>& states, const AttentionRecord* record,
                       int64_t layer, int64_t head) {
  RowSoftmax result;
  const WeightRule rule = record ? record->shape().rules.of(layer) : WeightRule{};
  // Keeps the newest visit of each tile, found by its first key.
  for (size_t i = 0; i < std::min(count, tiles.size()); ++i) {
    const TileEvent& tile = tiles[i].tile;
    if (!has_row(tile, query)) continue;
    std::erase_if(result.lines,
                  [&tile](const SoftmaxLine& line) { return line.k_begin == tile.k_begin; });
    SoftmaxLine line;
    line.tile = i;
    line.k_begin = tile.k_begin;
    line.k_count = tile.k_count;
    const int64_t end = int64_t{tile.k_begin} + tile.k_count;
    line.seen = count_seen_keys(rule, head, query, tile.k_begin,
                                record ? std::min(end, record->num_keys(layer)) : end);
    result.lines.push_back(line);
  }
  std::sort(result.lines.begin(), result.lines.end(),
            [](const SoftmaxLine& a, const SoftmaxLine& b) { return a.k_begin < b.k_begin; });
  if (result.lines.empty()) return result;

  const VisitsOf visits = count_visits(tiles, count, query);
  const auto state_at = [&](const SoftmaxLine& line) {
    const TileEvent& tile = tiles[line.tile].tile;
    return state_of(states, tile, query, layer, head, visits.at({tile.k_begin, tile.kernel}));
  };
  const bool watched =
      std::all_of(result.lines.begin(), result.lines.end(),
                  [&](const SoftmaxLine& line) { return state_at(line) != nullptr; });
  const SoftmaxLine& last = result.lines.back();
  if (!watched && (!record || !record->row_done(layer, head, query))) return result;
  if (!watched && last.k_begin + last.k_count > kMostRecomputedKeys) {
    result.origin = RowSoftmax::Origin::kTooLong;
    return result;
  }
  result.origin = watched ? RowSoftmax::Origin::kKernel : RowSoftmax::Origin::kRecomputed;
  float max = kNone, sum = 0;  // m and d of the part so far
  result.max = kNone;
  const auto close = [&result](float part_max, float part_sum) {
    const float merged = std::max(result.max, part_max);
    if (merged == kNone) return;
    result.sum = result.sum * rescale_of(result.max, merged) +
                 part_sum * (part_max == kNone ? 0.0f : std::exp(part_max - merged));
    result.max = merged;
  };
  for (SoftmaxLine& line : result.lines) {
    const RowStateEvent* state = watched ? state_at(line) : nullptr;
    line.anew = result.merged == 0 || (state && state->begins);
    if (line.anew) {
      if (result.merged > 0) close(max, sum);
      max = kNone;
      sum = 0;
      ++result.merged;
    }
    if (state) {
      line.max = state->max;
      line.sum = state->sum;
    } else {
      own_state(*record, layer, head, query, line);
      const float merged = std::max(max, line.max);
      line.sum = merged == kNone
                     ? 0.0f
                     : sum * rescale_of(max, merged) + line.sum * rescale_of(line.max, merged);
      line.max = merged;
    }
    line.rescale = rescale_of(max, line.max);
    max = line.max;
    sum = line.sum;
  }
  close(max, sum);
  if (kernel_facts(tiles[last.tile].tile.kernel).partitions)
    result.partitions = (last.k_begin + last.k_count + kPartition - 1) / kPartition -
                        result.lines.front().k_begin / kPartition;
  take_sink(rule.sink(head), result);
  return result;
}

}  // namespace attn::gui
