// SPDX-License-Identifier: GPL-3.0-or-later
// What the view Metrics shows beside its charts: where they lie, their headings with the numbers of
// one step, the lines across them, and the whole as a picture. GUI thread, to which Qt's charts
// belong.
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>

#include "gui/views/metrics/metrics_charts.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// Where the charts lie on a board of a width; at least `height` high.
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
  size_t index = 0;                // of the step whose numbers are told
  bool line = false;               // and marked
  std::optional<uint32_t> cursor;  // step
  PictureLook look = PictureLook::read();

  // Over the chart: its heading, and where it is one over the run the lines of step and cursor.
  void overlay(QPainter& painter, ChartKind kind) const;

 private:
  void heading(QPainter& painter, ChartKind kind) const;
  void lanes(QPainter& painter) const;
  void line_at(QPainter& painter, ChartKind kind, size_t at, const QPen& pen) const;
};

// The step whose numbers are shown while the pointer is at no step: that of the time cursor, else
// the newest. Index into the model.
size_t told_index(const MetricsModel& model, std::optional<uint32_t> cursor);
// All charts under a title, in `bounds`, with the numbers of that step.
void paint_metrics(QPainter& painter, const QRectF& bounds, const MetricsModel& model,
                   const MetricsRange& range, std::optional<uint32_t> cursor);
QSize metrics_picture_size();

}  // namespace attn::gui
