// SPDX-License-Identifier: GPL-3.0-or-later
// Paints what the view Metrics shows over its charts (headings, names and numbers of lanes, lines
// across), and the whole as a picture. GUI thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <optional>

#include "gui/views/metrics/metrics_charts.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

// The places of the charts on a board. Cells grow with `height` but have a least height.
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
  size_t index = 0;                // step whose numbers are shown
  bool line = false;               // marks this step
  std::optional<uint32_t> cursor;  // step of the time cursor
  PictureLook look = PictureLook::read();

  void overlay(QPainter& painter, ChartKind kind) const;

 private:
  void heading(QPainter& painter, ChartKind kind) const;
  void lanes(QPainter& painter) const;
  void line_at(QPainter& painter, ChartKind kind, size_t at, const QPen& pen) const;
};

// Index into the model: the step nearest to the time cursor, or else the newest.
size_t told_index(const MetricsModel& model, std::optional<uint32_t> cursor);
void paint_metrics(QPainter& painter, const QRectF& bounds, const MetricsModel& model,
                   const MetricsRange& range, std::optional<uint32_t> cursor);
QSize metrics_picture_size();

}  // namespace attn::gui
