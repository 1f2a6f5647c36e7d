// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/weight_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/views/attention/cell_numbers.h"
#include "gui/views/attention/cell_reduce.h"

namespace attn::gui {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kChunk = 256;

float highest(const float* cells, int64_t count, float so_far) {
  for (int64_t i = 0; i < count; ++i)
    if (cells[i] > so_far || std::isnan(cells[i])) so_far = cells[i];
  return so_far;
}

double sum_of(const float* cells, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i < count; ++i) total += static_cast<double>(cells[i]);
  return total;
}

bool has_cells(const TileKey& key) {
  return key.level >= 0;
}
int64_t first_query(const TileKey& key, int64_t entry_row) {
  if (key.level == TileKey::kColumnSums) return entry_row * kChunk;
  if (!has_cells(key)) return key.row * kSumRows + entry_row;
  return (key.row * kTileSide + entry_row) << key.level;
}
int64_t queries_per_entry(const TileKey& key) {
  return key.level == TileKey::kColumnSums ? kChunk : int64_t{1} << std::max(0, key.level);
}
int64_t rows_of(const HeadRef& head, const TileKey& key) {
  return key.level == TileKey::kColumnSums && key.row > 0 ? std::min(key.row, head.rows)
                                                          : head.rows;
}
int64_t lines_of(const HeadRef& head, const TileKey& key) {
  if (key.level == TileKey::kColumnSums) return (rows_of(head, key) + kChunk - 1) / kChunk;
  return has_cells(key) ? kTileSide : kSumRows;
}

// The state of one call of refresh_tile().
struct Work {
  const HeadRef& head;
  CellNumbers numbers;
  std::vector<float> cells;
  const std::atomic<bool>* quit;
  bool stopped() const { return quit && quit->load(std::memory_order_relaxed); }
  void compute(int64_t q_begin, int64_t q_count, int64_t k_begin, int64_t k_count, float* out) {
    numbers.cells(q_begin, q_count, k_begin, k_count, out, [this] { return stopped(); });
  }
};

uint32_t count_done(const Work& work, int64_t begin, int64_t end) {
  uint32_t count = 0;
  for (int64_t q = begin; q < end; ++q) count += work.numbers.row_done(q);
  return count;
}

struct Accumulator {
  std::vector<float> most;  // [entry rows, 256]
  std::vector<double> total;
  std::vector<int64_t> count;
  Accumulator(int64_t rows, float lowest)
      : most(static_cast<size_t>(rows * kTileSide), lowest),
        total(static_cast<size_t>(rows * kTileSide), 0.0),
        count(static_cast<size_t>(rows * kTileSide), 0) {}
};

// The end of the block of a block-sparse mask in which this query or key lies.
int64_t run_end(const BlockSparse& sparse, int64_t key) {
  return (key / sparse.block_size + 1) * sparse.block_size;
}

// The first key of [begin, end) that a cut edge hides from this query in any head, or end.
int64_t next_cut(const WeightRule& rule, int64_t query, int64_t begin, int64_t end) {
  for (const CutEdge& cut : rule.cuts)
    if (cut.key >= begin && cut.key < end && cut.cuts(cut.head, query, cut.key)) end = cut.key;
  return end;
}

// Adds the cells of one query row, keys [k_begin, k_end), to the accumulator. Keys that the query
// does not see are skipped.
void accumulate(const HeadRef& head, const TileKey& key, int64_t query, int64_t k_begin,
                int64_t k_end, const float* cells, size_t line, Accumulator& out) {
  const int64_t first_key = (key.column * kTileSide) << key.level;
  const WeightRule& rule = head.rule();
  const KeySpan seen = rule.span(query, head.columns());
  const int64_t end = std::min(k_end, seen.end);
  for (int64_t k = std::max(k_begin, seen.begin); k < end;) {
    const int64_t entry = (k - first_key) >> key.level;
    int64_t stop = std::min(end, first_key + ((entry + 1) << key.level));
    if (rule.blocksparse) stop = std::min(stop, run_end(*rule.blocksparse, k));
    // A key that is cut tells nothing about the other keys of its block.
    const int64_t cut = next_cut(rule, query, k, stop);
    if ((cut == k || rule.blocksparse) && !head.sees(query, k)) {
      k = cut == k ? k + 1 : stop;
      continue;
    }
    stop = cut == k ? k + 1 : cut;
    const size_t at = line * kTileSide + static_cast<size_t>(entry);
    if (key.reduce == Reduce::kMax && head.quantity == Quantity::kScore) {
      out.most[at] = highest(cells + (k - k_begin), stop - k, out.most[at]);
    } else if (key.reduce == Reduce::kMax) {
      out.most[at] = largest_magnitude(cells + (k - k_begin), stop - k, out.most[at]);
    } else {
      out.total[at] += sum_of(cells + (k - k_begin), stop - k);
    }
    out.count[at] += stop - k;
    k = stop;
  }
}

