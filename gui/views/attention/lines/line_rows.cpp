// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/line_rows.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <limits>
#include <utility>

namespace attn::gui {

const LineRow* LineData::find(int64_t head, int64_t query) const {
  const auto found = row.find({head, query});
  return found == row.end() ? nullptr : found->second.get();
}

namespace {

constexpr int64_t kKeysAtOnce = 256;  // keys whose lengths are read between two calls of stop()

LineFilter with_full(LineFilter filter, double full) {
  if (filter.kind == LineFilter::Kind::kAtLeast) filter.value *= full;
  return filter;
}

// Sets data.full: the largest length of a key in the heads that are drawn; 1 if weights are shown,
// or if no length is above 0. False: stop() returned true.
bool read_full(const LinesWish& wish, const std::function<bool()>& stop, LineData& data) {
  const int64_t keys = wish.base.columns();
  if (wish.lengths == data.full_of && (wish.lengths.empty() || keys == data.full_keys)) return true;
  double full = wish.lengths.empty() ? 1 : 0;
  std::vector<double> lengths;
  for (const std::shared_ptr<KeyLengths>& of_head : wish.lengths)
    for (int64_t key = 0; key < keys; key += kKeysAtOnce) {
      lengths.resize(static_cast<size_t>(std::min(kKeysAtOnce, keys - key)));
      of_head->read(key, std::ssize(lengths), lengths.data());
      for (const double length : lengths)
        if (length > full) full = length;
      if (stop()) return false;
    }
  data.full = full > 0 ? full : 1;
  data.full_of = wish.lengths;
  data.full_keys = keys;
  return true;
}

// Drops rows of another sequence, layer or quantity, rows of heads that are not wanted, rows that
// are no longer computed, and rows more than a window's length away from the window, except
// wish.row.
void adopt(const LinesWish& wish, LineData& data) {
  const HeadRef& base = wish.base;
  if (data.record != base.record || data.layer != base.layer || data.rows != base.rows ||
      data.quantity != base.quantity) {
    // All rows are also dropped if the number of rows has changed: in self attention a row then has
    // another number of keys.
    const uint64_t rows_read = data.rows_read;
    data = {};
    data.rows_read = rows_read;
    data.record = base.record;
    data.layer = base.layer;
    data.rows = base.rows;
    data.quantity = base.quantity;
  }
  const int64_t window = wish.q_end - wish.q_begin;
  std::erase_if(data.row, [&](const auto& entry) {
    const auto [head, query] = entry.first;
    const bool far = query < wish.q_begin - window || query >= wish.q_end + window;
    return (far && query != wish.row) || !std::ranges::binary_search(wish.heads, head) ||
           !base.record->row_done(base.layer, head, query);
  });
}

void apply_filter(const LinesWish& wish, LineData& data) {
  const LineFilter filter = with_full(wish.filter, data.full);
  if (data.filter == filter) return;
  data.filter = filter;
  for (auto& [place, row] : data.row) {
    auto other = std::make_shared<LineRow>(*row);
    other->kept = keep_keys(filter, other->weights);
    row = std::move(other);
  }
}

bool read_column(const LinesWish& wish, const std::function<bool()>& stop, LineData& data) {
  const uint64_t version = wish.base.record->version();
  if (data.column_key != wish.column || data.column_version != version) data.column.clear();
  data.column_key = wish.column;
  data.column_version = version;
  for (size_t i = 0; i < wish.heads.size(); ++i) {
    const int64_t head = wish.heads[i];
    if (wish.column < 0 || data.column.contains(head)) continue;
    auto column = std::make_shared<std::vector<float>>(static_cast<size_t>(wish.base.rows));
    const int64_t rows = std::min(wish.base.rows, wish.base.record->num_rows());
    std::fill(column->begin(), column->end(), std::numeric_limits<float>::quiet_NaN());
    wish.base.record->weights(wish.base.layer, head, 0, rows, wish.column, 1, column->data());
    if (!wish.lengths.empty())
      times_lengths(*wish.lengths[i], rows, wish.column, 1, column->data());
    data.column[head] = std::move(column);
    if (stop()) return false;
  }
  return true;
}

}  // namespace

bool read_lines(const LinesWish& wish, const std::function<bool()>& stop, LineData& data) {
  if (!wish.base.record) {
    data = {};
    return true;
  }
  adopt(wish, data);
  if (!read_full(wish, stop, data)) return false;
  apply_filter(wish, data);
  const HeadRef& base = wish.base;
  const int64_t keys = base.columns();
  const auto read_row = [&](size_t i, int64_t query) {
    const int64_t head = wish.heads[i];
    if (data.row.contains({head, query}) || !base.record->row_done(base.layer, head, query)) return;
    auto row = std::make_shared<LineRow>();
    row->weights.resize(static_cast<size_t>(keys));
    ++data.rows_read;
    base.record->weights(base.layer, head, query, 1, 0, keys, row->weights.data());
    // The record may have dropped the row meanwhile.
    if (!base.record->row_done(base.layer, head, query)) return;
    for (const float weight : row->weights) row->read += static_cast<double>(weight);
    if (!wish.lengths.empty()) times_lengths(*wish.lengths[i], 1, 0, keys, row->weights.data());
    row->kept = keep_keys(data.filter, row->weights);
    data.row[{head, query}] = std::move(row);
  };
  for (size_t i = 0; i < wish.heads.size(); ++i)
    if (wish.row >= 0 && wish.row < base.rows) read_row(i, wish.row);
  for (int64_t query = wish.q_begin; query < wish.q_end; ++query)
    for (size_t i = 0; i < wish.heads.size(); ++i) {
      read_row(i, query);
      if (stop()) return false;
    }
  return read_column(wish, stop, data);
}

LineRows::LineRows(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);  // one slice at a time
}

LineRows::~LineRows() {
  quit_ = true;
  pool_.waitForDone();
}

void LineRows::want(const LinesWish& wish) {
  const bool same = wish == wish_;
  wish_ = wish;
  if (!wish.base.record) return;
  if (same && complete_ && read_version_ == wish.base.record->version()) return;
  complete_ = false;
  if (running_) {
    again_ = true;
  } else {
    start_slice();
  }
}

void LineRows::clear() {
  ++epoch_;
  wish_ = {};
  data_ = std::make_shared<LineData>();
  complete_ = again_ = false;
}

void LineRows::start_slice() {
  running_ = true;
  again_ = false;
  ++slices_;
  pool_.start([this, wish = wish_, known = data_, epoch = epoch_] {
    const auto deadline = std::chrono::steady_clock::now() + kSlice;
    const uint64_t version = wish.base.record->version();
    // A shallow copy: the rows themselves are shared.
    auto result = std::make_shared<LineData>(*known);
    const bool finished = read_lines(
        wish, [&] { return quit_ || std::chrono::steady_clock::now() >= deadline; }, *result);
    QMetaObject::invokeMethod(
        this,
        [this, result, finished, version, epoch] {
          running_ = false;
          if (epoch == epoch_) {
            data_ = result;
            complete_ = finished && !again_;
            read_version_ = version;
            if (!complete_) start_slice();
            emit arrived();
          } else if (wish_.base.record) {
            start_slice();
          }
        },
        Qt::QueuedConnection);
  });
}

bool LineRows::wait(std::chrono::milliseconds timeout) {
  QElapsedTimer timer;
  timer.start();
  while (running_ && timer.elapsed() < timeout.count()) {
    pool_.waitForDone(5);
    QCoreApplication::sendPostedEvents(this);
  }
  return !running_;
}

}  // namespace attn::gui

#include "moc_line_rows.cpp"
