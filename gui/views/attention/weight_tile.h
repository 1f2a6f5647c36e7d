// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of attention weights for the heatmap: 256 x 256 entries, an entry being one cell (level 0)
// or the maximum or mean of 2^level x 2^level cells. Computed from the operands kept in an
// AttentionRecord; the matrix itself never exists. A tile is immutable once made; refreshing makes
// a new one that computes only the rows that have become visible since. Any thread.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/session/attention_record.h"

namespace attn::gui {

inline constexpr int64_t kTileSide = 256;  // entries
inline constexpr int64_t kSumRows = 64;    // query rows of one tile of row sums
inline constexpr float kMaskedCell = -1;   // entries that are no weights; weights are >= 0 (or NaN)
inline constexpr float kNotComputedCell = -2;

enum class Reduce : uint8_t { kMax, kMean };

// One head of one sequence. rows: query rows drawn; may exceed what the record has room for yet.
struct HeadRef {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = 0, head = 0, rows = 0;
  std::shared_ptr<const WeightRule> expected =
      {};  // the run's rule, for a sequence without a record
  bool operator==(const HeadRef&) const = default;

  // Key columns drawn: as many as rows, in cross attention those of the encoder.
  int64_t columns() const { return record ? record->key_columns(rows) : rows; }
  // Before there is a record: that of the run, or causal and nothing else.
  const WeightRule& rule() const;
  bool sees(int64_t query, int64_t key) const { return rule().sees(head, query, key); }
  // Whether any of these queries, [q_begin, q_end), sees any of these keys.
  bool sees_any(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end) const;
};

struct TileKey {
  static constexpr int kRowSums = -1;
  int level = 0;  // 2^level cells per entry and side; kRowSums: sums of rows [row * kSumRows, ...)
  Reduce reduce = Reduce::kMax;
  int64_t row = 0, column = 0;  // which tile
  auto operator<=>(const TileKey&) const = default;
};

struct WeightTileData {
  TileKey key;
  uint64_t version = 0;  // the record's version before this was computed
  // Entry row e covers query rows [(row * 256 + e) << level, ...): how many of them were computed
  // when it was filled.
  std::vector<uint32_t> done;  // [256], row sums: [kSumRows]
  std::vector<float> value;    // [256, 256] query x key
  std::vector<double> sum;     // row sums: [kSumRows]; NaN: not computed yet
  float at(int64_t entry_row, int64_t entry_column) const {
    return value[static_cast<size_t>(entry_row * kTileSide + entry_column)];
  }
};

struct TileRefresh {
  std::shared_ptr<const WeightTileData> tile;  // null: `previous` is still right
  uint64_t version = 0;
  bool finished = true;  // false: the budget ended first, call again with `tile`
};

// A tile of which nothing has been computed yet.
std::shared_ptr<WeightTileData> empty_tile(const HeadRef& head, const TileKey& key);

// previous: null for the first time. budget: about how long to work; at least one band of rows is
// always finished.
TileRefresh refresh_tile(const HeadRef& head, const TileKey& key,
                         std::shared_ptr<const WeightTileData> previous,
                         std::chrono::milliseconds budget);

}  // namespace attn::gui
