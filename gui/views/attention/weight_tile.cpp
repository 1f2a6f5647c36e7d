// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/weight_tile.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace attn::gui {

namespace {

using Clock = std::chrono::steady_clock;

// Cells computed in one call of AttentionRecord::weights: the size it works in itself.
constexpr int64_t kChunk = 256;

// Largest of weights, which are >= +0: their bits order like integers, and a NaN is larger than all
// of them.
float largest(const float* cells, int64_t count, float so_far) {
  int32_t most = std::bit_cast<int32_t>(so_far);
  for (int64_t i = 0; i < count; ++i)
    most = std::max(most, std::bit_cast<int32_t>(cells[i]) & 0x7fffffff);
  return std::bit_cast<float>(most);
}

double sum_of(const float* cells, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i < count; ++i) total += static_cast<double>(cells[i]);
  return total;
}

int64_t first_query(const TileKey& key, int64_t entry_row) {
  if (key.level == TileKey::kRowSums) return key.row * kSumRows + entry_row;
  return (key.row * kTileSide + entry_row) << key.level;
}
int64_t queries_per_entry(const TileKey& key) {
  return int64_t{1} << std::max(0, key.level);
}

uint32_t count_done(const HeadRef& head, int64_t begin, int64_t end) {
  uint32_t count = 0;
  for (int64_t q = begin; q < std::min(end, head.rows); ++q)
    count += head.record->row_done(head.layer, head.head, q);
  return count;
}

// What some entry rows are reduced from, cell by cell.
struct Accumulator {
  std::vector<float> most;  // [entry rows, 256]
  std::vector<double> total;
  std::vector<int64_t> count;
  explicit Accumulator(int64_t rows)
      : most(static_cast<size_t>(rows * kTileSide), 0.0f),
        total(static_cast<size_t>(rows * kTileSide), 0.0),
        count(static_cast<size_t>(rows * kTileSide), 0) {}
};

// Where the run of keys from `key` on ends that the query sees, or does not see, as it does `key`.
int64_t run_end(const BlockSparse& sparse, int64_t key) {
  return (key / sparse.block_size + 1) * sparse.block_size;
}

// One query row of one chunk: keys [k_begin, k_end) of which those that the query sees count.
void accumulate(const HeadRef& head, const TileKey& key, int64_t query, int64_t k_begin,
                int64_t k_end, const float* cells, size_t line, Accumulator& out) {
  const int64_t first_key = (key.column * kTileSide) << key.level;
  const WeightRule& rule = head.rule();
  const KeySpan seen = rule.span(query, head.columns());
  const int64_t end = std::min(k_end, seen.end);
  for (int64_t k = std::max(k_begin, seen.begin); k < end;) {
    const int64_t entry = (k - first_key) >> key.level;
    int64_t stop = std::min(end, first_key + ((entry + 1) << key.level));
    if (rule.blocksparse) {
      stop = std::min(stop, run_end(*rule.blocksparse, k));
      if (!head.sees(query, k)) {
        k = stop;
        continue;
      }
    }
    const size_t at = line * kTileSide + static_cast<size_t>(entry);
    if (key.reduce == Reduce::kMax) {
      out.most[at] = largest(cells + (k - k_begin), stop - k, out.most[at]);
    } else {
      out.total[at] += sum_of(cells + (k - k_begin), stop - k);
    }
    out.count[at] += stop - k;
    k = stop;
  }
}

// No query of the entry sees any key of it.
bool is_masked(const HeadRef& head, const TileKey& key, int64_t entry_row, int64_t entry_column) {
  const int64_t k_begin = (key.column * kTileSide + entry_column) << key.level;
  return !head.sees_any(first_query(key, entry_row), first_query(key, entry_row + 1), k_begin,
                        k_begin + (int64_t{1} << key.level));
}

