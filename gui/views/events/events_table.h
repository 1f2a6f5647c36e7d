// SPDX-License-Identifier: GPL-3.0-or-later
// EventsTable: the rows of EventRows on the screen: a QTableView on the rows in sight, a scroll bar
// over all of them, the keys. GUI thread.
#pragma once

#include <QScrollBar>
#include <QTableView>
#include <QWidget>

#include "gui/views/events/events_model.h"
#include "gui/views/events/events_painter.h"
#include "gui/views/events/screen_text.h"

namespace attn::gui {

class EventsTable : public QWidget {
  Q_OBJECT
 public:
  EventsTable(EventRows& rows, QWidget* parent = nullptr);

  EventsModel& model() { return *model_; }
  const EventsModel& model() const { return *model_; }
  QTableView& view() { return *view_; }
  QScrollBar& bar() { return *bar_; }
  uint64_t first_row() const { return model_->first(); }
  int rows_in_sight() const;  // whole ones

  // The row that has the keys; -1: none. Comes into sight.
  int64_t current_row() const { return current_; }
  void set_current_row(int64_t row);
  // The newest event stays in sight as long as nobody scrolls away from it. Only where the table is
  // in order of recording.
  bool follows() const { return follows_; }
  void set_follows(bool follows);
  // The words where there is no row.
  void set_empty_words(const QString& title, const QString& sentence);
  // The event that is selected in the other views is marked; -1: none.
  void set_marked_event(int64_t event);
  // The rows of EventRows are other ones.
  void refresh();
  // Theme or text size have changed.
  void restyle();
  const EventsLook& look() const { return look_; }
  std::array<int, kEventColumns> widths() const {
    return column_widths(look_, wide_total_, wide_end_ns_);
  }

 signals:
  void opened(quint32 event);  // Enter or double-click
  void follows_changed(bool follows);
  void order_asked(attn::gui::EventOrder order);
  void find_asked();    // the row of what is selected
  void filter_asked();  // the line of the filter wants the keys

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Delegate;
  class Heading;
  bool take_key(const QKeyEvent& event);
  void go_to(int64_t row);
  void scroll_to(uint64_t first, bool by_user);
  void arrange();
  void widen();
  void show_current();
  uint64_t last_first() const;  // the first row when the last one is in sight
  bool may_follow() const { return rows_.order().column == EventColumn::kNumber; }
  void sort_by(int section);

  EventRows& rows_;
  EventsModel* model_;
  QTableView* view_;
  QScrollBar* bar_;
  EventsLook look_;
  ScreenText texts_;
  QString empty_title_, empty_sentence_;
  int64_t current_ = -1;
  int64_t current_event_ = -1;  // stays the same when rows come before it
  int64_t marked_ = -1;
  bool follows_ = true;
  bool syncing_ = false;     // changes of selection and scroll bar are our own
  uint64_t generation_ = 0;  // of the rows that are shown
  // Numbers and times that the columns are wide enough for.
  uint64_t wide_total_ = 0, wide_end_ns_ = 0;
  int wheel_ = 0;  // eighths of a degree not yet scrolled
};

}  // namespace attn::gui