// Tells which entries of one entry row are masked. An entry is masked if none of its queries sees
// any of its keys.
class EntryRow {
 public:
  EntryRow(const HeadRef& head, const TileKey& key, int64_t entry_row)
      : head_(head),
        key_(key),
        q_begin_(first_query(key, entry_row)),
        q_end_(first_query(key, entry_row + 1)) {
    const WeightRule& rule = head.rule();
    constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();
    has_holes_ = rule.has_holes();
    if (!has_holes_)  // computed once for all entries
      seen_ = {rule.span(q_begin_, kNoLimit).begin, rule.span(q_end_ - 1, kNoLimit).end};
  }
  bool is_masked(int64_t entry_column) const {
    const int64_t k_begin = (key_.column * kTileSide + entry_column) << key_.level;
    const int64_t k_end = k_begin + (int64_t{1} << key_.level);
    if (has_holes_) return !head_.sees_any(q_begin_, q_end_, k_begin, k_end);
    return std::max(k_begin, seen_.begin) >= std::min(k_end, seen_.end);
  }

 private:
  const HeadRef& head_;
  const TileKey& key_;
  int64_t q_begin_, q_end_;
  bool has_holes_ = false;
  KeySpan seen_;
};

// Reads first which query rows are done and then their cells, so that a row counts as done only if
// its cells were complete.
void fill_band(Work& work, WeightTileData& tile, int64_t first, int64_t lines) {
  const HeadRef& head = work.head;
  const TileKey& key = tile.key;
  const int64_t per_entry = queries_per_entry(key);
  const int64_t q_begin = first_query(key, first);
  const int64_t q_end = std::min(first_query(key, first + lines), head.rows);
  const int64_t k_first = (key.column * kTileSide) << key.level;
  const bool causal = head.rule().causal;
  const int64_t k_end =
      std::min(((key.column + 1) * kTileSide) << key.level, causal ? q_end : head.columns());
  std::vector<bool> done(static_cast<size_t>(std::max<int64_t>(0, q_end - q_begin)));
  for (int64_t e = 0; e < lines; ++e) tile.done[static_cast<size_t>(first + e)] = 0;
  int64_t last_done = -1;
  for (int64_t q = q_begin; q < q_end; ++q) {
    if (!work.numbers.row_done(q)) continue;
    done[static_cast<size_t>(q - q_begin)] = true;
    ++tile.done[static_cast<size_t>(first + (q - q_begin) / per_entry)];
    last_done = q;
  }

  Accumulator sums(
      lines, head.quantity == Quantity::kScore ? -std::numeric_limits<float>::infinity() : 0.0f);
  for (int64_t q0 = q_begin; q0 <= last_done; q0 += kChunk) {
    const int64_t rows = std::min(kChunk, last_done + 1 - q0);
    for (int64_t k0 = k_first; k0 < (causal ? std::min(k_end, q0 + rows) : k_end); k0 += kChunk) {
      if (work.stopped()) return;
      const int64_t keys = std::min(kChunk, k_end - k0);
      work.compute(q0, rows, k0, keys, work.cells.data());
      for (int64_t q = q0; q < q0 + rows; ++q) {
        if (!done[static_cast<size_t>(q - q_begin)]) continue;
        accumulate(head, key, q, k0, k0 + keys, work.cells.data() + (q - q0) * keys,
                   static_cast<size_t>((q - q_begin) / per_entry), sums);
      }
    }
  }

  for (int64_t e = 0; e < lines; ++e) {
    const EntryRow row(head, key, first + e);
    for (int64_t c = 0; c < kTileSide; ++c) {
      const auto at = static_cast<size_t>(e * kTileSide + c);
      float value = kNotComputedCell;
      if (sums.count[at] > 0) {
        value = key.reduce == Reduce::kMax
                    ? sums.most[at]
                    : static_cast<float>(sums.total[at] / static_cast<double>(sums.count[at]));
      } else if (row.is_masked(c)) {
        value = kMaskedCell;
      }
      tile.value[static_cast<size_t>((first + e) * kTileSide + c)] = value;
    }
  }
}

