// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

double small_width(const QString& text) {
  return text_width(Theme::instance().font(TextRole::kSmall), text);
}

constexpr double kTextMargin = 4;  // px on either side

bool is_waiting(SpanClass span_class) {
  return span_class == SpanClass::kQueued || span_class == SpanClass::kPreempted ||
         span_class == SpanClass::kSwapped;
}

QBrush waiting_brush(SpanClass span_class) {
  const ThemeColors& colors = Theme::instance().colors();
  switch (span_class) {
    case SpanClass::kQueued:
      return {mix(colors.surface, colors.muted, 0.55), Qt::Dense6Pattern};
    case SpanClass::kSwapped:
      return {mix(colors.surface, colors.warning, 0.75), Qt::DiagCrossPattern};
    default:
      return {mix(colors.surface, colors.bad, 0.75), Qt::BDiagPattern};
  }
}

QRectF snapped(const QRectF& rect) {
  const double left = std::round(rect.left()), right = std::round(rect.right());
  return {left, rect.top(), std::max(1.0, right - left), rect.height()};
}

double mark_half_width() {
  return Theme::instance().px(5);
}

double small_text_height() {
  return QFontMetricsF(Theme::instance().font(TextRole::kSmall)).height();
}

}  // namespace

QColor track_color() {
  const ThemeColors& colors = Theme::instance().colors();
  return mix(colors.surface, colors.line, 0.35);
}

QColor span_color(SpanClass span_class, LaneKind lane, int level) {
  const ThemeColors& colors = Theme::instance().colors();
  QColor full;
  switch (span_class) {
    case SpanClass::kPrefill:
      full = colors.prefill;
      break;
    case SpanClass::kDecode:
      full = colors.decode;
      break;
    case SpanClass::kLinear:
      full = mix(colors.surface, colors.text, 0.78);
      break;
    case SpanClass::kOther:
      full = mix(colors.surface, colors.text, 0.53);
      break;
    case SpanClass::kCacheWrite:
      full = colors.warning;
      break;
    case SpanClass::kCopy:
      full = mix(colors.warning, colors.bad, 0.5);
      break;
    case SpanClass::kSchedule:
      full = colors.accent;
      break;
    case SpanClass::kQueued:
      full = mix(colors.surface, colors.muted, 0.75);
      break;
    case SpanClass::kPreempted:
      full = colors.bad;
      break;
    case SpanClass::kSwapped:
      full = mix(colors.surface, colors.warning, 0.75);
      break;
    case SpanClass::kMixed:  // no room for both hues
      full = mix(colors.prefill, colors.decode, 0.5);
      break;
  }
  // Steps have quieter colours than kernels.
  if (lane == LaneKind::kSteps) full = mix(colors.surface, full, 0.8);
  if (level >= TimelineBar::kFull) return full;
  return mix(track_color(), full, 0.45 + 0.55 * level / TimelineBar::kFull);
}

TimelineLayout TimelineLayout::make(const QRectF& bounds, int num_lanes, double gutter,
                                    double scroll, bool device) {
  const Theme& theme = Theme::instance();
  TimelineLayout layout;
  layout.bounds = bounds;
  layout.gutter = gutter;
  layout.num_lanes = num_lanes;
  layout.lane_height = theme.px(22);
  layout.lane_gap = theme.px(2);
  const double ruler = theme.px(20), gap = theme.px(2);
  double strip = theme.px(22);
  const double left = bounds.left() + gutter;
  const double width = std::max(1.0, bounds.width() - gutter);
  layout.ruler = QRectF(left, bounds.top(), width, ruler);
  const double room = bounds.height() - ruler;
  // There is one strip if one lane has room beside it, and there are more strips if two lanes have
  // room beside them.
  int strips = room >= layout.pitch() + strip ? 1 : 0;
  for (int more = 2; more <= (device ? 3 : 2); ++more)
    if (room >= 2 * layout.pitch() + more * (strip + gap)) strips = more;
  const double spare = room - layout.content_height() - strips * (strip + gap) - theme.px(8);
  if (strips > 0 && spare > 0) strip = std::min(theme.px(56) * 1.0, strip + spare / strips);
  const double lanes = std::max(0.0, room - strips * (strip + gap));
  layout.lanes = QRectF(left, bounds.top() + ruler, width, lanes);
  double y = bounds.bottom() - strips * (strip + gap) + gap;
  const auto place = [&](QRectF& to) {
    to = QRectF(left, y, width, strip);
    y += strip + gap;
  };
  if (strips >= 1) place(layout.cache_strip);
  if (strips >= 2 && device) place(layout.device_strip);
  if (strips >= (device ? 3 : 2)) place(layout.rate_strip);
  layout.scroll = std::clamp(scroll, 0.0, layout.max_scroll());
  return layout;
}

