// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the numbers behind the head lines, weights or weight * length: the rows of the queries in
// the window, and the column of one key. read_lines(): any thread. LineRows reads on a worker
// thread in slices of about kSlice, for the newest LinesWish; call its methods on the GUI thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/session/record/line_filter.h"
#include "gui/views/attention/key_lengths.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

struct LineRow {
  std::vector<float> weights;  // [keys], masked: 0; or weight * length
  double read = 0;             // sum of the weights, without lengths
  KeptKeys kept;
};

struct LinesWish {
  HeadRef base;                // record, layer, rows, quantity; its head is not used
  std::vector<int64_t> heads;  // ascending
  // The lengths of each of `heads`; empty unless weight * length is shown.
  std::vector<std::shared_ptr<KeyLengths>> lengths = {};
  int64_t q_begin = 0, q_end = 0;  // queries [q_begin, q_end) in the window
  int64_t row = -1;                // one more query whose row is wanted; -1: none
  int64_t column = -1;             // the key whose column is wanted; -1: none
  LineFilter filter = {};
  bool operator==(const LinesWish&) const = default;
};

struct LineData {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = -1, rows = 0;
  Quantity quantity = Quantity::kWeight;
  // The number of a line of full width: 1 for weights; for weight * length the largest length of a
  // key in the heads that are drawn, or 1 if none is above 0.
  double full = 1;
  LineFilter filter = {};  // its threshold is a number as in the rows, not a share of `full`
  std::map<std::pair<int64_t, int64_t>, std::shared_ptr<const LineRow>> row;  // (head, query)
  std::vector<std::shared_ptr<KeyLengths>> full_of;  // the lengths that `full` was read from
  int64_t full_keys = 0;
  uint64_t rows_read = 0;
  int64_t column_key = -1;
  uint64_t column_version = 0;
  // Head -> the numbers of the column [rows]; also NaN if not computed yet.
  std::map<int64_t, std::shared_ptr<const std::vector<float>>> column;

  const LineRow* find(int64_t head, int64_t query) const;  // null: not read, or not computed yet
};

// Adds to `data` the rows and the column that are wanted and computed. Drops all rows if record,
// layer, quantity or number of rows has changed; else those of heads that are not wanted, far from
// the window or no longer computed. stop() is called between pieces of work; if it returns true,
// reading ends. False: it did; true: everything wanted that is computed has been read.
bool read_lines(const LinesWish& wish, const std::function<bool()>& stop, LineData& data);

class LineRows : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kSlice{15};

  explicit LineRows(QObject* parent = nullptr);
  ~LineRows() override;

  void want(const LinesWish& wish);
  void clear();
  bool wait(std::chrono::milliseconds timeout);
  bool busy() const { return running_; }
  const LineData& data() const { return *data_; }
  std::shared_ptr<const LineData> shared_data() const { return data_; }
  uint64_t slices() const { return slices_; }

 signals:
  void arrived();

 private:
  void start_slice();

  LinesWish wish_;
  std::shared_ptr<const LineData> data_ = std::make_shared<LineData>();
  uint64_t read_version_ = 0;  // version of the record at the last slice
  bool complete_ = false;
  bool running_ = false, again_ = false;
  uint64_t epoch_ = 0, slices_ = 0;
  std::atomic<bool> quit_{false};
  // Last member: its destructor waits for the work before other members are destroyed.
  QThreadPool pool_;
};

}  // namespace attn::gui
