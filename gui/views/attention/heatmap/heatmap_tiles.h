// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapTiles: the tiles that a heatmap shows, computed on a thread of this object (want()) or of
// the caller (compute_now()). It keeps the tiles on the screen, and others as long as all together
// have at most kMaxBytes. One thread at a time.
#pragma once

#include <QObject>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"
#include "gui/widgets/color_map.h"

namespace attn::gui {

// What the pixels of an entry show: an index 0..255 into the colour table, or one of these codes.
using CellCode = uint16_t;
inline constexpr CellCode kMaskedCode = 256, kNotComputedCode = 257, kNanCode = 258,
                          kPendingCode = 259, kHiddenCode = 260;
inline constexpr size_t kNumCellCodes = 261;

class HeatmapTiles : public QObject {
  Q_OBJECT
 public:
  static constexpr size_t kMaxBytes = size_t{64} << 20;
  static constexpr size_t kMostPeaks = 16;  // heads whose RowPeaks are kept

  explicit HeatmapTiles(QObject* parent = nullptr) : QObject(parent) {}
  ~HeatmapTiles() override;

  void set_head(const HeadRef& head) { head_ = head; }
  const HeadRef& head() const { return head_; }
  void set_scale(const ColorScale& scale);
  // Values that are not kept get kHiddenCode. A share works at level 0 only, once the RowCut of the
  // row has been computed. A threshold works at every level and is compared with the entries.
  void set_keep(const Keep& keep);
  void clear();

  // Says which tiles are on the screen; for a head with a record. Tiles of them that are missing or
  // older than it are computed in the background; tiles of earlier calls that wait are dropped.
  void want(const std::vector<TileKey>& keys);
  // Computes these tiles completely on the calling thread.
  void compute_now(const std::vector<TileKey>& keys);
  // Waits at most this long until no tile is left to compute, then takes the results. False on
  // time-out.
  bool wait(std::chrono::milliseconds timeout);
  // True while tiles wait, are being computed, or are computed and not taken yet.
  bool busy() const;
  // Number of tiles left to compute, with the one that is being computed.
  int64_t behind() const;

  std::shared_ptr<const WeightTileData> find(const TileKey& key) const;
  // find(), but null for a tile that is older than the record and stays so: neither the last want()
  // nor a compute_now() after it named this tile.
  std::shared_ptr<const WeightTileData> find_kept_up(const TileKey& key) const;
  // The range of the scores of the head, or of weight * length, over the rows of [0, rows) that
  // have been read.
  std::optional<ScoreRange> score_range(int64_t rows) const;
  // Colour codes [256, 256] of a tile. While the tile is missing, codes made from a coarser tile,
  // or null if there is none. Without a record each code is kMaskedCode or kNotComputedCode. The
  // codes are valid until the next call of a non-const method other than codes().
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
    Quantity quantity;
    TileKey tile;
    auto operator<=>(const CacheKey&) const = default;
  };
  struct Entry {
    // Keeps the record alive, so that no other record gets the address that the CacheKey has.
    std::shared_ptr<const AttentionRecord> record;
    std::shared_ptr<const WeightTileData> tile;
    uint64_t version = 0;  // version of the record before the tile was last computed
    int64_t rows = -1;     // number of rows at that time; -1: the tile is not complete yet
    std::vector<CellCode> codes;
    std::shared_ptr<const WeightTileData> coded;  // the tile that `codes` were made from
    uint64_t stamp = 0;                           // stamp_ when `codes` were made
    uint64_t last_used = 0;
  };
  struct Job {
    HeadRef head;
    TileKey key;
    std::shared_ptr<const WeightTileData> previous;
    std::shared_ptr<RowPeaks> peaks;
  };
  struct Result {
    HeadRef head;
    TileKey key;
    TileRefresh refresh;
    uint64_t epoch;
  };

  static CacheKey cache_key(const HeadRef& head, const TileKey& key);
  // The RowPeaks of the shown head; null if it has no record, or if weights are shown, which need
  // none.
  std::shared_ptr<RowPeaks> peaks();
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
  uint64_t stamp_ = 1;  // grows when codes must be made again although tiles have not changed
  std::map<CacheKey, Entry> entries_;
  std::vector<TileKey> kept_up_;  // of the last want() and of compute_now() after it, in order
  struct Peaks {
    std::shared_ptr<const AttentionRecord> record;
    int64_t layer, head;
    std::shared_ptr<KeyLengths> lengths;  // null: peaks of scores
    std::shared_ptr<RowPeaks> peaks;
    bool is_of(const HeadRef& shown) const {
      return record == shown.record && layer == shown.layer && head == shown.head &&
             lengths == shown.lengths;
    }
  };
  std::vector<Peaks> peaks_;  // the newest last
  // Codes in place of missing tiles, kept until the next want(), compute_now() or clear().
  std::vector<std::vector<CellCode>> stand_ins_;
  uint64_t use_ = 0;
  size_t bytes_ = 0;
  uint64_t tiles_computed_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::vector<Job> jobs_;  // the last one is computed first
  std::vector<Result> results_;
  uint64_t generation_ = 0;  // grows when jobs_ is replaced
  uint64_t epoch_ = 0;       // grows with clear()
  bool working_ = false, posted_ = false;
  std::atomic<bool> quit_ = false;
  std::thread thread_;
};

}  // namespace attn::gui
