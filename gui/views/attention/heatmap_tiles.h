// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapTiles: the tiles a heatmap shows, computed on a thread of their own, newest wish first;
// what is no longer wanted is dropped. Keeps at most kMaxBytes, the least recently used go first.
// All methods: GUI thread; it never waits for the worker except in wait().
#pragma once

#include <QObject>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

// What a pixel of an entry shows: 0..255 an entry of the colour table, or one of these.
using CellCode = uint16_t;
inline constexpr CellCode kMaskedCode = 256, kNotComputedCode = 257, kNanCode = 258,
                          kPendingCode = 259, kHiddenCode = 260;
inline constexpr size_t kNumCellCodes = 261;

class HeatmapTiles : public QObject {
  Q_OBJECT
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  explicit HeatmapTiles(QObject* parent = nullptr) : QObject(parent) {}
  ~HeatmapTiles() override;

  void set_head(const HeadRef& head) { head_ = head; }
  const HeadRef& head() const { return head_; }
  void set_scale(const ColorScale& scale);
  // Cells that are not kept get kHiddenCode. A share of rows counts at level 0, where it hides once
  // their cuts are there, a threshold at every level: there it is about the entries.
  void set_keep(const Keep& keep);
  void clear();  // a new run: nothing of the old one is kept

  // These are on the screen: what is missing or behind the record's version is computed in the
  // background.
  void want(const std::vector<TileKey>& keys);
  // The same, on this thread, to the end: for exports and tests.
  void compute_now(const std::vector<TileKey>& keys);
  // Waits until nothing is wanted, at most this long, then takes what has arrived. False on
  // time-out.
  bool wait(std::chrono::milliseconds timeout);
  // Something is wanted, or computed and not taken yet.
  bool busy() const;
  // Tiles that are wanted and not finished.
  int64_t behind() const;

  std::shared_ptr<const WeightTileData> find(const TileKey& key) const;
  // Colour codes [256, 256] of a tile; while it is missing, those of a coarser one that covers it;
  // null: nothing yet. Of a sequence without a record: masked and not computed cells. Valid until
  // the next call of a non-const method of this object.
  const CellCode* codes(const TileKey& key);
  size_t bytes() const { return bytes_; }
  uint64_t tiles_computed() const { return tiles_computed_; }

 signals:
  void arrived();

 private:
  struct CacheKey {
    const AttentionRecord* record;
    int64_t layer, head;
    Combination combine;
    TileKey tile;
    auto operator<=>(const CacheKey&) const = default;
  };
  struct Entry {
    std::shared_ptr<const AttentionRecord> record;  // keeps the key's pointer unique
    std::shared_ptr<const WeightTileData> tile;
    uint64_t version = 0;  // of the record, and its rows, when this was found to be right
    int64_t rows = -1;     // -1: not right yet
    std::vector<CellCode> codes;
    std::shared_ptr<const WeightTileData> coded;  // the tile that `codes` was made from
    uint64_t stamp = 0;                           // stamp_ when it was
    uint64_t last_used = 0;
  };
  struct Job {
    HeadRef head;
    TileKey key;
    std::shared_ptr<const WeightTileData> previous;
  };
  struct Result {
    HeadRef head;
    TileKey key;
    TileRefresh refresh;
    uint64_t epoch;
  };

  static CacheKey cache_key(const HeadRef& head, const TileKey& key);
  void store(const HeadRef& head, const TileKey& key, const TileRefresh& refresh);
  bool is_current(const Entry& entry, uint64_t version) const {
    return entry.tile && entry.version == version && entry.rows == head_.rows;
  }
  void take_results();
  void evict();
  void work();
  const CellCode* entry_codes(Entry& entry);
  void code_row(Entry& entry, int64_t row);

  HeadRef head_;
  ColorScale scale_;
  Keep keep_;
  uint64_t stamp_ = 1;  // grows when something else than a tile changes its codes
  std::map<CacheKey, Entry> entries_;
  std::vector<std::vector<CellCode>>
      stand_ins_;  // codes expanded from coarser tiles, for one picture
  uint64_t use_ = 0;
  size_t bytes_ = 0;
  uint64_t tiles_computed_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Job> jobs_;  // last first
  std::vector<Result> results_;
  uint64_t generation_ = 0;  // of jobs_
  uint64_t epoch_ = 0;       // grows with clear()
  bool working_ = false, posted_ = false;
  std::atomic<bool> quit_ = false;
  std::thread thread_;
};

}  // namespace attn::gui
