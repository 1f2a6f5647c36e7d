// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics view: what the run did over its steps and how long its requests waited. GUI thread.
#pragma once

#include <QComboBox>
#include <QScrollArea>
#include <QToolButton>

#include "gui/theme/panel_header.h"
#include "gui/views/metrics/metrics_canvas.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class MetricsView : public View {
  Q_OBJECT
 public:
  // context.bridge may be null: then data comes by show_snapshot() only.
  explicit MetricsView(const ViewContext& context, QWidget* parent = nullptr);

  QString export_name() const override { return QStringLiteral("metrics"); }
  QString title() const override { return tr("Metrics"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override { return canvas_->full_size(); }
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override { canvas_->fit(); }
  void zoom(double factor) override { canvas_->zoom(factor); }
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  std::vector<double> place() const override { return canvas_->place(); }
  void go_to_place(const std::vector<double>& place) override { canvas_->go_to_place(place); }
  Tour tour() const override;

  MetricsCanvas& canvas() { return *canvas_; }
  void show_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  // The time cursor: a line at this step on every chart over the run.
  void set_cursor(std::optional<uint32_t> step) { canvas_->set_cursor(step); }

 signals:
  void step_chosen(uint32_t step);  // a chart was clicked there
  void cursor_cleared();            // a click beside the plots

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange_header();

  PanelHeader* header_;
  QComboBox* axis_;
  QToolButton* fit_;
  QScrollArea* scroll_;
  MetricsCanvas* canvas_;
};

ViewEntry metrics_entry();

}  // namespace attn::gui
