// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of attention weights for the heatmap: 256 x 256 entries, an entry being one cell (level 0)
// or the maximum or mean of 2^level x 2^level cells; of differences the maximum is the value of
// largest magnitude, with its sign. Computed from the operands kept in an AttentionRecord; the
// matrix itself never exists. A tile is immutable once made; refreshing makes a new one that
// computes only the rows that have become visible since. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/session/attention_record.h"
#include "gui/views/attention/heatmap_combine.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {

inline constexpr int64_t kTileSide = 256;  // entries
inline constexpr int64_t kSumRows = 64;    // query rows of one tile of row sums and row cuts
// Entries that are no values: beyond any weight, [0, 1], and any difference of two, [-1, 1].
inline constexpr float kMaskedCell = -8;
inline constexpr float kNotComputedCell = -16;
inline bool is_value(float entry) {  // a computed NaN is one, too
  return entry != kMaskedCell && entry != kNotComputedCell;
}

enum class Reduce : uint8_t { kMax, kMean };

// One head of one sequence, or what is made of it and others. rows: query rows drawn; may exceed
// what the record has room for yet.
struct HeadRef {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = 0, head = 0, rows = 0;
  std::shared_ptr<const WeightRule> expected =
      {};  // the run's rule, for a sequence without a record
  Combination combine = {};
  int64_t expected_keys = 0;  // of the encoder, likewise; 0: no cross attention
  bool operator==(const HeadRef&) const = default;

  // Key columns drawn: as many as rows, in cross attention those of the encoder.
  int64_t columns() const {
    if (record) return record->key_columns(rows);
    return expected_keys > 0 ? expected_keys : rows;
  }
  // Else the keys are the encoder's: cross attention.
  bool keys_are_tokens() const {
    return record ? record->shape().encoder_keys == 0 : expected_keys == 0;
  }
  // Before there is a record: that of the run, or causal and nothing else.
  const WeightRule& rule() const;
  // In any of the heads that take part.
  bool sees(int64_t query, int64_t key) const;
  // Whether any of these queries, [q_begin, q_end), sees any of these keys.
  bool sees_any(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end) const;
  // The heads that take part; without a record the head itself.
  CombinedHeads heads() const;
  // In all of them. Needs the record.
  bool row_done(int64_t query) const;
};

struct TileKey {
  // kRowSums: sums of rows [row * kSumRows, ...). kColumnSums: of keys [column * kTileSide, ...)
  // over queries [0, row); row 0: over all there are. kRowCuts: of rows as kRowSums, column: the
  // code of a Keep.
  static constexpr int kRowSums = -1, kColumnSums = -2, kRowCuts = -3;
  int level = 0;  // 2^level cells per entry and side, or one of those
  Reduce reduce = Reduce::kMax;
  int64_t row = 0, column = 0;  // which tile
  auto operator<=>(const TileKey&) const = default;
};

struct WeightTileData {
  TileKey key;
  uint64_t version = 0;  // the record's version before this was computed
  // Entry row e covers query rows [(row * 256 + e) << level, ...): how many of them were computed
  // when it was filled.
  std::vector<uint32_t> done;  // [256], row sums and cuts: [kSumRows], column sums: per 256 rows
  std::vector<float> value;    // [256, 256] query x key
  // Row sums: [kSumRows]; NaN: not computed yet. Column sums: [256], of the rows that are there.
  std::vector<double> sum;
  std::vector<double> parts;  // column sums: of every 256 rows [.., 256], which `sum` adds in order
  std::vector<char> in_order;  // the rows that a part has are the first ones of it
  std::vector<RowCut> cut;     // row cuts: [kSumRows]
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
// always finished, unless `quit` becomes true, after which the tile is of no use.
TileRefresh refresh_tile(const HeadRef& head, const TileKey& key,
                         std::shared_ptr<const WeightTileData> previous,
                         std::chrono::milliseconds budget, const std::atomic<bool>* quit = nullptr);

}  // namespace attn::gui