double timeline_height(int num_lanes, bool device) {
  const Theme& theme = Theme::instance();
  return theme.px(20) + num_lanes * theme.px(24) + (device ? 3 : 2) * theme.px(24);
}

double gutter_width(const TimelineModel& model, double view_width) {
  const Theme& theme = Theme::instance();
  double widest = small_width(tr("engine steps"));
  widest = std::max(widest, small_width(tr("KV cache")) + small_width(QStringLiteral(" 100 %")));
  widest = std::max(widest,
                    small_width(tr("tokens computed/s")) + small_width(QStringLiteral(" 888,888")));
  if (has_device_strip(model))
    widest = std::max(widest, small_width(device_strip_name(*model.snapshot())) +
                                  small_width(QStringLiteral(" 888 µs")));
  if (model.modelled_time()) widest = std::max(widest, small_width(tr("modelled time")));
  // To save time only the first lane names are measured. Each counts with at most `most`.
  constexpr size_t kMeasured = 48;
  const double most = theme.px(140);
  for (size_t i = 0; i < std::min(kMeasured, model.lanes().size()); ++i)
    widest = std::max(widest, std::min(most, small_width(lane_name(*model.lanes()[i]))));
  const double least = theme.px(64);
  return std::round(std::clamp(widest + theme.px(20), least, std::max(least, view_width * 0.3)));
}

int TimelineLayout::lane_at(double y) const {
  if (y < lanes.top() || y >= lanes.bottom()) return -1;
  const int lane = static_cast<int>(std::floor((y - lanes.top() + scroll) / pitch()));
  return lane >= 0 && lane < num_lanes ? lane : -1;
}

int TimelineLayout::first_visible() const {
  return std::clamp(static_cast<int>(scroll / pitch()), 0, num_lanes);
}

int TimelineLayout::last_visible() const {
  const double middles = scroll + lanes.height() - lane_height / 2;
  return std::clamp(static_cast<int>(std::floor(middles / pitch())) + 1, 0, num_lanes);
}

void TimelinePainter::paint(QPainter& painter, const TimelineScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(Theme::instance().font(TextRole::kSmall));
  paint_surface(painter, scene.layout.bounds, colors.surface);

  painter.save();
  painter.setClipRect(QRectF(scene.layout.bounds.left(), scene.layout.lanes.top(),
                             scene.layout.bounds.width(), scene.layout.lanes.height()));
  for (int lane = scene.layout.first_visible(); lane < scene.layout.last_visible(); ++lane)
    paint_lane(painter, scene, lane);
  paint_later(painter, scene);
  paint_gutter(painter, scene);
  if (const double most = scene.layout.max_scroll(); most > 0) {
    const QRectF& area = scene.layout.lanes;
    const double length =
        std::max(12.0, area.height() * area.height() / scene.layout.content_height());
    painter.fillRect(
        QRectF(scene.layout.bounds.right() - 4,
               area.top() + (area.height() - length) * scene.layout.scroll / most, 4, length),
        mix(colors.surface, colors.text, 0.6));
  }
  painter.restore();

  const EngineSnapshot* snapshot = scene.model->snapshot().get();
  // Each strip has the end of its scale as its number.
  QString whole, rate;
  if (snapshot && !snapshot->blocks.empty()) whole = QStringLiteral("100 %");
  if (snapshot && snapshot->steps && !snapshot->steps->empty())
    rate = format_number(scene.rate.top, 4);
  paint_strip(painter, scene, scene.layout.cache_strip, scene.cache, tr("KV cache"), whole,
              StripLook::kShare);
  if (has_device_strip(*scene.model))
    paint_strip(painter, scene, scene.layout.device_strip, scene.device,
                device_strip_name(*snapshot), format_duration_ns(scene.device.top, 3),
                StripLook::kModelled);
  paint_strip(painter, scene, scene.layout.rate_strip, scene.rate, tr("tokens computed/s"), rate,
              StripLook::kColumns);
  paint_hover(painter, scene);
  paint_time_range(painter, scene);
  paint_ruler(painter, scene);
  paint_cursor(painter, scene);
  painter.restore();
}

