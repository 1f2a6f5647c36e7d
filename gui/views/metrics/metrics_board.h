// SPDX-License-Identifier: GPL-3.0-or-later
// What the view Metrics shows besides its charts: their places, their headings with the numbers of
// one step, the lines across them, and the whole as a picture. GUI thread, to which Qt's charts
// belong.
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>

#include "gui/views/metrics/metrics_charts.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// Where the charts lie on a board of this width; the board is at least `height` high.
struct MetricsGrid {
  MetricsGrid(double width, double height, const PictureLook& look);
  QRectF cell(ChartKind kind) const;   // heading and chart
  QRectF chart(ChartKind kind) const;  // without the heading
  double height() const { return rows_ * cell_height_; }

 private:
  int columns_, rows_;
  double cell_width_, cell_height_, heading_, gap_;
};

struct MetricsBoard {
  const MetricsModel& model;
  const MetricsCharts& charts;
  MetricsGrid grid;
  MetricsRange range;
  size_t index = 0;                // index of the step whose numbers are shown
  bool line = false;               // true: a line marks this step
  std::optional<uint32_t> cursor;  // step of the time cursor
  PictureLook look = PictureLook::read();

  // Draws over a chart: its heading and, on a chart over the run, the lines of the step and of the
  // cursor.
  void overlay(QPainter& painter, ChartKind kind) const;

 private:
  void heading(QPainter& painter, ChartKind kind) const;
  void lanes(QPainter& painter) const;
  void line_at(QPainter& painter, ChartKind kind, size_t at, const QPen& pen) const;
};

// The step whose numbers are shown while the pointer is at no step: that of the time cursor, else
// the newest. Index into the model.
size_t told_index(const MetricsModel& model, std::optional<uint32_t> cursor);
// Draws all charts in `bounds`, under a title, with the numbers of the step of told_index().
void paint_metrics(QPainter& painter, const QRectF& bounds, const MetricsModel& model,
                   const MetricsRange& range, std::optional<uint32_t> cursor);
QSize metrics_picture_size();

}  // namespace attn::gui