// Fills entry rows [first, first + lines) of the tile. done: per query row of the band, looked at
// before the weights.
void fill_band(const HeadRef& head, WeightTileData& tile, int64_t first, int64_t lines,
               std::vector<float>& cells) {
  const TileKey& key = tile.key;
  const int64_t per_entry = queries_per_entry(key);
  const int64_t q_begin = first_query(key, first);
  const int64_t q_end = std::min(first_query(key, first + lines), head.rows);
  const int64_t k_first = (key.column * kTileSide) << key.level;
  const bool causal = head.rule().causal;
  const int64_t k_end = std::min(((key.column + 1) * kTileSide) << key.level,
                                 causal ? q_end : head.columns());  // later keys are masked
  std::vector<bool> done(static_cast<size_t>(std::max<int64_t>(0, q_end - q_begin)));
  for (int64_t e = 0; e < lines; ++e) tile.done[static_cast<size_t>(first + e)] = 0;
  int64_t last_done = -1;
  for (int64_t q = q_begin; q < q_end; ++q) {
    if (!head.record->row_done(head.layer, head.head, q)) continue;
    done[static_cast<size_t>(q - q_begin)] = true;
    ++tile.done[static_cast<size_t>(first + (q - q_begin) / per_entry)];
    last_done = q;
  }

  Accumulator sums(lines);
  for (int64_t q0 = q_begin; q0 <= last_done; q0 += kChunk) {
    const int64_t rows = std::min(kChunk, last_done + 1 - q0);
    for (int64_t k0 = k_first; k0 < (causal ? std::min(k_end, q0 + rows) : k_end); k0 += kChunk) {
      const int64_t keys = std::min(kChunk, k_end - k0);
      head.record->weights(head.layer, head.head, q0, rows, k0, keys, cells.data());
      for (int64_t q = q0; q < q0 + rows; ++q) {
        if (!done[static_cast<size_t>(q - q_begin)]) continue;
        accumulate(head, key, q, k0, k0 + keys, cells.data() + (q - q0) * keys,
                   static_cast<size_t>((q - q_begin) / per_entry), sums);
      }
    }
  }

  for (int64_t e = 0; e < lines; ++e) {
    for (int64_t c = 0; c < kTileSide; ++c) {
      const auto at = static_cast<size_t>(e * kTileSide + c);
      float value = kNotComputedCell;
      if (sums.count[at] > 0) {
        value = key.reduce == Reduce::kMax
                    ? sums.most[at]
                    : static_cast<float>(sums.total[at] / static_cast<double>(sums.count[at]));
      } else if (is_masked(head, key, first + e, c)) {
        value = kMaskedCell;
      }
      tile.value[static_cast<size_t>((first + e) * kTileSide + c)] = value;
    }
  }
}

void fill_sums(const HeadRef& head, WeightTileData& tile, int64_t first, int64_t lines,
               std::vector<float>& cells) {
  const int64_t q_begin = first_query(tile.key, first);
  const int64_t q_end = std::min(q_begin + lines, head.rows);
  for (int64_t q = q_begin; q < q_begin + lines; ++q) {
    const auto e = static_cast<size_t>(first + q - q_begin);
    tile.done[e] = q < q_end && head.record->row_done(head.layer, head.head, q);
    tile.sum[e] = tile.done[e] ? 0 : std::numeric_limits<double>::quiet_NaN();
  }
  const int64_t k_end = head.rule().causal ? q_end : head.columns();
  for (int64_t k0 = 0; k0 < k_end; k0 += kChunk) {
    const int64_t keys = std::min(kChunk, k_end - k0);
    head.record->weights(head.layer, head.head, q_begin, q_end - q_begin, k0, keys, cells.data());
    for (int64_t q = q_begin; q < q_end; ++q) {
      const auto e = static_cast<size_t>(first + q - q_begin);
      // Masked weights are 0.
      if (tile.done[e]) tile.sum[e] += sum_of(cells.data() + (q - q_begin) * keys, keys);
    }
  }
}

}  // namespace

