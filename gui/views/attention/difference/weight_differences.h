// SPDX-License-Identifier: GPL-3.0-or-later
// WeightDifferences: the differences of the weights of a RunPair, weight in the window - weight
// beside, and their sums. It has tiles of 256 x 256 entries, addressed by the TileKeys of the
// heatmap. At level 0 an entry is a cell; at a higher level it is the difference of largest
// magnitude, with its sign, among 2^level x 2^level cells. Weights are those of refresh_tile(). One
// thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gui/views/attention/difference/run_pair.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// The highest level: 256 query rows are then one row of entries.
inline constexpr int kMostDifferenceLevel = 8;

// Sums over cells that both runs have.
struct DifferenceSums {
  int64_t compared = 0;          // cells whose difference is a number
  int64_t not_numbers = 0;       // cells whose difference is not
  double size = 0;               // sum of |difference|
  float largest = 0;             // the difference of the largest |difference|
  int64_t query = -1, key = -1;  // where it is: of equal ones the first query, then the first key
  double mean() const { return compared > 0 ? size / static_cast<double>(compared) : 0; }
  void add(float difference, int64_t of_query, int64_t of_key);
  void add(const DifferenceSums& other);

 private:
  void offer(float difference, int64_t of_query, int64_t of_key);
};

// What 256 query rows were made of: how many of them were computed in each run, and how many rows
// and columns the pair had.
struct BlockState {
  int64_t here = 0, beside = 0, rows = 0, columns = 0;
  bool operator==(const BlockState&) const = default;
};

struct DifferenceTile {
  // [256, 256]: a difference, kMaskedCell where both runs mask, or kNotComputedCell where at least
  // one run has no weight for another reason or only one run masks.
  std::vector<float> value;
  std::vector<std::optional<BlockState>> done;  // of each 256 query rows; nullopt: not filled yet
  float at(int64_t entry_row, int64_t entry_column) const {
    return value[static_cast<size_t>(entry_row * kTileSide + entry_column)];
  }
};
using DifferenceTileMap = std::map<TileKey, std::shared_ptr<const DifferenceTile>>;

class WeightDifferences {
 public:
  // Called after each 256 query rows. False: the work ends, and the function returns false.
  using GoOn = std::function<bool()>;

  // leave: if it becomes true, work ends within 256 rows, too; null: it does not.
  explicit WeightDifferences(const std::atomic<bool>* leave = nullptr) : leave_(leave) {}

  // Brings a tile (level 0 to kMostDifferenceLevel) up to date.
  bool refresh(const RunPair& pair, const TileKey& key, const GoOn& go_on);
  // Brings the sums of all cells up to date.
  bool refresh_sums(const RunPair& pair, const GoOn& go_on);
  // If there are many tiles, forgets those that are not in `keys`.
  void forget_others(const std::vector<TileKey>& keys);

  const DifferenceTileMap& tiles() const { return tiles_; }
  // The sums of the cells that were read.
  DifferenceSums sums() const;

 private:
  struct KnownSums {
    std::optional<BlockState> state;
    DifferenceSums sums;
  };
  // False: it was left, and the tile must not be used.
  bool fill(const RunPair& pair, const TileKey& key, int64_t part, const BlockState& state,
            DifferenceTile& tile);
  bool is_left() const { return leave_ && *leave_; }

  const std::atomic<bool>* leave_;
  DifferenceTileMap tiles_;
  // Of blocks of 256 x 256 cells, by the numbers of their row and column.
  std::map<std::pair<int64_t, int64_t>, KnownSums> sums_;
};

}  // namespace attn::gui
