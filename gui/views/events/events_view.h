// SPDX-License-Identifier: GPL-3.0-or-later
// The events view: a header with the number of events, a line for the filter, and a table of the
// recorded events. GUI thread.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/events/events_table.h"
#include "gui/views/events/kind_menu.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class EventsView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null; show_recorder() then sets the events.
  explicit EventsView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("events"); }
  QString title() const override { return tr("Events"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  std::optional<LeftOut> left_out_of_table() const override;
  void fit() override;
  void zoom(double) override {}
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  Tour tour() const override;
  void choose(const ViewChoices& choices) override;

  EventsTable& events() { return *table_; }
  EventRows& rows() { return *rows_; }
  QLineEdit& filter_line() { return *line_; }
  KindMenu& kinds() { return *kinds_; }
  QToolButton& only_button() { return *only_; }
  QString notice() const { return notice_->text(); }
  QString count_words() const;
  // Returns what is wrong with the text; empty: nothing.
  QString set_filter(const QString& text);
  void show_recorder(std::shared_ptr<const Recorder> recorder, uint64_t total);
  // Selects the event or its block, and moves the time cursor to its step, else to its time.
  void jump_to(uint32_t event);
  // Goes to the row of the selected event; if none is selected, to the next row of what is selected
  // or, without a selection, of the shown request.
  void show_selected();
  void reveal_selection() override { show_selected(); }
  ViewPoint point_at(const QPoint& position) override;
  std::optional<QPoint> place_of_selection() override;
  std::optional<QRect> row_of_selection() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build_header();
  QWidget* build_content();
  void follow_engine(EngineBridge& bridge);
  void show_moment_of_cursor();
  void take_filter();
  void show_rows();
  void show_state();
  void say(const QString& sentence, bool wrong);
  void propose_end(const QString& edited);
  void selection_changed();
  SelectionState state_of(const TraceEvent& event, uint32_t index) const;
  SelectedEvents selected_events() const;
  int64_t selected_event() const;
  void restyle();
  QString typed() const;
  bool has_proposal() const;
  EventFilter::Named names_in_run() const;
  QString filter_words() const;
  QString clock_words() const;
  QString step_words() const;
  EventsSheet sheet() const;

  bool has_bridge_;
  bool wrong_ = false;     // true: the notice is about a mistake in the filter
  bool proposed_ = false;  // true: propose_end() has proposed an end of the line
  QString edited_;         // the line when it was edited last
  bool jumping_ = false;   // true while jump_to() moves the time cursor and selects
  EventRows* rows_;
  PanelHeader* header_;
  QLineEdit* line_;
  QToolButton *kinds_button_, *only_, *show_, *follow_;
  KindMenu* kinds_;
  QLabel* notice_;
  EventsTable* table_;
  QTimer typing_, soon_;
  TimeCursor* cursor_;
};

ViewEntry events_entry();

}  // namespace attn::gui
