// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_charts.h"

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPaintEngine>
#include <QPixmap>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/metrics/dense_curve.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kRug = 0.12;           // room for ticks of requests below 0 / axis end
constexpr double kHeadroom = 1.04;      // axis end / last tick
constexpr double kLaneFill = 0.6;       // height of a lane's largest value / height of the lane
constexpr double kThousandsFrom = 1e5;  // from here on the axis counts thousands

QBrush fill_of(const SeriesLook& look, bool modelled) {
  const Theme& theme = Theme::instance();
  if (look.mark == Mark::kHollow) return Qt::NoBrush;
  const QColor color =
      mix(theme.colors().surface, look.color, look.mark == Mark::kLightFill ? 0.2 : 0.45);
  return modelled ? theme.modelled_brush(color) : QBrush(color);
}

QPen pen_of(const SeriesLook& look) {
  QPen pen(look.color, Theme::instance().line(look.mark == Mark::kHollow ? 1 : 1.5));
  if (look.mark == Mark::kDashed) pen.setDashPattern({4, 3});
  if (look.mark == Mark::kDotted) pen.setDashPattern({1, 2});
  return pen;
}

// Keeps the highest value of each pixel column, which is enough for a filled area.
std::vector<MetricsPoint> crest(const std::vector<MetricsPoint>& points, double x_per_pixel) {
  std::vector<MetricsPoint> result;
  double column_end = -std::numeric_limits<double>::infinity();
  for (const MetricsPoint& point : points) {
    if (point.x < column_end) {
      result.back().y = std::max(result.back().y, point.y);
      continue;
    }
    result.push_back(point);
    column_end = point.x + x_per_pixel;
  }
  return result;
}

void style_axis(QAbstractAxis& axis) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const QFont small = theme.font(TextRole::kSmall);
  axis.setLabelsFont(small);
  axis.setTitleFont(small);
  axis.setLabelsBrush(colors.muted);
  axis.setTitleBrush(colors.muted);
  axis.setGridLinePen(QPen(mix(colors.surface, colors.line, 0.6), 1));
  axis.setLinePen(QPen(colors.line, 1));
}

// A larger interval is set before the range and a smaller one after it. Otherwise Qt would lay out
// very many ticks in between.
void set_axis(QValueAxis& axis, double low, double high, double interval) {
  if (interval > axis.tickInterval()) axis.setTickInterval(interval);
  axis.setRange(low, high);
  axis.setTickInterval(interval);
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(interval) - 1e-9)), 0, 9);
  const QString format = QStringLiteral("%.%1f").arg(decimals);
  if (axis.labelFormat() != format) axis.setLabelFormat(format);
}

}  // namespace

namespace {

// While a run goes on, its axis grows in steps of at least a fiftieth, because each change lays out
// all labels again.
double round_end(double begin, double end, bool grows) {
  const double grain = nice_step((end - begin) / 50);
  return grows && end > begin ? begin + std::ceil((end - begin) / grain) * grain : end;
}

}  // namespace

RunAxis run_axis(const MetricsModel& model, const MetricsRange& range) {
  if (range.last >= model.size()) return {};
  if (!range.by_time)
    return {model.step_numbers()[range.first] - 0.5,
            round_end(model.step_numbers()[range.first], model.step_numbers()[range.last],
                      range.grows) +
                0.5,
            {}};
  const double begin = static_cast<double>(model.record(range.first).begin_ns);
  const double end =
      round_end(begin, std::max(model.ends_ns()[range.last], begin + 1), range.grows);
  const TimeUnit unit = time_unit(end);
  return {begin / unit.ns, end / unit.ns, unit};
}

double axis_value(const MetricsModel& model, const RunAxis& axis, const MetricsRange& range,
                  size_t index) {
  return range.by_time ? model.ends_ns()[index] / axis.unit.ns : model.step_numbers()[index];
}

// A curve over the run. draw_curves() draws it, because Qt strokes a series of many points too
// slowly.
struct Curve {
  SeriesLook look;
  std::vector<MetricsPoint> points = {};
  bool shown = true;

  bool is_filled() const { return look.mark == Mark::kFill || look.mark == Mark::kLightFill; }
};