double TimelinePainter::title_height() {
  return Theme::instance().px(28);
}

void TimelinePainter::paint_title(QPainter& painter, const QRectF& bounds) {
  const Theme& theme = Theme::instance();
  paint_surface(painter, bounds, theme.colors().surface);
  painter.setFont(theme.font(TextRole::kTitle, QFont::DemiBold));
  painter.setPen(theme.colors().text);
  draw_line(painter, bounds.adjusted(theme.px(12), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            tr("Timeline"));
}

void TimelinePainter::paint_gutter(QPainter& painter, const TimelineScene& scene) {
  const Theme& theme = Theme::instance();
  const TimelineLayout& layout = scene.layout;
  const double pad = theme.px(8);
  for (int i = layout.first_visible(); i < layout.last_visible(); ++i) {
    const TimelineLane& lane = *scene.model->lanes()[static_cast<size_t>(i)];
    const QRectF row(layout.bounds.left(), layout.lane_top(i), layout.gutter, layout.lane_height);
    const bool chosen =
        i == scene.range_lane ||
        (lane.kind == LaneKind::kRequest && static_cast<int>(lane.id) == scene.selected_request);
    if (lane.kind == LaneKind::kRequest) {
      const QRectF chip(row.left() + theme.px(4), row.center().y() - theme.px(6), theme.px(4),
                        theme.px(12));
      painter.fillRect(chip, theme.category_brush(lane.id));
    }
    painter.setPen(chosen ? theme.colors().accent : theme.colors().text);
    const QRectF text = row.adjusted(pad + theme.px(4), 0, -theme.px(4), 0);
    draw_line(painter, text, Qt::AlignVCenter | Qt::AlignLeft,
              elided_text(painter.font(), lane_name(lane), text.width()));
  }
}

void TimelinePainter::paint_lane(QPainter& painter, const TimelineScene& scene, int index) {
  const TimelineLayout& layout = scene.layout;
  const TimelineLane& lane = *scene.model->lanes()[static_cast<size_t>(index)];
  const double top = layout.lane_top(index);
  const ThemeColors& colors = Theme::instance().colors();
  painter.fillRect(QRectF(layout.lanes.left(), top, layout.lanes.width(), layout.lane_height),
                   track_color());
  if (index > 0) {
    const LaneKind above = scene.model->lanes()[static_cast<size_t>(index) - 1]->kind;
    const bool same = above == lane.kind ||
                      (above == LaneKind::kSteps && lane.kind == LaneKind::kKernels) ||
                      lane.kind == LaneKind::kMarks;
    if (!same)
      painter.fillRect(
          QRectF(layout.bounds.left(), top - layout.lane_gap, layout.bounds.width(), 1),
          colors.hatch);
  }
  if (index >= static_cast<int>(scene.lanes.size())) return;
  const LaneGeometry& geometry = scene.lanes[static_cast<size_t>(index)];
  for (size_t i = 0; i < geometry.bars.size(); ++i) {
    const TimelineBar& bar = geometry.bars[i];
    const QRectF rect = snapped({layout.lanes.left() + bar.x, top, bar.width, layout.lane_height});
    if (lane.kind == LaneKind::kMarks) {
      const bool last = i + 1 == geometry.bars.size();
      paint_mark(painter, scene, lane, bar, rect,
                 last ? layout.lanes.right() : layout.lanes.left() + geometry.bars[i + 1].x);
    } else {
      paint_bar(painter, scene, lane, bar, rect);
    }
  }
  if (scene.searching) paint_found(painter, scene, index);
  for (const float x : geometry.token_marks)
    painter.fillRect(QRectF(std::round(layout.lanes.left() + x), top + layout.lane_height * 0.72, 1,
                            layout.lane_height * 0.28),
                     colors.text);
  if (index >= static_cast<int>(scene.matches.size())) return;
  const double mark = Theme::instance().px(3);
  for (const TimelineBar& bar : scene.matches[static_cast<size_t>(index)]) {
    const QRectF rect = snapped({layout.lanes.left() + bar.x, top, bar.width, layout.lane_height});
    if (!bar.merged && rect.width() >= 6) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(colors.text, 2));
      painter.drawRect(rect.adjusted(1, 1, -1, -1));
    } else {
      painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), mark), colors.text);
      painter.fillRect(QRectF(rect.left(), rect.bottom() - mark, rect.width(), mark), colors.text);
    }
  }
}

