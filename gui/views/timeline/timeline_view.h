// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline: what ran when. Header with a summary, legend and the Live switch above the canvas.
// GUI thread.
#pragma once

#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/timeline/timeline_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class TimelineView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null: then data comes by show_run() only.
  explicit TimelineView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("timeline"); }
  QString title() const override { return tr("Timeline"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  QSize export_size() const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  bool has_own_table() const override { return false; }

  TimelineCanvas& canvas() { return *canvas_; }
  // Shows data without an engine; the events are added to those that the view keeps.
  void show_run(std::shared_ptr<const EngineSnapshot> snapshot,
                const std::vector<TraceEvent>& more_events);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_cursor();
  void arrange_header();

  bool has_bridge_;
  std::vector<TraceEvent> own_events_;
  PanelHeader* header_;
  QWidget* legend_;
  QToolButton* live_;
  QToolButton* fit_;
  TimelineCanvas* canvas_;
};

ViewEntry timeline_entry();

}  // namespace attn::gui