void fill_sums(Work& work, WeightTileData& tile, int64_t first, int64_t lines) {
  const HeadRef& head = work.head;
  const int64_t q_begin = first_query(tile.key, first);
  const int64_t q_end = std::min(q_begin + lines, head.rows);
  for (int64_t q = q_begin; q < q_begin + lines; ++q) {
    const auto e = static_cast<size_t>(first + q - q_begin);
    tile.done[e] = q < q_end && work.numbers.row_done(q);
    tile.sum[e] = tile.done[e] ? 0 : std::numeric_limits<double>::quiet_NaN();
  }
  if (head.quantity == Quantity::kScore) {
    if (q_begin >= q_end) return;
    work.numbers.maxima(q_begin, q_end - q_begin, work.cells.data(),
                        [&work] { return work.stopped(); });
    for (int64_t q = q_begin; q < q_end; ++q) {
      const auto e = static_cast<size_t>(first + q - q_begin);
      if (tile.done[e])
        tile.sum[e] = static_cast<double>(work.cells[static_cast<size_t>(q - q_begin)]);
    }
    return;
  }
  // The colour scale of weight * length depends on the largest cell of all rows, so the largest
  // cell of each row is read into the RowPeaks here, too.
  if (is_written(head.quantity) && q_begin < q_end)
    work.numbers.maxima(q_begin, q_end - q_begin, work.cells.data(),
                        [&work] { return work.stopped(); });
  const int64_t k_end = head.rule().causal ? q_end : head.columns();
  for (int64_t k0 = 0; k0 < k_end && !work.stopped(); k0 += kChunk) {
    const int64_t keys = std::min(kChunk, k_end - k0);
    work.compute(q_begin, q_end - q_begin, k0, keys, work.cells.data());
    for (int64_t q = q_begin; q < q_end; ++q) {
      const auto e = static_cast<size_t>(first + q - q_begin);
      if (tile.done[e]) tile.sum[e] += sum_of(work.cells.data() + (q - q_begin) * keys, keys);
    }
  }
}

// Fills one part of the column sums: the sums over the 256 query rows from 256 * first on, added in
// the order of the rows. If the computed rows are and were the first rows of the part without a
// gap, and are not fewer now, only the new rows are added; otherwise the part is computed again.
void fill_column_sums(Work& work, WeightTileData& tile, int64_t first) {
  const HeadRef& head = work.head;
  const auto line = static_cast<size_t>(first);
  const int64_t q_begin = first_query(tile.key, first);
  const int64_t q_end = std::min(q_begin + kChunk, rows_of(head, tile.key));
  const int64_t k_begin = tile.key.column * kTileSide;
  std::vector<bool> done;
  for (int64_t q = q_begin; q < q_end; ++q) done.push_back(work.numbers.row_done(q));
  const auto count = std::count(done.begin(), done.end(), true);
  const bool in_order = std::find(done.begin(), done.end(), false) - done.begin() == count;
  const int64_t before = tile.done[line];
  const bool goes_on = in_order && tile.in_order[line] && before <= count;
  const int64_t from = q_begin + (goes_on ? before : 0);
  const int64_t end = in_order ? q_begin + count : q_end;
  tile.done[line] = static_cast<uint32_t>(count);
  tile.in_order[line] = in_order;
  double* part = tile.parts.data() + first * kTileSide;
  if (!goes_on) std::fill(part, part + kTileSide, 0.0);
  const int64_t keys =
      std::min(k_begin + kTileSide, head.rule().causal ? end : head.columns()) - k_begin;
  if (from < end && keys > 0) {
    work.compute(from, end - from, k_begin, keys, work.cells.data());
    for (int64_t q = from; q < end; ++q) {
      if (!done[static_cast<size_t>(q - q_begin)]) continue;
      add_cells(work.cells.data() + (q - from) * keys, keys, part);
    }
  }
}

void fill_cuts(Work& work, WeightTileData& tile, int64_t first, int64_t lines) {
  const Keep keep = Keep::from_code(tile.key.column);
  const int64_t begin = first_query(tile.key, first);
  const int64_t end = std::min(begin + lines, work.head.rows);
  const int64_t keys = work.head.rule().causal ? end : work.head.columns();
  std::vector<float> rows(static_cast<size_t>(std::max<int64_t>(0, end - begin) * keys));
  for (int64_t q = begin; q < end; ++q)
    tile.done[static_cast<size_t>(first + q - begin)] = work.numbers.row_done(q);
  if (begin < end) work.compute(begin, end - begin, 0, keys, rows.data());
  for (int64_t q = begin; q < end && !work.stopped(); ++q) {
    const auto e = static_cast<size_t>(first + q - begin);
    if (tile.done[e])
      tile.cut[e] = cut_row({rows.data() + (q - begin) * keys, static_cast<size_t>(keys)}, keep,
                            work.head.num_seen(q, keys));
  }
}