const WeightRule& HeadRef::rule() const {
  static const WeightRule plain;
  if (record) return record->shape().rule;
  return expected ? *expected : plain;
}

bool HeadRef::sees_any(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end) const {
  const WeightRule& seen = rule();
  // What neighbouring queries see lies together: from the first one's first key to the last one's
  // last.
  const KeySpan keys{std::max(k_begin, seen.span(q_begin, k_end).begin),
                     std::min(k_end, seen.span(q_end - 1, k_end).end)};
  if (keys.empty() || !seen.blocksparse) return !keys.empty();
  for (int64_t q = q_begin; q < q_end; q = run_end(*seen.blocksparse, q)) {
    const int64_t last_q = std::min(q_end, run_end(*seen.blocksparse, q)) - 1;
    for (int64_t k = keys.begin; k < keys.end; k = run_end(*seen.blocksparse, k)) {
      const int64_t last_k = std::min(keys.end, run_end(*seen.blocksparse, k)) - 1;
      // Of the run's queries the key's own position sees it if any of them does; where later keys
      // are visible, too, it is the first one.
      if (sees(std::clamp(k, q, last_q), k) || sees(std::clamp(last_k, q, last_q), last_k) ||
          sees(q, last_k))
        return true;
    }
  }
  return false;
}

std::shared_ptr<WeightTileData> empty_tile(const HeadRef& head, const TileKey& key) {
  auto tile = std::make_shared<WeightTileData>();
  tile->key = key;
  const bool sums = key.level == TileKey::kRowSums;
  tile->done.assign(static_cast<size_t>(sums ? kSumRows : kTileSide), 0);
  if (sums) {
    tile->sum.assign(static_cast<size_t>(kSumRows), std::numeric_limits<double>::quiet_NaN());
    return tile;
  }
  tile->value.resize(static_cast<size_t>(kTileSide * kTileSide));
  for (int64_t e = 0; e < kTileSide; ++e) {
    for (int64_t c = 0; c < kTileSide; ++c)
      tile->value[static_cast<size_t>(e * kTileSide + c)] =
          is_masked(head, key, e, c) ? kMaskedCell : kNotComputedCell;
  }
  return tile;
}

TileRefresh refresh_tile(const HeadRef& head, const TileKey& key,
                         std::shared_ptr<const WeightTileData> previous,
                         std::chrono::milliseconds budget) {
  const Clock::time_point deadline = Clock::now() + budget;
  TileRefresh result;
  result.version = head.record->version();
  const bool sums = key.level == TileKey::kRowSums;
  const int64_t lines = sums ? kSumRows : kTileSide;
  const int64_t band = sums ? kSumRows : std::max<int64_t>(1, kChunk >> key.level);
  std::shared_ptr<WeightTileData> tile;
  if (!previous) {
    tile = empty_tile(head, key);
    previous = tile;
  }
  const auto changed = [&](int64_t e) {
    const int64_t begin = first_query(key, e);
    return begin < head.rows && previous->done[static_cast<size_t>(e)] !=
                                    count_done(head, begin, begin + queries_per_entry(key));
  };
  std::vector<float> cells;
  for (int64_t e = 0; e < lines;) {
    if (!changed(e)) {
      ++e;
      continue;
    }
    if (!cells.empty() && Clock::now() >= deadline) {
      result.finished = false;
      break;
    }
    int64_t end = e + 1;
    while (end < std::min(lines, e + band) && changed(end)) ++end;
    if (!tile) tile = std::make_shared<WeightTileData>(*previous);
    cells.resize(static_cast<size_t>(kChunk * kChunk));
    if (sums) {
      fill_sums(head, *tile, e, end - e, cells);
    } else {
      fill_band(head, *tile, e, end - e, cells);
    }
    e = end;
  }
  if (tile) tile->version = result.version;
  result.tile = std::move(tile);
  return result;
}

}  // namespace attn::gui
