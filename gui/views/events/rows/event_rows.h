// SPDX-License-Identifier: GPL-3.0-or-later
// EventRows: which event is in which row of the table, live. Long filtering and sorting run on
// another thread, and the old rows stay until that ends. GUI thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/recorder.h"
#include "gui/views/events/rows/event_filter.h"
#include "gui/views/events/rows/event_order.h"

namespace attn::gui {

// A copy may be read on any thread.
struct EventRowsPicture {
  std::shared_ptr<const Recorder> recorder;
  uint64_t total = 0;  // the rows are chosen from the first `total` events
  bool all = true;     // true: each event has a row; false: see `list`
  bool reversed = false;
  ChunkList<uint32_t> list;  // events of the rows, before `reversed` is applied
  StepTimes steps;
  std::vector<std::string> messages;  // Recorder::messages()

  uint64_t size() const { return all ? total : list.size(); }
  uint32_t event_at(uint64_t row) const {
    const uint64_t at = reversed ? size() - 1 - row : row;
    return all ? static_cast<uint32_t>(at) : list[at];
  }
};

class EventRows : public QObject {
  Q_OBJECT
 public:
  enum class Work { kNone, kFiltering, kSorting };

  explicit EventRows(QObject* parent = nullptr);
  ~EventRows() override;

  // Takes another run. The filter and the order stay.
  void start(std::shared_ptr<const Recorder> recorder);
  // Tells that events [0, total) have been recorded.
  void append(uint64_t total);
  void show_first(uint64_t most);
  void set_filter(EventFilter filter);
  void set_order(EventOrder order);
  const EventOrder& order() const { return order_; }

  const EventRowsPicture& now() const { return shown_; }
  uint64_t size() const { return shown_.size(); }
  uint64_t total() const { return shown_.total; }
  // Needs size() <= UINT32_MAX and row < size().
  uint32_t event_at(uint64_t row) const { return shown_.event_at(row); }
  std::optional<uint64_t> row_of(uint32_t event) const;
  TraceEvent event_of(uint32_t index) const;
  int64_t step_at(const TraceEvent& event, uint32_t index) const {
    return shown_.steps.step_at(event, index, near_).step;
  }
  // Looks for the next row after `row` with an event of `wanted`, from the top again after the last
  // row. Then emits found(), if nothing has cancelled the search.
  void find(SelectedEvents wanted, uint64_t row);

  // Grows when a new run, filter or order takes effect and when show_first() takes events away, not
  // when events are added.
  uint64_t generation() const { return generation_; }
  // True while the rows are not yet those of the newest filter and order.
  bool pending() const { return stale_; }
  // Whether the rows are up to date and no event is left to filter.
  bool complete() const { return !stale_ && (shown_.all || done_ == shown_.total); }
  Work work() const;
  double fraction() const;  // [0, 1] of work()

 signals:
  void changed();            // size() or the rows may have changed
  void progressed();         // pending(), work() or fraction() may have changed
  void found(qint64 event);  // -1: no row has such an event

 private:
  struct Job;

  void restart();
  void cut(uint64_t total);
  void extend();
  size_t first_row_from(uint64_t event) const;
  void go_on();
  void add_here();
  void launch(std::shared_ptr<Job> job);
  void finish(const std::shared_ptr<Job>& job);
  void look_again_at_uncertain();
  bool in_order_of_recording() const { return order_.column == EventColumn::kNumber; }

  EventFilter filter_;
  EventOrder order_;
  EventRowsPicture shown_;
  // Sort keys of shown_.list; null: the list is in order of recording.
  std::shared_ptr<const EventKeys> keys_;
  uint64_t done_ = 0;           // number of events that shown_.list covers
  uint64_t recorded_ = 0;       // number of events that shown_.steps has taken
  uint64_t most_ = UINT64_MAX;  // only the first most_ events are shown
  // The first event whose match may change when a step ends, and the number of ended steps at the
  // last comparison with the filter.
  uint64_t uncertain_from_ = UINT64_MAX;
  size_t ended_seen_ = 0;
  bool cut_ = false;    // true: rows at the end were taken away to be looked at again
  bool stale_ = false;  // true: shown_ does not match filter_ and order_ yet
  uint64_t generation_ = 1;
  std::vector<TraceEvent> buffer_;
  mutable std::vector<TraceEvent> one_;
  mutable size_t near_ = 0;
  std::shared_ptr<Job> job_, find_;
  QTimer beat_;
  QTimer merge_wait_;  // wait before new events go into a sorted table
  QThreadPool pool_;   // last member, so destroyed first: it waits for its work
};

}  // namespace attn::gui