void fill(Work& work, WeightTileData& tile, int64_t first, int64_t lines) {
  work.cells.resize(static_cast<size_t>(kChunk * kChunk));
  switch (tile.key.level) {
    case TileKey::kRowSums:
      return fill_sums(work, tile, first, lines);
    case TileKey::kColumnSums:
      return fill_column_sums(work, tile, first);
    case TileKey::kRowCuts:
      return fill_cuts(work, tile, first, lines);
    default:
      return fill_band(work, tile, first, lines);
  }
}

// The largest number of entry rows filled at a time.
int64_t band_of(const TileKey& key, size_t num_heads) {
  if (key.level == TileKey::kColumnSums) return 1;
  if (key.level == TileKey::kRowCuts) return num_heads > 4 ? 4 : 16;
  if (key.level == TileKey::kRowSums) return num_heads > 4 ? kSumRows / 2 : kSumRows;
  const int64_t queries = num_heads > 4 ? kChunk / 4 : kChunk;
  return std::max<int64_t>(1, queries >> key.level);
}

// For block-sparse attention without cut edges.
bool sees_any_of_head(const WeightRule& rule, int64_t head, int64_t q_begin, int64_t q_end,
                      const KeySpan& keys) {
  for (int64_t q = q_begin; q < q_end; q = run_end(*rule.blocksparse, q)) {
    const int64_t last_q = std::min(q_end, run_end(*rule.blocksparse, q)) - 1;
    for (int64_t k = keys.begin; k < keys.end; k = run_end(*rule.blocksparse, k)) {
      const int64_t last_k = std::min(keys.end, run_end(*rule.blocksparse, k)) - 1;
      // Three pairs decide whether any query of one block sees any key of the other: the first key
      // and the query nearest to it, the last key and the query nearest to it, the last key and the
      // first query.
      if (rule.sees(head, std::clamp(k, q, last_q), k) ||
          rule.sees(head, std::clamp(last_k, q, last_q), last_k) || rule.sees(head, q, last_k))
        return true;
    }
  }
  return false;
}

template <class Sees>
bool any_head(const HeadRef& ref, Sees sees) {
  if (ref.combine.kind == Combine::kHead || !ref.record) return sees(ref.head);
  if (ref.combine.kind == Combine::kHeadDifference)
    return sees(ref.head) || sees(ref.combine.other.head);
  for (int64_t head = 0; head < ref.record->shape().num_heads; ++head)
    if (sees(head)) return true;
  return false;
}

}  // namespace

const LayerRules& HeadRef::rules() const {
  static const LayerRules plain;
  return record ? record->shape().rules : expected ? *expected : plain;
}

bool HeadRef::keys_are_tokens() const {
  return !rules().of(layer).cross;
}

int64_t HeadRef::layer_like(int64_t wanted, int64_t num_layers, int64_t step) const {
  const auto fits = [&](int64_t other) {
    return other >= 0 && other < num_layers &&
           LayerRules::same_tokens(rules().of(other), rules().of(layer));
  };
  for (const int64_t direction : {step, -step})
    for (int64_t other = wanted; other >= 0 && other < num_layers; other += direction)
      if (fits(other)) return other;
  return layer;
}

const WeightRule& HeadRef::rule() const {
  if (combine.kind == Combine::kMean) return rules().widest_like(layer);
  const WeightRule& own = rules().of(layer);
  if (!combine.is_difference()) return own;
  const WeightRule& other = rules().of(combine.other.layer);
  return LayerRules::sees_more(other, own) ? other : own;
}

bool HeadRef::sees(int64_t query, int64_t key) const {
  const WeightRule& seen = rule();
  // A rule without holes masks the same keys in every head.
  if (!seen.has_holes()) return seen.sees(head, query, key);
  return any_head(*this, [&](int64_t id) { return seen.sees(id, query, key); });
}

int64_t HeadRef::num_seen(int64_t query, int64_t num_keys) const {
  const KeySpan keys = rule().span(query, num_keys);
  if (!rule().has_holes()) return std::max<int64_t>(0, keys.end - keys.begin);
  int64_t seen = 0;
  for (int64_t key = keys.begin; key < keys.end; ++key) seen += sees(query, key);
  return seen;
}

