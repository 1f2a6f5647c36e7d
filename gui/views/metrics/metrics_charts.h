// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsCharts: the charts as scenes of Qt Charts, which are drawn but shown in no window. The
// curves over the run are drawn by this class itself. GUI thread.
#pragma once

#include <QPainter>
#include <array>
#include <memory>

#include "gui/views/metrics/metrics_figures.h"

namespace attn::gui {

inline constexpr int kMaxBins = 24;  // there may be one more

// The steps that charts over the run show, as indices into the model.
struct MetricsRange {
  size_t first = 0, last = 0;
  bool by_time = false;
  bool grows = false;  // leaves room for more steps
  bool operator==(const MetricsRange&) const = default;
};

// The horizontal axis of a range. The place of a step on it is its number, or its end in ns divided
// by unit.ns.
struct RunAxis {
  double begin = 0, end = 1;
  TimeUnit unit;  // the unit of a time axis
};
RunAxis run_axis(const MetricsModel& model, const MetricsRange& range);
double axis_value(const MetricsModel& model, const RunAxis& axis, const MetricsRange& range,
                  size_t index);

class MetricsCharts {
 public:
  MetricsCharts();
  ~MetricsCharts();
  MetricsCharts(const MetricsCharts&) = delete;
  MetricsCharts& operator=(const MetricsCharts&) = delete;

  // The size of each chart without its heading, in logical pixels.
  void set_size(const QSizeF& size);
  void restyle();
  // Gives a chart its numbers. Curves over the run get those of the range, thinned out by pixel
  // columns.
  void fill(ChartKind kind, const MetricsModel& model, const MetricsRange& range);
  void draw(ChartKind kind, QPainter& painter);
  // The two parts of draw(). What draw_frame() draws stays the same while frame_version() does.
  void draw_frame(ChartKind kind, QPainter& painter);
  uint64_t frame_version(ChartKind kind) const;
  void draw_curves(ChartKind kind, QPainter& painter) const;
  // The area between the axes, relative to the chart.
  QRectF plot() const { return plot_; }
  // The limits of the horizontal axis that the last fill() set, in the unit of the axis.
  std::pair<double, double> x_limits(ChartKind kind) const;
  // The points of a curve over the run, or of a line of a waiting time, in axis units; for tests.
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