void TimelinePainter::paint_found(QPainter& painter, const TimelineScene& scene, int index) {
  const QRectF& lanes = scene.layout.lanes;
  const double top = scene.layout.lane_top(index), height = scene.layout.lane_height;
  const TimelineLane& lane = *scene.model->lanes()[static_cast<size_t>(index)];
  QColor dim = track_color();
  dim.setAlphaF(0.8f);
  painter.fillRect(QRectF(lanes.left(), top, lanes.width(), height), dim);
  const double mark = Theme::instance().px(3);
  for (const TimelineBar& bar : scene.found[static_cast<size_t>(index)]) {
    const QRectF rect = snapped({lanes.left() + bar.x, top, bar.width, height});
    if (lane.kind == LaneKind::kMarks)
      paint_mark(painter, scene, lane, bar, rect, rect.right());
    else
      paint_bar(painter, scene, lane, bar, rect);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - mark, rect.width(), mark),
                     Theme::instance().colors().text);
  }
}

void TimelinePainter::paint_bar(QPainter& painter, const TimelineScene& scene,
                                const TimelineLane& lane, const TimelineBar& bar,
                                const QRectF& rect) {
  const ThemeColors& colors = Theme::instance().colors();
  if (is_waiting(bar.span_class) && !bar.merged) {
    painter.fillRect(rect, waiting_brush(bar.span_class));
    painter.setPen(QPen(span_color(bar.span_class, lane.kind), Theme::instance().line(1)));
    painter.setBrush(Qt::NoBrush);
    if (rect.width() >= 3) painter.drawRect(rect.adjusted(0, 0, -1, -1));
    paint_bar_text(painter, scene, lane, bar, rect, colors.surface);
    return;
  }
  const QColor fill = span_color(bar.span_class, lane.kind, bar.level);
  // A gap between neighbours keeps equal spans countable.
  const QRectF body = bar.merged || rect.width() < 3 ? rect : rect.adjusted(0, 0, -1, 0);
  painter.fillRect(body, fill);
  if (bar.span_class == SpanClass::kMixed && !bar.merged && bar.event < scene.events->size())
    paint_mixed_step(painter, (*scene.events)[bar.event], body);
  if (lane.kind == LaneKind::kSteps && rect.width() >= 6 && bar.span_class != SpanClass::kMixed)
    painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()),
                     span_color(bar.span_class, LaneKind::kKernels));
  if (!bar.merged) paint_bar_text(painter, scene, lane, bar, body, fill);
}

void TimelinePainter::paint_mark(QPainter& painter, const TimelineScene& scene,
                                 const TimelineLane& lane, const TimelineBar& bar,
                                 const QRectF& rect, double next) {
  const double half = mark_half_width();
  const QPointF at(rect.center().x(), rect.center().y());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(span_color(bar.span_class, LaneKind::kMarks));
  painter.drawPolygon(QPolygonF({at - QPointF(half, 0), at - QPointF(0, half),
                                 at + QPointF(half, 0), at + QPointF(0, half)}));
  painter.restore();
  if (bar.event >= scene.events->size()) return;
  const QString name =
      span_labels(lane, (*scene.events)[bar.event], bar.span_class, scene.model->snapshot().get())
          .first();
  const double left = at.x() + half + kTextMargin, width = small_width(name);
  if (left + width + kTextMargin + half > next) return;
  painter.setPen(Theme::instance().colors().text);
  draw_line(painter, QRectF(left, rect.top(), width + 1, rect.height()),
            Qt::AlignVCenter | Qt::AlignLeft, name);
}