bool HeadRef::sees_any(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end) const {
  const WeightRule& seen = rule();
  // The key ranges of neighbouring queries are adjacent or overlap, so together they reach from the
  // first key of the first query to the last key of the last query.
  const KeySpan keys{std::max(k_begin, seen.span(q_begin, k_end).begin),
                     std::min(k_end, seen.span(q_end - 1, k_end).end)};
  if (keys.empty()) return false;
  if (seen.cuts.empty())
    return !seen.blocksparse || any_head(*this, [&](int64_t id) {
      return sees_any_of_head(seen, id, q_begin, q_end, keys);
    });
  for (int64_t q = q_begin; q < q_end; ++q)
    for (int64_t k = keys.begin; k < keys.end; ++k)
      if (sees(q, k)) return true;
  return false;
}

CombinedHeads HeadRef::heads() const {
  if (!record) return {{{layer, head}}, {}};
  return heads_of(combine, {layer, head}, rules().layers_like(layer, record->shape().num_layers),
                  record->shape().num_heads);
}

bool HeadRef::row_done(int64_t query) const {
  return CombinedWeights(*record, heads()).row_done(query);
}

std::shared_ptr<WeightTileData> empty_tile(const HeadRef& head, const TileKey& key) {
  auto tile = std::make_shared<WeightTileData>();
  tile->key = key;
  tile->done.assign(static_cast<size_t>(lines_of(head, key)), 0);
  if (key.level == TileKey::kRowSums)
    tile->sum.assign(static_cast<size_t>(kSumRows), std::numeric_limits<double>::quiet_NaN());
  if (key.level == TileKey::kColumnSums) tile->sum.assign(static_cast<size_t>(kTileSide), 0.0);
  if (key.level == TileKey::kRowCuts) tile->cut.resize(static_cast<size_t>(kSumRows));
  if (!has_cells(key)) return tile;
  tile->value.resize(static_cast<size_t>(kTileSide * kTileSide));
  for (int64_t e = 0; e < kTileSide; ++e) {
    const EntryRow row(head, key, e);
    for (int64_t c = 0; c < kTileSide; ++c)
      tile->value[static_cast<size_t>(e * kTileSide + c)] =
          row.is_masked(c) ? kMaskedCell : kNotComputedCell;
  }
  return tile;
}

TileRefresh refresh_tile(const HeadRef& head, const TileKey& key,
                         std::shared_ptr<const WeightTileData> previous,
                         std::chrono::milliseconds budget, const std::atomic<bool>* quit,
                         const std::shared_ptr<RowPeaks>& peaks) {
  const Clock::time_point deadline = Clock::now() + budget;
  TileRefresh result;
  result.version = head.record->version();
  Work work{head, CellNumbers(head, peaks), {}, quit};
  const int64_t lines = lines_of(head, key);
  const int64_t band = band_of(key, work.numbers.num_heads());
  std::shared_ptr<WeightTileData> tile;
  if (!previous) {
    tile = empty_tile(head, key);
    previous = tile;
  }
  // A tile of column sums gets more entry rows when there are more query rows.
  const auto done_before = [&](int64_t e) {
    const auto at = static_cast<size_t>(e);
    return at < previous->done.size() ? previous->done[at] : 0;
  };
  const auto changed = [&](int64_t e) {
    const int64_t begin = first_query(key, e);
    return begin < head.rows &&
           done_before(e) !=
               count_done(work, begin,
                          std::min(begin + queries_per_entry(key), rows_of(head, key)));
  };
  bool any = false;
  for (int64_t e = 0; e < lines;) {
    if (!changed(e)) {
      ++e;
      continue;
    }
    if (work.stopped() || (any && Clock::now() >= deadline)) {
      result.finished = false;
      break;
    }
    int64_t end = e + 1;
    while (end < std::min(lines, e + band) && changed(end)) ++end;
    if (!tile) tile = std::make_shared<WeightTileData>(*previous);
    if (key.level == TileKey::kColumnSums) {
      tile->done.resize(static_cast<size_t>(lines));
      tile->in_order.resize(static_cast<size_t>(lines), true);
      tile->parts.resize(static_cast<size_t>(lines * kTileSide));
    }
    fill(work, *tile, e, end - e);
    any = true;
    e = end;
  }
  if (work.stopped()) result.finished = false;
  if (any && key.level == TileKey::kColumnSums) {
    tile->sum.assign(static_cast<size_t>(kTileSide), 0.0);
    for (size_t i = 0; i < tile->parts.size(); ++i) tile->sum[i % kTileSide] += tile->parts[i];
  }
  if (tile) tile->version = result.version;
  result.tile = std::move(tile);
  return result;
}

}  // namespace attn::gui
