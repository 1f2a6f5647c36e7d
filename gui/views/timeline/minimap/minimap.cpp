// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/minimap/minimap.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kGrip = 5;        // px beside an edge of the frame where the mouse takes the edge
constexpr double kLeastFrame = 6;  // px, least width of the frame

const TimelineLane* kernels_of(const TimelineModel& model) {
  for (const TimelineLane* lane : model.lanes())
    if (lane->kind == LaneKind::kKernels) return lane;
  return nullptr;
}

void add_between(TimeBins<ClassTimes>& bins, const LodSpan& span) {
  if (span.end_ns <= span.begin_ns) return;
  bins.at(span.end_ns - 1);  // from here on the bins keep their length
  for (uint64_t from = span.begin_ns; from < span.end_ns;) {
    const uint64_t to = std::min(span.end_ns, (from / bins.bin_ns() + 1) * bins.bin_ns());
    bins.at(from).ns[span.span_class] += to - from;
    from = to;
  }
}

}  // namespace

Minimap::Minimap(TimelineCanvas& timeline, QWidget* parent)
    : Canvas(tr("Map of the whole run"), parent), timeline_(timeline) {
  setFocusPolicy(Qt::NoFocus);  // the timeline takes the keys
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const auto refresh = [this] {
    describe();
    update();
  };
  connect(&timeline_, &TimelineCanvas::emptied, this, &Minimap::reset);
  connect(&timeline_, &TimelineCanvas::scene_changed, this, refresh);
  connect(&timeline_, &TimelineCanvas::summary_changed, this, refresh);
  connect(&timeline_, &TimelineCanvas::search_changed, this, refresh);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    drawn_ = {};
    updateGeometry();
    update();
  });
}

void Minimap::reset() {
  bins_.clear();
  taken_ = 0;
  drawn_ = {};
  update();
}

QSize Minimap::sizeHint() const {
  return {400, Theme::instance().px(32)};
}

QSize Minimap::minimumSizeHint() const {
  return {120, Theme::instance().px(32)};
}

QRectF Minimap::strip() const {
  const double gutter = timeline_.layout_now().gutter, edge = Theme::instance().px(5);
  return {gutter, edge, std::max(1.0, width() - gutter), std::max(1.0, height() - 2 * edge)};
}

double Minimap::x_of(double time_ns) const {
  const CanvasAxis& axis = timeline_.axis();
  return strip().left() + (time_ns - axis.begin) / axis.length() * strip().width();
}

double Minimap::time_of(double x) const {
  const CanvasAxis& axis = timeline_.axis();
  const double part = std::clamp((x - strip().left()) / strip().width(), 0.0, 1.0);
  return axis.begin + part * axis.length();
}

QRectF Minimap::frame() const {
  const CanvasAxis& axis = timeline_.axis();
  const double left = x_of(axis.visible_begin()), right = x_of(axis.visible_end());
  const double width = std::max(kLeastFrame, right - left);
  const double x = std::clamp((left + right - width) / 2, strip().left(),
                              std::max(strip().left(), strip().right() - width));
  return {x, 1, width, height() - 2.0};
}

// --- what the engine did ---

void Minimap::take_spans() {
  const TimelineLane* lane = kernels_of(timeline_.model());
  if (!lane) return;
  for (; taken_ < lane->spans.size(); ++taken_) add_between(bins_, lane->spans.span(taken_));
}

ClassTimes Minimap::times_between(double begin_ns, double end_ns) {
  take_spans();
  ClassTimes sum;
  const uint64_t until = timeline_.model().until_ns(), length = bins_.bin_ns();
  end_ns = std::min(end_ns, static_cast<double>(until));
  if (end_ns <= begin_ns) return sum;
  const auto bin_length = static_cast<double>(length);
  const auto first = static_cast<size_t>(std::max(0.0, begin_ns) / bin_length);
  for (size_t bin = first; bin < bins_.size(); ++bin) {
    const double from = static_cast<double>(bin) * bin_length;
    if (from >= end_ns) break;
    ClassTimes times = bins_[bin];
    double to = from + bin_length;
    if (to > static_cast<double>(until)) {  // the shown time ends in this bin
      times.ns = kernels_of(timeline_.model())->spans.statistics(bin * length, until).class_ns;
      to = static_cast<double>(until);
    }
    const double part = (std::min(to, end_ns) - std::max(from, begin_ns)) / (to - from);
    for (size_t i = 0; i < sum.ns.size(); ++i)
      sum.ns[i] += static_cast<uint64_t>(std::llround(part * static_cast<double>(times.ns[i])));
  }
  return sum;
}