struct MetricsCharts::Panel {
  ChartKind kind;
  QGraphicsScene scene;
  QChart* chart = new QChart;  // belongs to `scene`
  QValueAxis* x = new QValueAxis;
  QValueAxis* y = nullptr;
  QCategoryAxis* lanes = nullptr;   // the vertical axis instead of y
  std::vector<Curve> curves;        // curves over the run
  QAreaSeries* bins = nullptr;      // bins of a waiting time
  std::vector<QLineSeries*> lines;  // outline of bins, ticks, percentiles
  bool is_hatched = false;
  uint64_t version = 1;

  explicit Panel(ChartKind what) : kind(what) {
    scene.setItemIndexMethod(QGraphicsScene::NoIndex);
    scene.addItem(chart);
    chart->setMinimumSize(1, 1);
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundRoundness(0);
    chart->setBackgroundVisible(false);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->setLocalizeNumbers(true);
    chart->legend()->hide();
    x->setTickInterval(1);
    x->setTickType(QValueAxis::TicksDynamic);
    // Styled before the chart gets the axis, because later changes lay out the labels again.
    style_axis(*x);
    if (is_over_run(what)) x->setTitleText(tr("step"));
    x->setLabelFormat(QStringLiteral("%.0f"));
    chart->addAxis(x, Qt::AlignBottom);
    if (what == ChartKind::kMoves) {
      lanes = new QCategoryAxis;
      lanes->setRange(0, kMoveLaneCount);
      for (int lane = 0; lane < kMoveLaneCount; ++lane)
        lanes->append(name_of(kMoveLanes[kMoveLaneCount - 1 - lane]), lane + 1);
      style_axis(*lanes);
      lanes->setLabelsVisible(
          false);  // the board writes the names, because Qt would shorten them in a low chart
      chart->addAxis(lanes, Qt::AlignLeft);
    } else {
      y = new QValueAxis;
      y->setTickInterval(1);
      y->setTickType(QValueAxis::TicksDynamic);
      y->setLabelFormat(QStringLiteral("%.0f"));
      y->setTitleText(y_title_of(what));
      style_axis(*y);
      chart->addAxis(y, Qt::AlignLeft);
      watch(y);
    }
    watch(x);
  }

  void watch(QValueAxis* axis) {
    const auto changed = [this] { ++version; };
    QObject::connect(axis, &QValueAxis::rangeChanged, &scene, changed);
    QObject::connect(axis, &QValueAxis::tickIntervalChanged, &scene, changed);
    QObject::connect(axis, &QValueAxis::labelFormatChanged, &scene, changed);
    QObject::connect(axis, &QAbstractAxis::titleTextChanged, &scene, changed);
  }

  QAbstractAxis* vertical() const { return lanes ? static_cast<QAbstractAxis*>(lanes) : y; }

  void attach(QAbstractSeries* series) {
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(vertical());
  }
  void build();
  std::vector<SeriesLook> current_looks() const;  // the looks of the curves or lines
  void restyle_series(bool modelled);
};

void MetricsCharts::Panel::build() {
  if (is_over_run(kind)) {
    attach(new QLineSeries);  // gives the axes a series
    for (const SeriesLook& look : current_looks()) curves.push_back({look});
    return;
  }
  bins = new QAreaSeries(new QLineSeries, new QLineSeries);
  bins->upperSeries()->setParent(bins);
  bins->lowerSeries()->setParent(bins);
  bins->setPen(Qt::NoPen);
  attach(bins);
  for (size_t i = 0; i < 2 + std::size(kPercentiles); ++i) {
    lines.push_back(new QLineSeries);
    attach(lines.back());
  }
}

std::vector<SeriesLook> MetricsCharts::Panel::current_looks() const {
  const auto of = [](std::initializer_list<StepValue> values) {
    std::vector<SeriesLook> result;
    for (const StepValue value : values) result.push_back(look_of(value));
    return result;
  };
  switch (kind) {
    case ChartKind::kPrefillRate:
      return of({StepValue::kPrefillRate});
    case ChartKind::kDecodeRate:
      return of({StepValue::kDecodeRate});
    case ChartKind::kRequests:
      return of({StepValue::kWaiting, StepValue::kRunning, StepValue::kSwapped});
    case ChartKind::kBlocks:
      return of({StepValue::kFree, StepValue::kCached, StepValue::kUsed, StepValue::kSwapUsed});
    case ChartKind::kHitRate:
      return of({StepValue::kHitSoFar, StepValue::kHitStep});
    case ChartKind::kMoves: {
      std::vector<SeriesLook> result;
      for (const StepValue value : kMoveLanes) result.push_back(look_of(value));
      return result;
    }
    default: {
      auto result =
          of({kind == ChartKind::kTtft ? StepValue::kPrefillRate : StepValue::kDecodeRate});
      const QColor text = Theme::instance().colors().text;
      result.push_back({text, Mark::kLine});
      for (const PercentileMark& mark : kPercentiles) result.push_back({text, mark.mark});
      return result;
    }
  }
}

