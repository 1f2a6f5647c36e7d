// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/metrics_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr size_t kFewestSteps = 4;  // the least distance from a zoom's first step to its last

void resize_to(QPixmap& picture, const QSize& size, double ratio) {
  if (picture.size() != size) picture = QPixmap(size);
  picture.setDevicePixelRatio(ratio);
}

}  // namespace

MetricsCanvas::MetricsCanvas(QWidget* parent) : Canvas(tr("Metrics of the run"), parent) {
  refresh_timer_.setSingleShot(true);
  connect(&refresh_timer_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    if (charts_) charts_->restyle();
    relayout();
  });
}

MetricsCanvas::~MetricsCanvas() = default;

void MetricsCanvas::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  if (!snapshot) {
    hover_.reset();
    cursor_.reset();
    all_ = true;
  }
  newest_ = std::move(snapshot);
  // A run at full speed may bring a snapshot sooner than after kRefreshMs.
  const qint64 age = since_refresh_.isValid() ? since_refresh_.elapsed() : kRefreshMs;
  if (age >= kRefreshMs)
    update();
  else if (!refresh_timer_.isActive())
    refresh_timer_.start(kRefreshMs - static_cast<int>(age));
}

void MetricsCanvas::refresh() {
  if (model_.snapshot() == newest_) return;
  const bool was_empty = model_.empty();
  const Distribution ttft = model_.ttft(), tpot = model_.tpot();
  const bool modelled = model_.modelled();
  if (newest_ && model_.snapshot() && newest_->run != model_.snapshot()->run) all_ = true;
  model_.update(newest_);
  since_refresh_.start();
  if (hover_ && *hover_ >= model_.size()) hover_.reset();
  recorded_.reset();
  for (int i = 0; i < kCharts; ++i) {
    const auto kind = static_cast<ChartKind>(i);
    const bool same = (kind == ChartKind::kTtft && model_.ttft() == ttft) ||
                      (kind == ChartKind::kTpot && model_.tpot() == tpot);
    if (!same || modelled != model_.modelled())
      pictures_[static_cast<size_t>(i)].shows = Picture::Shows::kNothing;
  }
  update();
  if (was_empty != model_.empty()) relayout();
  setAccessibleDescription(spoken_step(model_, shown_index()));
  emit refreshed();
}

const MetricsModel& MetricsCanvas::model() {
  refresh();
  return model_;
}

MetricsRange MetricsCanvas::range() {
  const size_t last = model_.empty() ? 0 : model_.size() - 1;
  // If the model has at most one step of the zoomed range, all steps are shown.
  if (all_ || (range_.first > 0 && range_.first >= last))
    return {0, last, range_.by_time, model_.running()};
  return {std::min(range_.first, last), std::min(range_.last, last), range_.by_time};
}

size_t MetricsCanvas::shown_index() {
  return hover_.value_or(told_index(model_, cursor_));
}

void MetricsCanvas::set_cursor(std::optional<uint32_t> step) {
  if (step == cursor_) return;
  cursor_ = step;
  recorded_.reset();
  setAccessibleDescription(spoken_step(model_, shown_index()));
  update();
}

void MetricsCanvas::set_by_time(bool by_time) {
  if (range_.by_time == by_time) return;
  range_.by_time = by_time;
  forget_pictures();
}

// Charts belong to the GUI thread, so they are recorded there.
std::shared_ptr<const QPicture> MetricsCanvas::recorded() {
  refresh();
  if (recorded_) return recorded_;
  auto picture = std::make_shared<QPicture>();
  QPainter recorder(picture.get());
  recorder.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paint_all(recorder, QRectF(QPointF(0, 0), QSizeF(full_size())));
  recorder.end();
  recorded_ = picture;
  return recorded_;
}

void MetricsCanvas::forget_pictures() {
  recorded_.reset();
  for (Picture& drawn : pictures_) drawn.shows = Picture::Shows::kNothing;
  update();
}

void MetricsCanvas::fit() {
  all_ = true;
  forget_pictures();
}

std::vector<double> MetricsCanvas::place() const {
  if (all_) return {};
  return {static_cast<double>(range_.first), static_cast<double>(range_.last)};
}

void MetricsCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 2) return fit();
  constexpr double kMost = 0x1p32;  // `place` may come from a file
  range_.first = static_cast<size_t>(std::clamp(place[0], 0.0, kMost));
  range_.last = static_cast<size_t>(std::clamp(place[1], 0.0, kMost));
  if (range_.last < range_.first) std::swap(range_.first, range_.last);
  all_ = false;
  forget_pictures();
}

void MetricsCanvas::zoom(double factor) {
  refresh();
  const MetricsRange now = range();
  zoom_at(hover_.value_or((now.first + now.last) / 2), factor);
}

// The step stays about where it is on the screen, if the ends of the run allow it.
void MetricsCanvas::zoom_at(size_t index, double factor) {
  const MetricsRange now = range();
  const double last = model_.empty() ? 0.0 : static_cast<double>(model_.size() - 1);
  const double length = static_cast<double>(now.last - now.first);
  const double wanted = std::max(length / factor, static_cast<double>(kFewestSteps));
  if (model_.size() <= kFewestSteps || wanted >= last) return fit();
  const double at = static_cast<double>(std::clamp(index, now.first, now.last));
  const double share = length > 0 ? (at - static_cast<double>(now.first)) / length : 0.5;
  const double first = std::clamp(std::round(at - share * wanted), 0.0, last - wanted);
  range_.first = static_cast<size_t>(first);
  range_.last = static_cast<size_t>(std::min(last, std::ceil(first + wanted)));
  all_ = false;
  forget_pictures();
}

void MetricsCanvas::pan(int64_t steps) {
  if (all_) return;
  const auto last = static_cast<int64_t>(model_.size()) - 1;
  const MetricsRange now = range();
  const int64_t by =
      std::clamp(steps, -static_cast<int64_t>(now.first), last - static_cast<int64_t>(now.last));
  range_.first = static_cast<size_t>(static_cast<int64_t>(now.first) + by);
  range_.last = static_cast<size_t>(static_cast<int64_t>(now.last) + by);
  forget_pictures();
}

MetricsGrid MetricsCanvas::grid() const {
  return {static_cast<double>(width()), static_cast<double>(viewport_height_), PictureLook::read()};
}

void MetricsCanvas::set_viewport_height(int height) {
  if (height == viewport_height_) return;
  viewport_height_ = height;
  relayout();
}

void MetricsCanvas::relayout() {
  const int needed = model_.empty() ? 0 : static_cast<int>(std::ceil(grid().height()));
  setMinimumHeight(needed > viewport_height_ ? needed : 0);
  forget_pictures();
}

void MetricsCanvas::draw_frame(ChartKind kind, const QSizeF& size) {
  const double ratio = devicePixelRatioF();
  charts_->set_size(size);
  charts_->fill(kind, model_, range());
  Frame& frame = frames_[static_cast<size_t>(kind)];
  if (frame.version == charts_->frame_version(kind) && frame.picture.devicePixelRatio() == ratio)
    return;
  resize_to(frame.picture, (size * ratio).toSize(), ratio);
  frame.picture.fill(Theme::instance().colors().surface);
  QPainter painter(&frame.picture);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  charts_->draw_frame(kind, painter);
  // Laying out the axes may have changed the version.
  frame.version = charts_->frame_version(kind);
}

void MetricsCanvas::draw_chart(ChartKind kind, const QRectF& place, QPainter& painter) {
  using Shows = Picture::Shows;
  Picture& drawn = pictures_[static_cast<size_t>(kind)];
  const QPixmap& frame = frames_[static_cast<size_t>(kind)].picture;
  const double ratio = devicePixelRatioF();
  if (drawn.shows == Shows::kNothing || frame.devicePixelRatio() != ratio) {
    draw_frame(kind, place.size());
    drawn.shows = Shows::kCurvesWithoutPicture;
    const QPointF pixel = place.topLeft() * ratio;
    if (pixel == QPointF(pixel.toPoint())) {  // else the curves would lie beside the axes
      painter.drawPixmap(place.topLeft(), frame);
      painter.save();
      painter.translate(place.topLeft());
      charts_->draw_curves(kind, painter);
      painter.restore();
      return;
    }
  }
  if (drawn.shows == Shows::kCurvesWithoutPicture) {
    resize_to(drawn.picture, frame.size(), ratio);
    QPainter target(&drawn.picture);
    target.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    target.setCompositionMode(QPainter::CompositionMode_Source);
    target.drawPixmap(QPointF(0, 0), frame);
    target.setCompositionMode(QPainter::CompositionMode_SourceOver);
    charts_->draw_curves(kind, target);
    drawn.shows = Shows::kCurves;
  }
  painter.drawPixmap(place.topLeft(), drawn.picture);
}

