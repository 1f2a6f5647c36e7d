// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/weight_differences.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace attn::gui {
namespace {

constexpr size_t kMostDifferenceTiles = 256;  // 64 MiB

int64_t blocks_of(int64_t cells) {
  return (cells + kTileSide - 1) / kTileSide;
}

int64_t count_rows_done(const PairSide& side, int64_t begin) {
  int64_t count = 0;
  for (int64_t query = begin; query < std::min(begin + kTileSide, side.head.rows); ++query)
    if (side.row_done(query)) ++count;
  return count;
}

// In a causal layer a new column is masked in the earlier rows, so it does not change them.
BlockState state_of_rows(const RunPair& pair, int64_t block_row) {
  const int64_t begin = block_row * kTileSide;
  const bool causal = pair.here.head.rule().causal && pair.beside.head.rule().causal;
  return {.here = count_rows_done(pair.here, begin),
          .beside = count_rows_done(pair.beside, begin),
          .rows = std::clamp<int64_t>(pair.rows() - begin, 0, kTileSide),
          .columns = causal ? 0 : pair.columns()};
}

// The 256 x 256 cells of both runs from query 256 * row and key 256 * column on.
class PairBlock {
 public:
  // If leave becomes true, the block must not be used.
  PairBlock(const RunPair& pair, int64_t row, int64_t column, const std::atomic<bool>* leave)
      : query_(row * kTileSide),
        key_(column * kTileSide),
        rows_(std::clamp<int64_t>(pair.rows() - query_, 0, kTileSide)),
        columns_(std::clamp<int64_t>(pair.columns() - key_, 0, kTileSide)) {
    const TileKey at{0, Reduce::kMax, row, column};
    // If one of the runs masks the whole block, no cell of it has a difference, and the weights of
    // the other run need not be computed.
    const bool seen = sees_some(pair.here.head) && sees_some(pair.beside.head);
    const auto weights = [&](const HeadRef& head) -> std::shared_ptr<const WeightTileData> {
      if (!seen) return empty_tile(head, at);
      return refresh_tile(head, at, nullptr, std::chrono::hours(1), leave).tile;
    };
    here_ = weights(pair.here.head);
    beside_ = weights(pair.beside.head);
  }

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  // A difference or a marker, as in DifferenceTile.
  float entry(int64_t row, int64_t column) const {
    const float a = here_->at(row, column), b = beside_->at(row, column);
    if (a == kMaskedCell && b == kMaskedCell) return kMaskedCell;
    return is_value(a) && is_value(b) ? a - b : kNotComputedCell;
  }
  DifferenceSums sums() const {
    DifferenceSums sums;
    for (int64_t row = 0; row < rows_; ++row)
      for (int64_t column = 0; column < columns_; ++column)
        if (const float value = entry(row, column); is_value(value))
          sums.add(value, query_ + row, key_ + column);
    return sums;
  }

 private:
  bool sees_some(const HeadRef& head) const {
    return head.sees_any(query_, query_ + kTileSide, key_, key_ + kTileSide);
  }

  int64_t query_, key_, rows_, columns_;
  std::shared_ptr<const WeightTileData> here_, beside_;
};

// Adds a cell to an entry that may already have other cells: a difference counts more than a cell
// without one, and that more than a masked cell. A NaN counts as larger than every number.
void add_to_entry(float cell, float& entry) {
  if (cell == kMaskedCell) return;
  if (cell == kNotComputedCell) {
    if (entry == kMaskedCell) entry = cell;
    return;
  }
  if (!is_value(entry) || std::isnan(cell)) {
    entry = cell;
    return;
  }
  const float size = std::abs(cell), before = std::abs(entry);
  if (size > before || (size == before && cell > entry)) entry = cell;
}

}  // namespace

void DifferenceSums::add(float difference, int64_t of_query, int64_t of_key) {
  if (std::isnan(difference)) {
    ++not_numbers;
    return;
  }
  ++compared;
  size += std::abs(static_cast<double>(difference));
  offer(difference, of_query, of_key);
}

void DifferenceSums::add(const DifferenceSums& other) {
  compared += other.compared;
  not_numbers += other.not_numbers;
  size += other.size;
  if (other.query >= 0) offer(other.largest, other.query, other.key);
}