void TimelinePainter::paint_mixed_step(QPainter& painter, const TraceEvent& step,
                                       const QRectF& body) {
  const double share = static_cast<double>(step.b) / (static_cast<double>(step.b) + step.c);
  // Least height of each part, so that neither vanishes.
  const double least = Theme::instance().px(3);
  const double height = std::clamp(std::round(share * body.height()), least, body.height() - least);
  painter.fillRect(QRectF(body.left(), body.top(), body.width(), height),
                   span_color(SpanClass::kPrefill, LaneKind::kSteps));
  painter.fillRect(QRectF(body.left(), body.top() + height, body.width(), body.height() - height),
                   span_color(SpanClass::kDecode, LaneKind::kSteps));
}

void TimelinePainter::paint_bar_text(QPainter& painter, const TimelineScene& scene,
                                     const TimelineLane& lane, const TimelineBar& bar,
                                     const QRectF& rect, const QColor& fill) {
  const double room = rect.width() - 2 * kTextMargin;
  if (room < small_text_height() * 0.6 || bar.event >= scene.events->size()) return;
  const EngineSnapshot* snapshot = scene.model->snapshot().get();
  for (const QString& label :
       span_labels(lane, (*scene.events)[bar.event], bar.span_class, snapshot)) {
    const double width = small_width(label);
    if (width > room) continue;
    const QRectF text(rect.left() + kTextMargin, rect.top(), room, rect.height());
    if (is_waiting(bar.span_class)) {  // a plain ground for letters
      painter.fillRect(QRectF(text.left() - 2, rect.top() + 3, width + 4, rect.height() - 6), fill);
      painter.setPen(Theme::instance().colors().text);
    } else {
      painter.setPen(Theme::instance().text_on(fill));
    }
    draw_line(painter, text, Qt::AlignVCenter | Qt::AlignLeft, label);
    return;
  }
}

void TimelinePainter::paint_strip(QPainter& painter, const TimelineScene& scene, const QRectF& rect,
                                  const StripGeometry& strip, const QString& name,
                                  const QString& value, StripLook look) {
  if (rect.isEmpty()) return;
  const bool lines_only = look != StripLook::kShare;
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  painter.fillRect(rect, track_color());
  const QRectF label(scene.layout.bounds.left() + theme.px(12), rect.top(),
                     scene.layout.gutter - theme.px(16), rect.height());
  painter.fillRect(QRectF(rect.left() - theme.px(3), rect.top(), theme.px(3), 1), colors.muted);
  const double number = small_width(value) + theme.px(6);
  painter.setPen(colors.text);
  draw_line(painter, label, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(painter.font(), name, std::max(0.0, label.width() - number)));
  painter.setPen(colors.muted);
  draw_line(painter, label, Qt::AlignRight | Qt::AlignTop, value);
  painter.save();
  painter.setClipRect(rect);
  const double height = rect.height() - 1;
  const auto y_of = [&](double v) {
    return rect.bottom() - std::clamp(v / strip.top, 0.0, 1.0) * height;
  };
  for (const StripColumn& column : strip.columns) {
    const double x = std::round(rect.left() + column.x);
    const double width = std::max(1.0, std::round(rect.left() + column.x + column.width) - x);
    const double high = y_of(column.high), low = y_of(column.low);
    // With lines_only a mixed step has a body in the colour of prefill and a line in that of
    // decode.
    const bool mixed = lines_only && column.span_class == SpanClass::kMixed;
    const SpanClass body_class = mixed ? SpanClass::kPrefill : column.span_class;
    const QColor color = lines_only ? span_color(body_class, LaneKind::kKernels) : colors.accent;
    QColor body = color;
    body.setAlphaF(lines_only ? 0.55f : 0.30f);
    const QRectF column_rect(x, high, width, rect.bottom() - high);
    if (look == StripLook::kModelled)
      painter.fillRect(column_rect, theme.modelled_brush(mix(track_color(), color, 0.55)));
    else
      painter.fillRect(column_rect, body);
    painter.fillRect(QRectF(x, high, width, std::max(1.5, low - high)),
                     mixed ? span_color(SpanClass::kDecode, LaneKind::kKernels) : color);
  }
  painter.restore();
}

