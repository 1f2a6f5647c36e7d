// SPDX-License-Identifier: GPL-3.0-or-later
// The weights behind the head lines: whole rows of the queries in the window, with what the filter
// keeps of them, and the column of one key. From AttentionRecord::weights, so bit for bit those of
// the heatmap. read_lines(): any thread. LineRows reads in the background in slices of kSlice,
// newest wish first; GUI thread, which waits for the worker only in wait() and in its destructor.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "engine/attention/line_filter.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

struct LineRow {
  std::vector<float> weights;  // [keys], masked 0
  KeptKeys kept;
};

struct LinesWish {
  HeadRef base;                    // record, layer, rows; its head is not used
  std::vector<int64_t> heads;      // ascending
  int64_t q_begin = 0, q_end = 0;  // queries in the window
  int64_t row = -1;                // a query besides them; -1: none
  int64_t column = -1;             // key whose column is wanted; -1: none
  LineFilter filter = {};
  bool operator==(const LinesWish&) const = default;
};

struct LineData {
  std::shared_ptr<const AttentionRecord> record;
  int64_t layer = -1, rows = 0;
  LineFilter filter = {};
  std::map<std::pair<int64_t, int64_t>, std::shared_ptr<const LineRow>> row;  // (head, query)
  uint64_t rows_read = 0;  // ever: rows whose weights the record was asked for
  int64_t column_key = -1;
  uint64_t column_version = 0;
  std::map<int64_t, std::shared_ptr<const std::vector<float>>>
      column;  // head: [rows]; NaN: to come

  const LineRow* find(int64_t head, int64_t query) const;  // null: not read, or not computed yet
};

// Adds to `data` what is wanted and computed; forgets what lies more than a window away. stop() is
// asked after every row. Returns whether all that is computed has been read.
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
  uint64_t read_version_ = 0;  // of the record when all of the wish had been read
  bool complete_ = false;
  bool running_ = false, again_ = false;
  uint64_t epoch_ = 0, slices_ = 0;
  std::atomic<bool> quit_{false};
  QThreadPool pool_;  // last: waits for its work before anything else goes
};

}  // namespace attn::gui