void DifferenceSums::offer(float difference, int64_t of_query, int64_t of_key) {
  const float now = std::abs(difference), before = std::abs(largest);
  const bool earlier = std::pair(of_query, of_key) < std::pair(query, key);
  if (query >= 0 && (now < before || (now == before && !earlier))) return;
  largest = difference;
  query = of_query;
  key = of_key;
}

bool WeightDifferences::refresh(const RunPair& pair, const TileKey& key, const GoOn& go_on) {
  const int64_t first = key.row << key.level;
  const int64_t parts = std::min<int64_t>(int64_t{1} << key.level, blocks_of(pair.rows()) - first);
  for (int64_t part = 0; part < parts; ++part) {
    const BlockState state = state_of_rows(pair, first + part);
    const auto known = tiles_.find(key);
    const auto at = static_cast<size_t>(part);
    if (known != tiles_.end() && at < known->second->done.size() &&
        known->second->done[at] == state)
      continue;
    // A tile that was handed out does not change, so a copy is filled.
    auto tile = known == tiles_.end() ? std::make_shared<DifferenceTile>()
                                      : std::make_shared<DifferenceTile>(*known->second);
    if (tile->value.empty())
      tile->value.assign(static_cast<size_t>(kTileSide * kTileSide), kNotComputedCell);
    if (tile->done.size() <= at) tile->done.resize(at + 1);
    if (!fill(pair, key, part, state, *tile)) return false;
    tile->done[at] = state;
    tiles_[key] = std::move(tile);
    if (!go_on()) return false;
  }
  return true;
}

bool WeightDifferences::fill(const RunPair& pair, const TileKey& key, int64_t part,
                             const BlockState& state, DifferenceTile& tile) {
  const int64_t row = (key.row << key.level) + part;
  const auto entry_row = [&](int64_t line) { return (part * kTileSide + line) >> key.level; };
  const auto first = tile.value.begin() + entry_row(0) * kTileSide;
  const auto end = tile.value.begin() + (entry_row(kTileSide - 1) + 1) * kTileSide;
  std::fill(first, end, kMaskedCell);
  const int64_t columns = blocks_of(pair.columns()), first_column = key.column << key.level;
  const int64_t pieces = std::min(int64_t{1} << key.level, columns - first_column);
  for (int64_t piece = 0; piece < pieces; ++piece) {
    const int64_t column = first_column + piece;
    const PairBlock block(pair, row, column, leave_);
    if (is_left()) return false;
    for (int64_t line = 0; line < block.rows(); ++line) {
      float* entries = tile.value.data() + entry_row(line) * kTileSide;
      for (int64_t place = 0; place < block.columns(); ++place)
        add_to_entry(block.entry(line, place), entries[(piece * kTileSide + place) >> key.level]);
    }
    sums_[{row, column}] = {state, block.sums()};
  }
  return true;
}

bool WeightDifferences::refresh_sums(const RunPair& pair, const GoOn& go_on) {
  const int64_t rows = blocks_of(pair.rows()), columns = blocks_of(pair.columns());
  // At an earlier step the pair has fewer rows.
  std::erase_if(sums_, [&](const auto& known) {
    return known.first.first >= rows || known.first.second >= columns;
  });
  for (int64_t row = 0; row < rows; ++row) {
    const BlockState state = state_of_rows(pair, row);
    bool read = false;
    for (int64_t column = 0; column < columns; ++column) {
      KnownSums& known = sums_[{row, column}];
      if (known.state == state) continue;
      const PairBlock block(pair, row, column, leave_);
      if (is_left()) return false;
      known = {state, block.sums()};
      read = true;
    }
    if (read && !go_on()) return false;
  }
  return true;
}

void WeightDifferences::forget_others(const std::vector<TileKey>& keys) {
  if (tiles_.size() <= kMostDifferenceTiles) return;
  std::erase_if(
      tiles_, [&](const auto& tile) { return std::ranges::find(keys, tile.first) == keys.end(); });
}

DifferenceSums WeightDifferences::sums() const {
  DifferenceSums all;
  for (const auto& [place, known] : sums_) all.add(known.sums);
  return all;
}

}  // namespace attn::gui
