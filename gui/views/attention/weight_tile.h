// SPDX-License-Identifier: GPL-3.0-or-later
// HeadRef: a head, or a combination of heads, of one sequence. Its tiles: 256 x 256 entries of
// weights or of another Quantity; sums of rows and columns; RowCuts of rows. At level 0 an entry is
// one cell. At a higher level it is the maximum or the mean of the computed, unmasked cells among
// 2^level x 2^level cells; the maximum of differences is the value of largest magnitude, with its
// sign. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "engine/session/record/attention_record.h"
#include "gui/views/attention/cell_quantity.h"
#include "gui/views/attention/heatmap_combine.h"
#include "gui/views/attention/row_cut.h"

namespace attn::gui {

class KeyLengths;
class RowPeaks;

inline constexpr int64_t kTileSide = 256;  // entries
inline constexpr int64_t kSumRows = 64;    // query rows in one tile of row sums or row cuts
// Markers for entries without a value: numbers that weights and differences of weights cannot have.
inline constexpr float kMaskedCell = std::numeric_limits<float>::lowest();
inline constexpr float kNotComputedCell = kMaskedCell / 2;
inline bool is_value(float entry) {  // a computed NaN counts as a value
  return entry != kMaskedCell && entry != kNotComputedCell;
}

enum class Reduce : uint8_t { kMax, kMean };

// One head of one sequence, or a combination of heads. rows: the number of query rows drawn, which
// may be more than the record has yet.
struct HeadRef {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = 0, head = 0, rows = 0;
  // The weight rules of the run; used if the sequence has no record.
  std::shared_ptr<const LayerRules> expected = {};
  Combination combine = {};
  // The number of keys in cross attention; used if the sequence has no record.
  int64_t expected_keys = 0;
  Quantity quantity = Quantity::kWeight;
  // |v| or |W_O v| of the head's keys, for kWrittenValue and kWrittenOutput; may be null.
  std::shared_ptr<KeyLengths> lengths = {};
  bool operator==(const HeadRef&) const = default;

  // The number of key columns drawn: as many as rows, or in cross attention the encoder's keys.
  int64_t columns() const {
    if (record) return record->key_columns(layer, rows);
    return keys_are_tokens() ? rows : expected_keys;
  }
  // False: the layer is cross attention, whose keys are the encoder's tokens.
  bool keys_are_tokens() const;
  // True: a layer of the encoder, whose queries and keys are the encoder's tokens.
  bool is_encoder() const { return rules().of(layer).encoder; }
  const LayerRules& rules() const;
  // The first layer, from `wanted` on in the direction `step` (1 or -1), whose queries and keys are
  // of the same tokens as those of this layer. If there is none, the first one in the other
  // direction; if there is none either, or the model has no layer `wanted`, this layer.
  int64_t layer_like(int64_t wanted, int64_t num_layers, int64_t step = 1) const;
  // The rule of the layer; if several layers take part, the rule of the layer that masks least.
  // Without a record the rules are `expected`; without those too, a causal mask and nothing else.
  const WeightRule& rule() const;
  // Whether the query sees the key by rule() in any of the heads that take part.
  bool sees(int64_t query, int64_t key) const;
  // How many of the keys [0, num_keys) satisfy sees() with this query.
  int64_t num_seen(int64_t query, int64_t num_keys) const;
  // Whether sees() holds for any of the queries [q_begin, q_end) and keys [k_begin, k_end).
  bool sees_any(int64_t q_begin, int64_t q_end, int64_t k_begin, int64_t k_end) const;
  // The heads that take part; without a record the head itself.
  CombinedHeads heads() const;
  // Whether the row has been computed in all of heads(). The record must not be null.
  bool row_done(int64_t query) const;
};

struct TileKey {
  // Special levels. kRowSums: for each of the kSumRows query rows from row * kSumRows on the sum of
  // its cells, or for kScore its largest score. kColumnSums: for each of the kTileSide keys from
  // column * kTileSide on the sum over the queries [0, row), or over all queries if row is 0.
  // kRowCuts: the RowCuts of the same rows as kRowSums; column is the code of a Keep.
  static constexpr int kRowSums = -1, kColumnSums = -2, kRowCuts = -3;
  int level = 0;  // an entry has 2^level x 2^level cells; or one of the special levels
  Reduce reduce = Reduce::kMax;
  int64_t row = 0, column = 0;  // index of the tile, if level >= 0
  auto operator<=>(const TileKey&) const = default;
};

struct WeightTileData {
  TileKey key;
  uint64_t version = 0;  // version of the record, read before the computation
  // done[e]: how many of the query rows of entry row e were computed when it was filled. Entry row
  // e covers query rows [(row * 256 + e) << level, ...) in a tile of cells (level >= 0), one query
  // row in row sums and cuts, 256 query rows in column sums.
  std::vector<uint32_t> done;
  std::vector<float> value;  // [256, 256] query x key; empty at special levels
  // Row sums: [kSumRows], NaN where not computed yet. Column sums: [256], over the rows computed so
  // far.
  std::vector<double> sum;
  std::vector<double> parts;  // column sums: one [256] per 256 query rows; `sum` adds them in order
  // Column sums, one per part: whether the query rows added to the part are its first rows, without
  // a gap.
  std::vector<char> in_order;
  std::vector<RowCut> cut;  // row cuts: [kSumRows]
  float at(int64_t entry_row, int64_t entry_column) const {
    return value[static_cast<size_t>(entry_row * kTileSide + entry_column)];
  }
};

struct TileRefresh {
  std::shared_ptr<const WeightTileData> tile;  // null: no entry row of `previous` was filled
  uint64_t version = 0;
  // False: the budget was used up, call again with `tile`; or `quit` is set.
  bool finished = true;
};

// A tile in which nothing is computed yet. In a tile of cells each entry is marked as masked or not
// computed.
std::shared_ptr<WeightTileData> empty_tile(const HeadRef& head, const TileKey& key);

// Fills, in a copy of `previous`, the entry rows whose number of computed query rows has changed.
// previous: null the first time. budget: about how long to work; at least one band of entry rows is
// finished. If `quit` becomes true, work stops, and the tile must not be used. head.record must not
// be null.
// peaks: row maxima of the head that were read before; null: the needed rows are read again.
TileRefresh refresh_tile(const HeadRef& head, const TileKey& key,
                         std::shared_ptr<const WeightTileData> previous,
                         std::chrono::milliseconds budget, const std::atomic<bool>* quit = nullptr,
                         const std::shared_ptr<RowPeaks>& peaks = nullptr);

}  // namespace attn::gui