void TimelinePainter::paint_later(QPainter& painter, const TimelineScene& scene) {
  if (!scene.cursor) return;
  const TimelineLayout& layout = scene.layout;
  const double from = std::max(0.0, scene.axis.to_pixel(static_cast<double>(scene.cursor->end_ns)));
  if (from >= layout.lanes.width()) return;
  const QRectF rest(std::round(layout.lanes.left() + from), layout.lanes.top(),
                    layout.lanes.width() - from, layout.lanes.height());
  const ThemeColors& colors = Theme::instance().colors();
  paint_surface(painter, rest, colors.surface);
  const QString label = tr("later");
  const double pad = Theme::instance().px(8);
  if (small_width(label) + 2 * pad > rest.width()) return;
  painter.setPen(colors.muted);
  draw_line(painter, rest.adjusted(pad, 0, -pad, 0), Qt::AlignCenter, label);
}

void TimelinePainter::paint_hover(QPainter& painter, const TimelineScene& scene) {
  if (scene.hover_x < 0) return;
  const TimelineLayout& layout = scene.layout;
  QColor line = Theme::instance().colors().text;
  line.setAlphaF(0.45f);
  painter.fillRect(QRectF(std::round(layout.lanes.left() + scene.hover_x), layout.lanes.top(), 1,
                          layout.bounds.bottom() - layout.lanes.top()),
                   line);
}

namespace {
constexpr SpanClass kLegend[] = {
    SpanClass::kPrefill,    SpanClass::kDecode, SpanClass::kLinear,   SpanClass::kOther,
    SpanClass::kCacheWrite, SpanClass::kCopy,   SpanClass::kSchedule, SpanClass::kQueued,
    SpanClass::kPreempted,  SpanClass::kSwapped};
// px at 100%: the first line of the legend, and a further one.
constexpr int kLegendLine = 24, kFurtherLine = 18;

// The width of an entry with the space behind it.
double legend_entry_width(SpanClass entry) {
  return small_width(text_of(entry)) + Theme::instance().px(10 + 4 + 10);
}

std::vector<QPointF> legend_places(double width) {
  std::vector<QPointF> places;
  QPointF next(0, 0);
  for (SpanClass entry : kLegend) {
    const double wide = legend_entry_width(entry);
    if (next.x() > 0 && next.x() + wide - Theme::instance().px(10) > width)
      next = {0, next.y() + Theme::instance().px(kFurtherLine)};
    places.push_back(next);
    next.rx() += wide;
  }
  return places;
}

}  // namespace

double TimelinePainter::legend_width() {
  double width = 0;
  for (SpanClass entry : kLegend) width += legend_entry_width(entry);
  return width;
}

double TimelinePainter::legend_height(double width) {
  return Theme::instance().px(kLegendLine) + legend_places(width).back().y();
}

void TimelinePainter::paint_legend(QPainter& painter, const QRectF& bounds) {
  const Theme& theme = Theme::instance();
  const double line = theme.px(kLegendLine);
  painter.save();
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setRenderHint(QPainter::Antialiasing, false);
  const std::vector<QPointF> places = legend_places(bounds.width());
  for (size_t i = 0; i < std::size(kLegend); ++i) {
    const SpanClass entry = kLegend[i];
    const QRectF box(bounds.topLeft() + places[i], QSizeF(legend_entry_width(entry), line));
    if (i > 0 && box.bottom() > bounds.bottom() + 1) break;
    const QRectF swatch(box.left(), std::round(box.center().y() - theme.px(5)), theme.px(10),
                        theme.px(10));
    if (is_waiting(entry)) {
      painter.fillRect(swatch, waiting_brush(entry));
      painter.setPen(span_color(entry, LaneKind::kRequest));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(swatch.adjusted(0, 0, -1, -1));
    } else {
      painter.fillRect(swatch, span_color(entry, LaneKind::kKernels));
    }
    painter.setPen(theme.colors().muted);
    draw_line(painter, QRectF(QPointF(swatch.right() + theme.px(4), box.top()), box.bottomRight()),
              Qt::AlignVCenter | Qt::AlignLeft, text_of(entry));
  }
  painter.restore();
}

}  // namespace attn::gui