void MetricsCharts::Panel::restyle_series(bool modelled) {
  is_hatched = modelled && shows_time(kind);
  const std::vector<SeriesLook> looks = current_looks();
  for (size_t i = 0; i < curves.size(); ++i) curves[i].look = looks[i];
  for (size_t i = 0; i < lines.size(); ++i) lines[i]->setPen(pen_of(looks[i]));
  if (bins) bins->setBrush(fill_of(looks.front(), is_hatched));
}

MetricsCharts::MetricsCharts() {
  for (int i = 0; i < kCharts; ++i) {
    auto& made = panels_[static_cast<size_t>(i)];
    made = std::make_unique<Panel>(static_cast<ChartKind>(i));
    made->build();
    made->restyle_series(false);
  }
}

MetricsCharts::~MetricsCharts() = default;

void MetricsCharts::set_size(const QSizeF& size) {
  if (size == size_) return;
  size_ = size;
  const Theme& theme = Theme::instance();
  const double left = theme.px(68), right = theme.px(14), top = theme.px(10), bottom = theme.px(40);
  plot_ = QRectF(left, top, std::max(10.0, size.width() - left - right),
                 std::max(10.0, size.height() - top - bottom));
  for (const auto& one : panels_) {
    one->scene.setSceneRect(QRectF(QPointF(0, 0), size));
    one->chart->setGeometry(QRectF(QPointF(0, 0), size));
    one->chart->setPlotArea(plot_);
    // setGeometry() laid out the axes by the old plot area, and setPlotArea() does not lay them out
    // again.
    one->chart->layout()->invalidate();
    ++one->version;
  }
}

void MetricsCharts::restyle() {
  for (const auto& one : panels_) {
    style_axis(*one->x);
    style_axis(*one->vertical());
    one->restyle_series(one->is_hatched);
    ++one->version;
  }
  const QSizeF size = std::exchange(size_, QSizeF());
  if (!size.isEmpty()) set_size(size);
}

RunAxis MetricsCharts::set_run_axis(Panel& panel, const MetricsModel& model,
                                    const MetricsRange& range) {
  const RunAxis axis = run_axis(model, range);
  const int most = std::max(2, static_cast<int>(plot_.width()) / Theme::instance().px(56));
  double interval = nice_step((axis.end - axis.begin) / most);
  // A single label gives no scale.
  if (std::floor(axis.end / interval) - std::ceil(axis.begin / interval) < 1)
    interval = nice_step(interval * 0.4);
  if (!range.by_time) interval = std::max(1.0, interval);
  set_axis(*panel.x, axis.begin, axis.end, interval);
  panel.x->setTitleText(
      range.by_time
          ? (model.modelled() ? tr("modelled time, %1") : tr("time, %1")).arg(axis.unit.name)
          : tr("step"));
  return axis;
}

std::vector<MetricsPoint> MetricsCharts::over_run(const MetricsModel& model,
                                                  const MetricsRange& range, const RunAxis& axis,
                                                  const std::vector<double>& y) const {
  const std::vector<double>& x = range.by_time ? model.ends_ns() : model.step_numbers();
  std::vector<MetricsPoint> points =
      decimate(x, y, axis.begin * axis.unit.ns, axis.end * axis.unit.ns,
               std::max(1, static_cast<int>(plot_.width())));
  for (MetricsPoint& point : points) point.x /= axis.unit.ns;
  return points;
}