// A pixel column is as high as the busy part of its time.
void Minimap::draw_density() {
  take_spans();
  const double ratio = devicePixelRatioF();
  const QSize size = (strip().size() * ratio).toSize().expandedTo({1, 1});
  const ImageKey key{taken_, timeline_.model().until_ns(), timeline_.axis().end, ratio, size};
  if (key == drawn_) return;
  drawn_ = key;
  density_ = QImage(size, QImage::Format_RGB32);
  density_.fill(track_color());
  density_.setDevicePixelRatio(ratio);
  std::array<QRgb, kSpanClasses> colors;
  for (size_t i = 0; i < colors.size(); ++i)
    colors[i] = span_color(static_cast<SpanClass>(i), LaneKind::kKernels).rgb();
  const CanvasAxis& axis = timeline_.axis();
  const double column_ns = axis.length() / size.width();
  for (int x = 0; x < size.width(); ++x) {
    const double begin = axis.begin + x * column_ns;
    const ClassTimes times = times_between(begin, begin + column_ns);
    double sum = 0;
    int bottom = size.height();
    for (size_t i = 0; i < colors.size() && bottom > 0; ++i) {
      if (times.ns[i] == 0) continue;
      sum += static_cast<double>(times.ns[i]);
      const int top = std::clamp(
          size.height() - static_cast<int>(std::ceil(sum / column_ns * size.height())), 0, bottom);
      for (int y = top; y < bottom; ++y)
        reinterpret_cast<QRgb*>(density_.scanLine(y))[x] = colors[i];
      bottom = top;
    }
  }
}

// --- painting ---

void Minimap::paint_matches(QPainter& painter) const {
  const TimelineSearch& search = timeline_.search();
  if (!search.active()) return;
  const double bottom = strip().top() - 1;
  const auto& bins = search.bins();
  const uint64_t until = timeline_.model().until_ns();
  double last = -1;
  for (size_t i = 0; i < bins.size(); ++i) {
    if (bins[i] == 0) continue;
    const uint64_t begin = i * bins.bin_ns();
    if (begin >= until) break;
    // The bin in which a past step ends may have only later matches.
    if (begin + bins.bin_ns() > until && search.rank(timeline_.model(), {until, 0, 0}) ==
                                             search.rank(timeline_.model(), {begin, 0, 0}))
      break;
    const double x = std::round(x_of(static_cast<double>(begin)));
    if (x == last) continue;
    last = x;
    painter.fillRect(QRectF(x, 2, 1, bottom - 2), Theme::instance().colors().text);
  }
}

void Minimap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  paint_surface(painter, rect(), colors.surface);
  const QRectF area = strip();
  draw_density();
  painter.drawImage(area.topLeft(), density_);

  const std::optional<TimeRange>& cursor = timeline_.cursor();
  if (cursor) {  // what comes after the past step is covered
    const double x = std::max(area.left(), x_of(static_cast<double>(cursor->end_ns)));
    painter.fillRect(QRectF(x, area.top(), area.right() - x, area.height()), colors.surface);
  }
  paint_matches(painter);
  if (const auto range = timeline_.shown_range()) {
    const double left = x_of(static_cast<double>(range->begin_ns)),
                 right = x_of(static_cast<double>(range->end_ns));
    QColor fill = colors.accent;
    fill.setAlphaF(0.35f);
    painter.fillRect(QRectF(left, area.top(), std::max(2.0, right - left), area.height()), fill);
  }
  if (cursor) {
    const double x = std::round(x_of(static_cast<double>(cursor->end_ns)));
    painter.fillRect(QRectF(x - 1, area.top(), 2, area.height()), colors.accent);
  }

  const QRectF window = frame();
  QColor shade = colors.surface;
  shade.setAlphaF(0.6f);
  painter.fillRect(QRectF(area.left(), area.top(), window.left() - area.left(), area.height()),
                   shade);
  painter.fillRect(QRectF(window.right(), area.top(), area.right() - window.right(), area.height()),
                   shade);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colors.text, theme.line(1)));
  painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));

  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(colors.muted);
  const QRectF label(theme.px(12), 0, area.left() - theme.px(16), height());
  draw_line(painter, label, Qt::AlignVCenter | Qt::AlignLeft,
            elided_text(painter.font(), tr("whole run"), std::max(0.0, label.width())));
}

