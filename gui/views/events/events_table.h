// SPDX-License-Identifier: GPL-3.0-or-later
// EventsTable: a QTableView of the rows in sight, a scroll bar over all rows, and the keys. GUI
// thread.
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
  int rows_in_sight() const;  // number of rows that fit in whole

  // -1: no row is chosen, or the chosen event has no row now.
  int64_t current_row() const { return current_; }
  // Chooses this row and scrolls it into sight; -1: no row.
  void set_current_row(int64_t row);
  // Whether the newest event stays in sight. Scrolling away ends this. It has an effect only while
  // the table is in order of recording.
  bool follows() const { return follows_; }
  void set_follows(bool follows);
  void set_empty_words(const QString& title, const QString& sentence);
  // Marks this event in the table; -1: none.
  void set_marked_event(int64_t event);
  // To be called when the rows of EventRows have changed.
  void refresh();
  // To be called when the theme or the text size has changed.
  void restyle();
  const EventsLook& look() const { return look_; }
  const std::array<int, kEventColumns>& widths() const { return widths_; }

 signals:
  void opened(quint32 event);  // Enter or double-click
  void follows_changed(bool follows);
  void order_asked(attn::gui::EventOrder order);
  void find_asked();    // the user wants to see a row of what is selected
  void filter_asked();  // the user wants to type in the filter

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
  uint64_t last_first() const;  // the top row when the last row is in sight
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
  int64_t current_event_ = -1;  // the chosen event; its row may change
  int64_t marked_ = -1;
  bool follows_ = true;
  bool syncing_ = false;     // true while this class itself changes the selection or the scroll bar
  uint64_t generation_ = 0;  // EventRows::generation() at the last refresh
  // The columns are wide enough for numbers and times up to these.
  uint64_t wide_total_ = 0, wide_end_ns_ = 0;
  std::array<int, kEventColumns> widths_{};
  int wheel_ = 0;  // eighths of a degree not yet scrolled
};

}  // namespace attn::gui