namespace {

double highest(const std::vector<MetricsPoint>& points, double at_least) {
  for (const MetricsPoint& point : points) at_least = std::max(at_least, point.y);
  return at_least;
}

// Draws a dot once, to copy it for many points.
QPixmap dot_picture(double size, const QColor& color, qreal device_pixel_ratio) {
  const int pixels = static_cast<int>(std::ceil(size * device_pixel_ratio));
  QPixmap dot(pixels, pixels);
  dot.setDevicePixelRatio(device_pixel_ratio);
  dot.fill(Qt::transparent);
  QPainter painter(&dot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QRectF(0, 0, size, size));
  return dot;
}

template <class Map>
void draw_dots(const std::vector<MetricsPoint>& points, const Map& map, const QColor& color,
               bool dense, QPainter& painter) {
  constexpr size_t kManyDots = 64;
  const double size = Theme::instance().px(dense ? 2 : 4);
  const QPointF corner(size / 2, size / 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  if (dense) {
    for (const MetricsPoint& point : points)
      painter.fillRect(QRectF(map(point) - corner, QSizeF(size, size)), color);
  } else if (points.size() > kManyDots && painter.paintEngine()->type() == QPaintEngine::Raster) {
    const QPixmap dot = dot_picture(size, color, painter.device()->devicePixelRatioF());
    for (const MetricsPoint& point : points) painter.drawPixmap(map(point) - corner, dot);
  } else {
    for (const MetricsPoint& point : points) painter.drawEllipse(map(point), size / 2, size / 2);
  }
}

// The axis begins at -below times its end. whole: ticks only at whole numbers.
void set_count_axis(QValueAxis& axis, double most, double plot_height, bool whole,
                    double below = 0) {
  const int ticks = std::clamp(static_cast<int>(plot_height) / Theme::instance().px(34), 2, 8);
  const double interval = std::max(nice_step(most / ticks), whole ? 1.0 : 0.0);
  const double top = kHeadroom * std::max(1.0, std::ceil(most / interval - 1e-9)) * interval;
  set_axis(axis, -below * top, top, interval);
}

}  // namespace

void MetricsCharts::fill_rate(Panel& panel, StepValue value, const MetricsModel& model,
                              const MetricsRange& range) {
  const RunAxis axis = set_run_axis(panel, model, range);
  std::vector<MetricsPoint> points = over_run(model, range, axis, model.column(value));
  const double most = highest(points, 0);
  const bool thousands = most >= kThousandsFrom;
  if (thousands)
    for (MetricsPoint& point : points) point.y /= 1000;
  set_count_axis(*panel.y, most > 0 ? most / (thousands ? 1000 : 1) : 1, plot_.height(), false);
  panel.y->setTitleText(thousands ? tr("thousand tokens/s") : y_title_of(panel.kind));
  panel.curves[0].points = std::move(points);
}

void MetricsCharts::fill_requests(Panel& panel, const MetricsModel& model,
                                  const MetricsRange& range) {
  const RunAxis axis = set_run_axis(panel, model, range);
  double most = 1;
  size_t series = 0;
  for (const StepValue value : {StepValue::kWaiting, StepValue::kRunning, StepValue::kSwapped}) {
    auto points = over_run(model, range, axis, model.column(value));
    most = highest(points, most);
    panel.curves[series++].points = std::move(points);
  }
  set_count_axis(*panel.y, most, plot_.height(), true);
}

void MetricsCharts::fill_blocks(Panel& panel, const MetricsModel& model,
                                const MetricsRange& range) {
  const RunAxis axis = set_run_axis(panel, model, range);
  // The stacked sums are thinned out, not their parts, so the peaks of the sums stay.
  std::vector<double> sum(model.size(), 0.0);
  double most = 1;
  size_t series = 3;
  for (const StepValue value : {StepValue::kUsed, StepValue::kCached, StepValue::kFree}) {
    const std::vector<double>& part = model.column(value);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    auto points = over_run(model, range, axis, sum);
    most = highest(points, most);
    panel.curves[--series].points = std::move(points);
  }
  panel.curves[3].points = over_run(model, range, axis, model.column(StepValue::kSwapUsed));
  panel.curves[3].shown = model.has_swap_pool();
  set_count_axis(*panel.y, highest(panel.curves[3].points, most), plot_.height(), true);
}

void MetricsCharts::fill_hits(Panel& panel, const MetricsModel& model, const MetricsRange& range) {
  const RunAxis axis = set_run_axis(panel, model, range);
  size_t series = 0;
  for (const StepValue value : {StepValue::kHitSoFar, StepValue::kHitStep}) {
    auto points = over_run(model, range, axis, model.column(value));
    for (MetricsPoint& point : points) point.y *= 100;
    panel.curves[series++].points = std::move(points);
  }
  set_axis(*panel.y, 0, 100 * kHeadroom, plot_.height() > Theme::instance().px(150) ? 20 : 50);
}

void MetricsCharts::fill_moves(Panel& panel, const MetricsModel& model, const MetricsRange& range) {
  const RunAxis axis = set_run_axis(panel, model, range);
  for (int lane = 0; lane < kMoveLaneCount; ++lane) {
    const StepValue value = kMoveLanes[lane];
    const double base = kMoveLaneCount - 1 - lane + 0.08;
    const double most = model.largest(value, range.first, range.last);
    std::vector<MetricsPoint> stems{{axis.begin, base}};
    for (const MetricsPoint& point : over_run(model, range, axis, model.column(value))) {
      if (point.y <= 0 || point.x < axis.begin || point.x > axis.end) continue;
      stems.push_back({point.x, base});
      stems.push_back({point.x, base + kLaneFill * point.y / most});
      stems.push_back({point.x, base});
    }
    stems.push_back({axis.end, base});
    panel.curves[static_cast<size_t>(lane)].points = std::move(stems);
  }
}

void MetricsCharts::fill_waiting(Panel& panel, const Distribution& distribution,
                                 const QString& name, bool modelled) {
  const Histogram bins = histogram_of(distribution, kMaxBins);
  const auto count = static_cast<double>(bins.counts.size());
  const double most =
      bins.counts.empty()
          ? 1
          : static_cast<double>(*std::max_element(bins.counts.begin(), bins.counts.end()));
  const double begin = bins.counts.empty() ? 0 : std::max(0.0, bins.begin - bins.width);
  const double end = bins.counts.empty() ? 1e6 : bins.begin + (count + 1) * bins.width;
  const TimeUnit unit = time_unit(end);
  const int ticks = std::max(2, static_cast<int>(plot_.width()) / Theme::instance().px(56));
  set_axis(*panel.x, begin / unit.ns, end / unit.ns, nice_step((end - begin) / unit.ns / ticks));
  panel.x->setTitleText((modelled ? tr("modelled %1, %2") : tr("%1, %2")).arg(name, unit.name));
  set_count_axis(*panel.y, most, plot_.height(), true, kRug);
  const double top = panel.y->max();
  QList<QPointF> outline, marks;
  for (size_t bin = 0; bin < bins.counts.size(); ++bin) {
    const auto height = static_cast<double>(bins.counts[bin]);
    const double left = bins.edge(bin) / unit.ns, right = bins.edge(bin + 1) / unit.ns;
    outline << QPointF(left, 0) << QPointF(left, height) << QPointF(right, height)
            << QPointF(right, 0);
  }
  QAreaSeries* area = panel.bins;
  area->upperSeries()->replace(outline);
  area->lowerSeries()->replace(outline.isEmpty() ? QList<QPointF>()
                                                 : QList<QPointF>{outline.front(), outline.back()});
  panel.lines[0]->replace(outline);
  ++panel.version;
  const double pixel = 2 * (end - begin) / std::max(1.0, plot_.width());
  double last = -pixel;
  for (const Distribution::Entry& entry : distribution.entries) {
    if (entry.ns - last < pixel) continue;
    last = entry.ns;
    const double x = entry.ns / unit.ns;
    marks << QPointF(x, -kRug * top) << QPointF(x, -kRug * top / 4) << QPointF(x, -kRug * top);
  }
  panel.lines[1]->replace(marks);
  for (size_t i = 0; i < std::size(kPercentiles); ++i) {
    const double ns = distribution.percentile(kPercentiles[i].share);
    QList<QPointF> line;
    if (!std::isnan(ns)) line << QPointF(ns / unit.ns, 0) << QPointF(ns / unit.ns, top);
    panel.lines[2 + i]->replace(line);
  }
}

void MetricsCharts::fill(ChartKind kind, const MetricsModel& model, const MetricsRange& range) {
  Panel& one = panel(kind);
  if (shows_time(kind) && one.is_hatched != model.modelled()) one.restyle_series(model.modelled());
  switch (kind) {
    case ChartKind::kPrefillRate:
      return fill_rate(one, StepValue::kPrefillRate, model, range);
    case ChartKind::kDecodeRate:
      return fill_rate(one, StepValue::kDecodeRate, model, range);
    case ChartKind::kRequests:
      return fill_requests(one, model, range);
    case ChartKind::kBlocks:
      return fill_blocks(one, model, range);
    case ChartKind::kHitRate:
      return fill_hits(one, model, range);
    case ChartKind::kMoves:
      return fill_moves(one, model, range);
    case ChartKind::kTtft:
      return fill_waiting(one, model.ttft(), tr("TTFT"), model.modelled());
    default:
      return fill_waiting(one, model.tpot(), tr("TPOT"), model.modelled());
  }
}

void MetricsCharts::draw(ChartKind kind, QPainter& painter) {
  draw_frame(kind, painter);
  draw_curves(kind, painter);
}

uint64_t MetricsCharts::frame_version(ChartKind kind) const {
  return panel(kind).version;
}

void MetricsCharts::draw_frame(ChartKind kind, QPainter& painter) {
  Panel& one = panel(kind);
  one.chart->layout()->activate();
  const QRectF bounds(QPointF(0, 0), size_);
  one.scene.render(&painter, bounds, bounds, Qt::IgnoreAspectRatio);
}

// On a target with pixels, a line with more points than the plot has pixel columns is drawn as a
// DenseCurve.
void MetricsCharts::draw_curves(ChartKind kind, QPainter& painter) const {
  const Panel& one = panel(kind);
  if (one.curves.empty()) return;
  const double low = one.lanes ? 0 : one.y->min();
  const double high = one.lanes ? kMoveLaneCount : one.y->max();
  const double x_scale = plot_.width() / (one.x->max() - one.x->min());
  const auto map = [&](const MetricsPoint& point) {
    return QPointF(plot_.left() + (point.x - one.x->min()) * x_scale,
                   plot_.bottom() - (point.y - low) / (high - low) * plot_.height());
  };
  painter.save();
  painter.setClipRect(plot_.adjusted(-3, -3, 3, 3), Qt::IntersectClip);
  const bool has_pixels = painter.paintEngine()->type() == QPaintEngine::Raster;
  for (const Curve& curve : one.curves) {
    if (!curve.shown || curve.points.empty()) continue;
    const bool dense = has_pixels && static_cast<double>(curve.points.size()) > plot_.width();
    painter.setRenderHint(QPainter::Antialiasing, !dense);
    if (curve.look.mark == Mark::kDot || curve.points.size() == 1) {
      draw_dots(curve.points, map, curve.look.color, dense, painter);
      continue;
    }
    if (curve.is_filled()) {
      QPolygonF area;
      for (const MetricsPoint& point : crest(curve.points, 1 / x_scale)) area << map(point);
      area << QPointF(area.back().x(), plot_.bottom()) << QPointF(area.front().x(), plot_.bottom());
      painter.setPen(Qt::NoPen);
      painter.setBrush(fill_of(curve.look, one.is_hatched));
      painter.drawPolygon(area);
    }
    if (!dense) {
      QPolygonF line;
      for (const MetricsPoint& point : curve.points) line << map(point);
      painter.setPen(pen_of(curve.look));
      painter.setBrush(Qt::NoBrush);
      painter.drawPolyline(line);
      continue;
    }
    QPolygonF mapped;
    for (const MetricsPoint& point : curve.points) mapped << map(point);
    const Dashes dashes = curve.look.mark == Mark::kDashed   ? Dashes{7, 4}
                          : curve.look.mark == Mark::kDotted ? Dashes{3, 1}
                                                             : Dashes{};
    const DenseCurve dense_line = dense_curve(mapped, dashes);
    painter.setPen(QPen(curve.look.color, 1));
    painter.drawLines(dense_line.across);
    painter.setPen(Qt::NoPen);
    painter.setBrush(curve.look.color);
    painter.drawRects(dense_line.columns);
  }
  painter.restore();
}

std::pair<double, double> MetricsCharts::x_limits(ChartKind kind) const {
  return {panel(kind).x->min(), panel(kind).x->max()};
}

std::vector<MetricsPoint> MetricsCharts::points(ChartKind kind, int series) const {
  const auto at = static_cast<size_t>(series);
  if (is_over_run(kind)) return panel(kind).curves[at].points;
  std::vector<MetricsPoint> points;
  for (const QPointF& point : panel(kind).lines[at]->points())
    points.push_back({point.x(), point.y()});
  return points;
}

}  // namespace attn::gui
