// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsCharts: the charts themselves. Qt Charts draws the axes and the waiting times; the curves
// over the run are drawn by our own code. One scene per chart, all of one size, so that their plots
// line up. They are in no window; the canvas and the exports draw them. Making them takes some
// milliseconds, so it is done when they are first seen. GUI thread.
#pragma once

#include <QPainter>
#include <array>
#include <memory>

#include "gui/views/metrics/metrics_figures.h"

namespace attn::gui {

inline constexpr int kMaxBins = 24;  // bins of a chart of waiting times; it has at most one more

// The steps that charts over the run show, as indices into the model, and what their axis counts.
struct MetricsRange {
  size_t first = 0, last = 0;
  bool by_time = false;
  bool grows = false;  // more steps are to come: a little room is left for them
  bool operator==(const MetricsRange&) const = default;
};

// The horizontal axis of a range: what is drawn = (step number or end of step in ns) / unit.
struct RunAxis {
  double begin = 0, end = 1;
  TimeUnit unit;  // unit of a time axis; {1, ""} for steps
};
RunAxis run_axis(const MetricsModel& model, const MetricsRange& range);
// The place of the step with this index on the horizontal axis.
double axis_value(const MetricsModel& model, const RunAxis& axis, const MetricsRange& range,
                  size_t index);

class MetricsCharts {
 public:
  MetricsCharts();
  ~MetricsCharts();
  MetricsCharts(const MetricsCharts&) = delete;
  MetricsCharts& operator=(const MetricsCharts&) = delete;

  // Sets the size of every chart, without its heading, logical pixels.
  void set_size(const QSizeF& size);
  // Takes the colours and fonts of the theme as they are now.
  void restyle();
  // Puts the numbers into a chart. A curve over the run keeps the lowest and the highest value of
  // each pixel column.
  void fill(ChartKind kind, const MetricsModel& model, const MetricsRange& range);
  // Draws the chart with its top left corner at (0, 0).
  void draw(ChartKind kind, QPainter& painter);
  // draw() in two parts. draw_frame(): what Qt draws, which changes when frame_version() does and
  // takes a millisecond or more. draw_curves(): the curves over the run, which change with every
  // step.
  void draw_frame(ChartKind kind, QPainter& painter);
  uint64_t frame_version(ChartKind kind) const;
  void draw_curves(ChartKind kind, QPainter& painter) const;
  // The area between the axes, from the top left corner of a chart.
  QRectF plot() const { return plot_; }
  // The limits of the horizontal axis that the last fill() set, in the axis's unit.
  std::pair<double, double> x_limits(ChartKind kind) const;
  // What one series holds now, in axis units; for tests.
  std::vector<MetricsPoint> points(ChartKind kind, int series) const;

 private:
  struct Panel;
  Panel& panel(ChartKind kind) const { return *panels_[static_cast<size_t>(kind)]; }
  void fill_rate(Panel& panel, StepValue value, const MetricsModel& model,
                 const MetricsRange& range);
  void fill_requests(Panel& panel, const MetricsModel& model, const MetricsRange& range);
  void fill_blocks(Panel& panel, const MetricsModel& model, const MetricsRange& range);
  void fill_hits(Panel& panel, const MetricsModel& model, const MetricsRange& range);
  void fill_moves(Panel& panel, const MetricsModel& model, const MetricsRange& range);
  void fill_waiting(Panel& panel, const Distribution& distribution, const QString& name,
                    bool modelled);
  RunAxis set_run_axis(Panel& panel, const MetricsModel& model, const MetricsRange& range);
  std::vector<MetricsPoint> over_run(const MetricsModel& model, const MetricsRange& range,
                                     const RunAxis& axis, const std::vector<double>& y) const;

  std::array<std::unique_ptr<Panel>, kCharts> panels_;
  QSizeF size_;
  QRectF plot_;
};

}  // namespace attn::gui
