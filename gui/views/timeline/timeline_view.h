// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineView: what ran when. A header, the canvas, and around it the search, the sums of the
// selected range and the map of the whole run. GUI thread.
#pragma once

#include <QAction>
#include <QGridLayout>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/timeline/minimap/minimap.h"
#include "gui/views/timeline/range/range_panel.h"
#include "gui/views/timeline/search/search_bar.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class TimelineView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null: data then comes by show_run().
  explicit TimelineView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("timeline"); }
  // While a range is shown, the table has its sums; otherwise the events.
  QString table_name() const override;
  QString title() const override { return tr("Timeline"); }
  std::vector<KeyHelp> key_help() const override;
  std::vector<ViewCommand> commands() override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  QSize export_size() const override;
  QSize export_size_for(double width) const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void reveal_selection() override { canvas_->reveal_selection(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  bool has_own_table() const override { return false; }
  Tour tour() const override;

  // Room for the header, if it is in the view, and for the smallest canvas; none for map and sums.
  QSize minimumSizeHint() const override;

  TimelineCanvas& canvas() { return *canvas_; }
  SearchBar& search_bar() { return *search_bar_; }
  RangePanel& range_panel() { return *sums_; }
  Minimap& minimap() { return *minimap_; }
  // Shows data without an engine. The events are added to those that the view keeps.
  void show_run(std::shared_ptr<const EngineSnapshot> snapshot,
                const std::vector<TraceEvent>& more_events);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void make_actions();
  void make_search();
  void show_cursor();
  void arrange_header();
  void arrange_body();
  int header_height() const;
  void show_search_state();
  void copy_sums();
  const std::vector<TraceEvent>& all_events() const;
  std::optional<RangeSums> sums_now() const;  // the sums of the shown range

  bool has_bridge_;
  std::vector<TraceEvent> own_events_;
  PanelHeader* header_;
  QWidget* legend_;
  QToolButton* live_;
  QToolButton* fit_;
  QWidget* body_;
  QGridLayout* grid_;
  SearchBar* search_bar_;
  TimelineCanvas* canvas_;
  RangePanel* sums_;
  Minimap* minimap_;
  bool folds_sums_ = false;  // true: the user has folded the sums
  QAction *find_, *begin_range_, *end_range_, *zoom_range_, *copy_range_, *clear_range_;
  std::optional<uint64_t> menu_time_;  // under the mouse when the menu was opened; nullopt: none
};

ViewEntry timeline_entry();

}  // namespace attn::gui