void MetricsCanvas::paintEvent(QPaintEvent* event) {
  refresh();
  QPainter painter(this);
  show_run_button(model_.empty());
  if (model_.empty()) {
    paint_empty(painter, tr("No steps yet"),
                tr("Speed, queue, cache use and waiting times appear here step by step."));
    paint_focus(painter);
    return;
  }
  if (!charts_) charts_ = std::make_unique<MetricsCharts>();
  const MetricsGrid places = grid();
  QRegion ground(event->rect());
  for (int i = 0; i < kCharts; ++i)  // charts fill their own background
    ground -= places.chart(static_cast<ChartKind>(i)).toAlignedRect().adjusted(1, 1, -1, -1);
  for (const QRect& part : ground) paint_surface(painter, part, Theme::instance().colors().surface);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  const MetricsBoard board{model_,        *charts_,           places, range(),
                           shown_index(), hover_.has_value(), cursor_};
  for (int i = 0; i < kCharts; ++i) {
    const auto kind = static_cast<ChartKind>(i);
    if (!places.cell(kind).intersects(QRectF(event->rect()))) continue;
    draw_chart(kind, places.chart(kind), painter);
    board.overlay(painter, kind);
  }
  paint_focus(painter);
}

void MetricsCanvas::paint_all(QPainter& painter, const QRectF& bounds) {
  refresh();
  paint_metrics(painter, bounds, model_, range(), cursor_);
}

QSize MetricsCanvas::full_size() const {
  return metrics_picture_size();
}

void MetricsCanvas::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  relayout();
}

std::optional<ChartKind> MetricsCanvas::chart_at(const QPointF& position) const {
  const MetricsGrid places = grid();
  for (int i = 0; i < kCharts; ++i)
    if (places.cell(static_cast<ChartKind>(i)).contains(position)) return static_cast<ChartKind>(i);
  return std::nullopt;
}

std::optional<size_t> MetricsCanvas::index_at(const QPointF& position) {
  const auto kind = chart_at(position);
  if (!charts_ || model_.empty() || !kind || !is_over_run(*kind)) return std::nullopt;
  const QRectF plot = charts_->plot().translated(grid().chart(*kind).topLeft());
  if (!plot.adjusted(-4, -4, 4, 4).contains(position)) return std::nullopt;
  const MetricsRange now = range();
  const RunAxis axis = run_axis(model_, now);
  const double wanted =
      axis.begin + (position.x() - plot.left()) / plot.width() * (axis.end - axis.begin);
  size_t low = now.first, high = now.last;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (axis_value(model_, axis, now, middle) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > now.first &&
      wanted - axis_value(model_, axis, now, low - 1) < axis_value(model_, axis, now, low) - wanted)
    --low;
  return low;
}

void MetricsCanvas::hover(std::optional<size_t> index) {
  if (index == hover_) return;
  hover_ = index;
  setAccessibleDescription(spoken_step(model_, shown_index()));
  update();
}

void MetricsCanvas::choose(size_t index) {
  const uint32_t step = model_.record(index).step;
  set_cursor(step);
  emit step_chosen(step);
}

void MetricsCanvas::mouseMoveEvent(QMouseEvent* event) {
  hover(index_at(event->position()));
}

void MetricsCanvas::leaveEvent(QEvent*) {
  hover(std::nullopt);
}

void MetricsCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return Canvas::mousePressEvent(event);
  if (const auto index = index_at(event->position())) return choose(*index);
  if (!cursor_) return;
  set_cursor(std::nullopt);
  emit cursor_cleared();
}

void MetricsCanvas::mouseDoubleClickEvent(QMouseEvent*) {
  fit();
}

