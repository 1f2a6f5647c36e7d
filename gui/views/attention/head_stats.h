// SPDX-License-Identifier: GPL-3.0-or-later
// HeadStats: scores and thumbnail of every head of one sequence, read in the background in slices
// of kSlice, all heads in turn; while a run goes on only what was computed since is read. A
// thumbnail is the tile of the heatmap that holds the whole matrix at some level: the same numbers.
// All methods: GUI thread; it waits for the worker only in wait() and in its destructor (one
// slice).
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "engine/session/head_reader.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// The sequence whose heads are read.
struct HeadsRef {
  std::shared_ptr<const AttentionRecord> record;
  int64_t rows = 0;
  std::shared_ptr<const RepeatedTokens> repeated;  // null: none

  int64_t num_heads() const { return record ? record->shape().num_heads : 0; }
  int64_t count() const { return record ? record->shape().num_layers * num_heads() : 0; }
  HeadRef head(int64_t index) const {
    return {record, index / num_heads(), index % num_heads(), rows};
  }
};

// Level and reduction of a thumbnail.
struct ThumbDetail {
  int level = 0;
  Reduce reduce = Reduce::kMax;
  bool operator==(const ThumbDetail&) const = default;
  TileKey key() const { return {level, level == 0 ? Reduce::kMax : reduce, 0, 0}; }
};
// The least level at which `cells` rows or columns take at most `pixels` entries, and one tile.
int thumb_level(int64_t cells, double pixels);

struct HeadSummary {
  HeadReading reading;
  uint64_t read_version = 0;  // of the record, and its rows, when all of that was read
  int64_t read_rows = -1;     // -1: not all yet
  std::shared_ptr<const WeightTileData> thumb;
  ThumbDetail thumb_detail;
  uint64_t thumb_version = 0;
  int64_t thumb_rows = -1;
};
using HeadSummaries = std::vector<std::shared_ptr<const HeadSummary>>;  // [layer * heads + head]

// Everything of every head on this thread, from what is known on: for exports.
HeadSummaries read_all(const HeadsRef& heads, const ThumbDetail& thumb, HeadSummaries known);

class HeadStats : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kSlice{15};

  explicit HeadStats(QObject* parent = nullptr);
  ~HeadStats() override;

  // These are shown: what is missing or behind the record is read in the background.
  void want(const HeadsRef& heads, const ThumbDetail& thumb);
  void stop();   // nothing is shown any more; what has been read is kept
  void clear();  // a new run
  // Until nothing is left to read; false on time-out.
  bool wait(std::chrono::milliseconds timeout);

  const HeadsRef& heads() const { return heads_; }
  const HeadSummaries& summaries() const { return summaries_; }
  bool busy() const { return running_ || !waiting_.empty(); }
  // Heads that are not read to the end, of all.
  int64_t behind() const { return static_cast<int64_t>(queued_.size()); }
  uint64_t slices() const { return slices_; }

 signals:
  void arrived();

 private:
  enum class Part { kThumb, kScores };
  struct Task {
    Part part;
    int64_t index;
    auto operator<=>(const Task&) const = default;
  };
  struct Slice;

  bool is_current(const Task& task, uint64_t version) const;
  void queue_missing();
  void start_slice();
  void take(const std::shared_ptr<Slice>& slice);
  static void work(Slice& slice, const std::atomic<bool>& quit);

  HeadsRef heads_;
  ThumbDetail thumb_;
  HeadSummaries summaries_;
  std::deque<Task> waiting_;
  std::set<Task> queued_;  // the same, and those under way
  bool running_ = false;
  bool again_ = false;  // more was asked for while a slice was under way
  uint64_t epoch_ = 0;  // grows with every other sequence
  uint64_t slices_ = 0;
  std::atomic<bool> quit_{false};
  QThreadPool pool_;  // last: waits for its work before anything else goes
};

}  // namespace attn::gui
