// SPDX-License-Identifier: GPL-3.0-or-later
// HeadStats: scores and thumbnails of the heads of one request, read on a worker thread in slices
// of about kSlice; call its methods on the GUI thread. read_all() reads on the thread of its
// caller.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <chrono>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "engine/session/record/head_reader.h"
#include "gui/views/attention/key_lengths.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

struct HeadsRef {
  std::shared_ptr<const AttentionRecord> record;
  int64_t rows = 0;
  std::shared_ptr<const RepeatedTokens> repeated;  // null: no repeated tokens
  Quantity quantity = Quantity::kWeight;           // of thumbnails
  // [layer * heads + head]: the lengths of each head; empty unless weight * length is shown.
  std::vector<std::shared_ptr<KeyLengths>> lengths = {};
  // The record of the encoder's layers; null: there is none.
  std::shared_ptr<const AttentionRecord> encoder = {};
  int64_t encoder_rows = 0;
  std::shared_ptr<const RepeatedTokens> encoder_repeated = {};

  int64_t num_heads() const { return record ? record->shape().num_heads : 0; }
  int64_t count() const { return record ? record->shape().num_layers * num_heads() : 0; }
  bool is_encoder(int64_t index) const {
    return encoder && encoder->shape().has(index / num_heads());
  }
  HeadRef head(int64_t index) const {
    const bool other = is_encoder(index);
    HeadRef head{other ? encoder : record, index / num_heads(), index % num_heads(),
                 other ? encoder_rows : rows};
    head.quantity = quantity;
    if (!lengths.empty()) head.lengths = lengths[static_cast<size_t>(index)];
    return head;
  }
  const RepeatedTokens* repeated_of(int64_t index) const {
    return (is_encoder(index) ? encoder_repeated : repeated).get();
  }
  int64_t most_columns() const {
    int64_t most = 0;
    for (int64_t index = 0; index < count(); index += num_heads())
      most = std::max(most, head(index).columns());
    return most;
  }
  // Whether the layers differ in the tokens that they read, for example because of cross attention.
  bool mix_keys() const { return record && record->shape().rules.mix_keys(); }
};

struct ThumbDetail {
  int level = 0;
  Reduce reduce = Reduce::kMax;
  Quantity quantity = Quantity::kWeight;
  bool operator==(const ThumbDetail&) const = default;
  TileKey key() const { return {level, level == 0 ? Reduce::kMax : reduce, 0, 0}; }
};
// The smallest level at which `cells` rows or columns take at most `pixels` entries (below 1: one)
// and fit in one tile.
int thumb_level(int64_t cells, double pixels);

struct HeadSummary {
  HeadReading reading;
  uint64_t read_version = 0;  // version of the record before its rows were read
  int64_t read_rows = -1;     // number of rows if all computed ones are read; -1: they are not
  // The largest difference between 1 and a positive sum of a row's weights, from the last time when
  // all computed rows were read. NaN: that has never been so, or the layer has sinks.
  double off = std::numeric_limits<double>::quiet_NaN();
  std::shared_ptr<const WeightTileData> thumb;
  ThumbDetail thumb_detail;
  uint64_t thumb_version = 0;
  int64_t thumb_rows = -1;
  double thumb_most = 0;  // largest entry of `thumb`
};
using HeadSummaries = std::vector<std::shared_ptr<const HeadSummary>>;  // [layer * heads + head]

// Reads what `known` lacks, on the calling thread, and returns the complete summaries; for exports.
HeadSummaries read_all(const HeadsRef& heads, const ThumbDetail& thumb, HeadSummaries known);

class HeadStats : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kSlice{15};

  explicit HeadStats(QObject* parent = nullptr);
  ~HeadStats() override;

  // Says which heads and which thumbnails are shown. Scores and thumbnails that are missing or
  // older than the record are read in the background.
  void want(const HeadsRef& heads, const ThumbDetail& thumb);
  void stop();   // stops reading, keeps results
  void clear();  // drops all results
  // Waits until nothing is left to read; false on time-out.
  bool wait(std::chrono::milliseconds timeout);

  const HeadsRef& heads() const { return heads_; }
  const HeadSummaries& summaries() const { return summaries_; }
  bool busy() const { return running_ || !waiting_.empty(); }
  // Number of parts (thumbnail or scores of a head) that are queued or being read.
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

  bool is_current(const Task& task) const;
  void queue_missing();
  void start_slice();
  void take(const std::shared_ptr<Slice>& slice);
  static void work(Slice& slice, const std::atomic<bool>& quit);

  HeadsRef heads_;
  ThumbDetail thumb_;
  HeadSummaries summaries_;
  std::deque<Task> waiting_;
  std::set<Task> queued_;  // waiting_ and the tasks of the slice under way; stop() empties it
  bool running_ = false;
  bool again_ = false;  // want() was called while a slice was under way
  uint64_t epoch_ = 0;  // grows when results are dropped
  uint64_t slices_ = 0;
  std::atomic<bool> quit_{false};
  // Last member: its destructor waits for the work before other members are destroyed.
  QThreadPool pool_;
};

}  // namespace attn::gui