void Minimap::describe() {
  const CanvasAxis& axis = timeline_.axis();
  const QString words = tr("The timeline shows %1")
                            .arg(range_words({static_cast<uint64_t>(axis.visible_begin()),
                                              static_cast<uint64_t>(axis.visible_end())}));
  if (accessibleDescription() != words) setAccessibleDescription(words);
}

QString Minimap::tooltip_at(const QPointF& position) {
  if (position.x() < strip().left()) return {};
  return tr(
      "The whole run: how much of the time the row “kernels” is busy, in its colours. Drag the "
      "frame or one of its edges; click to go there; the wheel zooms; a double click shows all");
}

// --- input ---

Minimap::Part Minimap::part_at(double x) const {
  const QRectF window = frame();
  const double to_begin = std::abs(x - window.left()), to_end = std::abs(x - window.right());
  // In a narrow frame each edge takes a third, and the middle third moves the frame.
  const double grip = std::min(kGrip, std::max(1.0, window.width() / 3));
  const double outside = x < window.left() || x > window.right() ? kGrip : grip;
  if (to_begin <= outside && to_begin <= to_end) return Part::kBegin;
  if (to_end <= outside) return Part::kEnd;
  return x > window.left() && x < window.right() ? Part::kInside : Part::kOutside;
}

void Minimap::show_cursor_at(double x) {
  const Part part = dragged_.value_or(part_at(x));
  setCursor(part == Part::kOutside  ? Qt::ArrowCursor
            : part != Part::kInside ? Qt::SizeHorCursor
            : dragged_              ? Qt::ClosedHandCursor
                                    : Qt::OpenHandCursor);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (event->button() != Qt::LeftButton || x < strip().left() - kGrip) return;
  const CanvasAxis& axis = timeline_.axis();
  dragged_ = part_at(x);
  if (dragged_ == Part::kOutside) {  // the frame jumps to the mouse
    const double length = axis.visible_end() - axis.visible_begin();
    timeline_.show_time(time_of(x) - length / 2, time_of(x) + length / 2);
    dragged_ = Part::kInside;
  }
  grabbed_ns_ = time_of(x) - axis.visible_begin();
  show_cursor_at(x);
}

void Minimap::drag_to(double x) {
  const CanvasAxis& axis = timeline_.axis();
  const double begin = axis.visible_begin(), end = axis.visible_end(), time = time_of(x);
  switch (*dragged_) {
    case Part::kBegin:
      if (time < end) timeline_.show_time(time, end);
      break;
    case Part::kEnd:
      if (time > begin) timeline_.show_time(begin, time);
      break;
    case Part::kInside:
      timeline_.show_time(time - grabbed_ns_, time - grabbed_ns_ + (end - begin));
      break;
    case Part::kOutside:
      break;
  }
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (dragged_) drag_to(x);
  show_cursor_at(x);
}

void Minimap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) dragged_.reset();
  show_cursor_at(event->position().x());
}

void Minimap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) timeline_.fit_all();
}

void Minimap::wheelEvent(QWheelEvent* event) {
  const CanvasAxis& axis = timeline_.axis();
  const double begin = axis.visible_begin(), end = axis.visible_end();
  const double time = std::clamp(time_of(event->position().x()), begin, end);
  const double factor = std::pow(kWheelZoom, -event->angleDelta().y() / 120.0);
  timeline_.show_time(time - (time - begin) * factor, time + (end - time) * factor);
  event->accept();
}

}  // namespace attn::gui

#include "moc_minimap.cpp"