void MetricsCanvas::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (event->modifiers() & Qt::ControlModifier) {
    if (const auto index = index_at(event->position()))
      zoom_at(*index, std::pow(kWheelZoom, notches));
  } else if (event->modifiers() & Qt::ShiftModifier) {
    const MetricsRange now = range();
    const double sideways = (event->angleDelta().x() + event->angleDelta().y()) / 120.0;
    const auto quarter = static_cast<double>(now.last - now.first) / 8;
    pan(static_cast<int64_t>(std::round(-sideways * std::max(1.0, quarter))));
  } else {
    return event->ignore();  // the page scrolls
  }
  event->accept();
}

void MetricsCanvas::keyPressEvent(QKeyEvent* event) {
  if (model_.empty()) return Canvas::keyPressEvent(event);
  const size_t now = shown_index(), last = model_.size() - 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return hover(now > 0 ? now - 1 : 0);
    case Qt::Key_Right:
      return hover(std::min(now + 1, last));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return choose(now);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    default:
      Canvas::keyPressEvent(event);
  }
}

QString MetricsCanvas::bin_words(ChartKind kind, const QPointF& position) {
  const Distribution& all = kind == ChartKind::kTtft ? model_.ttft() : model_.tpot();
  const QRectF plot = charts_->plot().translated(grid().chart(kind).topLeft());
  const Histogram bins = histogram_of(all, kMaxBins);
  if (bins.counts.empty() || !plot.contains(position)) return {};
  const auto [begin, end] = charts_->x_limits(kind);
  const double unit = time_unit(bins.edge(bins.counts.size() + 1)).ns;
  const double ns = unit * (begin + (position.x() - plot.left()) / plot.width() * (end - begin));
  const double bin = std::floor((ns - bins.begin) / bins.width);
  if (bin < 0 || bin >= static_cast<double>(bins.counts.size())) return {};
  const auto at = static_cast<size_t>(bin);
  QString text =
      tr("%1 to %2: %3")
          .arg(format_duration_ns(bins.edge(at)), format_duration_ns(bins.edge(at + 1)),
               counted(static_cast<int64_t>(bins.counts[at]), tr("1 request"), tr("%1 requests")));
  int told = 0;
  for (const Distribution::Entry& entry : all.entries) {
    if (entry.ns < bins.edge(at) || entry.ns >= bins.edge(at + 1)) continue;
    if (++told > 8) return text + QStringLiteral("\n…");
    if (const RequestView* request = request_by_id(*model_.snapshot(), entry.request))
      text += QStringLiteral("\n%1: %2%3")
                  .arg(QString::fromStdString(request->name), format_duration_ns(entry.ns),
                       entry.ended ? QString() : tr(" so far"));
  }
  return text;
}

QString MetricsCanvas::tooltip_at(const QPointF& position) {
  const auto kind = chart_at(position);
  if (!charts_ || model_.empty() || !kind) return {};
  if (!is_over_run(*kind))
    if (const QString words = bin_words(*kind, position); !words.isEmpty())
      return plain_tooltip(words);
  // A plot over the run has no tooltip: the headings show the numbers.
  if (grid().chart(*kind).contains(position) && index_at(position)) return {};
  return plain_tooltip(explanation_of(*kind));
}

ViewPoint MetricsCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto kind = chart_at(position);
  const auto index = index_at(position);
  if (!kind) return point;
  if (!index) {
    const Distribution& waiting = *kind == ChartKind::kTtft ? model_.ttft() : model_.tpot();
    if (!is_over_run(*kind) && !waiting.entries.empty())
      for (const PercentileMark& mark : kPercentiles)
        point.numbers.push_back({tr("%1, ns").arg(QLatin1String(mark.name)),
                                 exact_number(waiting.percentile(mark.share))});
    return point;
  }
  point.step = model_.record(*index).step;
  point.text = tr("%1 at step %2").arg(title_of(*kind)).arg(*point.step);
  const auto add = [&](StepValue value) {
    const double number = model_.value(value, *index);
    if (std::isnan(number)) return;
    point.numbers.push_back({name_of(value), exact_number(number)});
    point.text += QStringLiteral("\n%1 %2").arg(name_of(value), value_text(value, number));
  };
  for (const StepValue value : values_of(*kind, model_)) add(value);
  if (*kind == ChartKind::kMoves)
    for (const StepValue value : kMoveLanes) add(value);
  return point;
}

}  // namespace attn::gui

#include "moc_metrics_canvas.cpp"
