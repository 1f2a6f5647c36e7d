// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the ruler of the timeline with the time under the mouse and the marks of the selection,
// and the band and the flag of the shown past step.
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_painter.h"
#include "gui/views/timeline/timeline_text.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

double small_text_width(const QString& text) {
  return text_width(Theme::instance().font(TextRole::kSmall), text);
}

}  // namespace

void TimelinePainter::paint_ruler(QPainter& painter, const TimelineScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const QRectF& ruler = scene.layout.ruler;
  const QRectF whole(scene.layout.bounds.left(), ruler.top(), scene.layout.bounds.width(),
                     ruler.height());
  painter.fillRect(whole, colors.surface);
  const bool modelled = scene.model->modelled_time();
  const double band = theme.px(4);
  const QRectF band_rect(ruler.left(), ruler.bottom() - band - 1, ruler.width(), band);
  if (modelled) painter.fillRect(band_rect, theme.modelled_brush(colors.surface));
  painter.setPen(colors.muted);
  draw_line(painter,
            QRectF(whole.left() + theme.px(12), whole.top(), scene.layout.gutter - theme.px(16),
                   ruler.height() - band),
            Qt::AlignVCenter | Qt::AlignLeft, modelled ? tr("modelled time") : tr("time"));
  painter.fillRect(QRectF(whole.left(), ruler.bottom() - 1, whole.width(), 1), colors.line);

  painter.save();
  painter.setClipRect(ruler);
  const QRectF flag = step_flag(scene);
  const auto ticks = ruler_ticks(scene.axis, theme.px(90), [](double value, double step) {
    return format_time_tick_ns(value, step);
  });
  // The end of the ruler in pixels of the plot: that of a shown past step, else that of the plot.
  const double last = scene.cursor
                          ? scene.axis.to_pixel(static_cast<double>(scene.cursor->end_ns)) + 0.5
                          : ruler.width();
  for (const RulerTick& tick : ticks) {
    if (tick.pixel > last) break;
    const double x = std::round(ruler.left() + tick.pixel);
    painter.fillRect(QRectF(x, ruler.bottom() - band - 1, 1, band), colors.muted);
    const double label_end = x + theme.px(4) + small_text_width(tick.label);
    if (label_end > ruler.right()) continue;  // a number that would be cut is left out
    if (!flag.isEmpty() && label_end > flag.left() && x < flag.right()) continue;
    draw_line(painter, QRectF(x + theme.px(4), ruler.top(), theme.px(120), ruler.height() - band),
              Qt::AlignVCenter | Qt::AlignLeft, tick.label);
  }
  painter.restore();
  if (scene.hover_x >= 0 && scene.hover_x <= std::min(last, ruler.width())) {
    const QString label = format_duration_ns(scene.axis.to_content(scene.hover_x), 5);
    const double width = small_text_width(label) + theme.px(8);
    double x = std::clamp(ruler.left() + scene.hover_x - width / 2, ruler.left(),
                          std::max(ruler.left(), ruler.right() - width));
    if (!flag.isEmpty() && x < flag.right() && x + width > flag.left())
      x = flag.left() - width >= ruler.left() ? flag.left() - width : flag.right();
    const QRectF chip(x, ruler.top() + 1, width, ruler.height() - 2);
    painter.fillRect(chip, colors.raised);
    painter.setPen(colors.text);
    draw_line(painter, chip, Qt::AlignCenter, label);
  }
  paint_ruler_marks(painter, scene);
  if (!scene.axis.is_fit() && scene.axis.length() > 0) {
    const double from = (scene.axis.visible_begin() - scene.axis.begin) / scene.axis.length();
    const double to = (scene.axis.visible_end() - scene.axis.begin) / scene.axis.length();
    const double x = ruler.left() + from * ruler.width();
    painter.fillRect(
        QRectF(x, ruler.top(), std::max(6.0, (to - from) * ruler.width()), theme.px(2)),
        colors.accent);
  }
}

void TimelinePainter::paint_ruler_marks(QPainter& painter, const TimelineScene& scene) {
  const QRectF& ruler = scene.layout.ruler;
  const double size = Theme::instance().px(5), y = ruler.bottom() - 1;
  painter.save();
  painter.setClipRect(ruler);
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::instance().colors().accent);
  for (const TimelineBar& mark : scene.ruler_marks) {
    const double left = std::round(ruler.left() + mark.x),
                 right = std::max(left + 1, std::round(ruler.left() + mark.x + mark.width));
    painter.drawPolygon(QPolygonF({QPointF(left, y), QPointF(left - size, y - 2 * size),
                                   QPointF(right + size, y - 2 * size), QPointF(right, y)}));
  }
  const double middle = ruler.center().y();
  const auto arrow = [&](double tip, double inwards) {
    painter.drawPolygon(QPolygonF({QPointF(tip, middle), QPointF(tip + inwards, middle - size),
                                   QPointF(tip + inwards, middle + size)}));
  };
  if (scene.marks_before) arrow(ruler.left() + 1, 2 * size);
  if (scene.marks_after) arrow(ruler.right() - 1, -2 * size);
  painter.restore();
}

QString TimelinePainter::step_words(const TimelineScene& scene) {
  return tr("step %1").arg(QLocale().toString(scene.cursor_step));
}

QRectF TimelinePainter::step_band(const TimelineScene& scene) {
  if (!scene.cursor) return {};
  const TimelineLayout& layout = scene.layout;
  const double from = scene.axis.to_pixel(static_cast<double>(scene.cursor->begin_ns));
  const double to = scene.axis.to_pixel(static_cast<double>(scene.cursor->end_ns));
  if (to < 0 || from > layout.lanes.width()) return {};
  const double x0 = std::max(0.0, from), x1 = std::min(layout.lanes.width(), to);
  const double left = std::round(layout.lanes.left() + x0);
  const double right = std::round(layout.lanes.left() + x0 + std::max(2.0, x1 - x0));
  return {left, layout.ruler.top(), right - left, layout.bounds.bottom() - layout.ruler.top()};
}

QRectF TimelinePainter::step_flag(const TimelineScene& scene) {
  const QRectF band = step_band(scene);
  const QRectF& ruler = scene.layout.ruler;
  if (band.isEmpty()) return {};
  const Theme& theme = Theme::instance();
  const double width = small_text_width(step_words(scene)) + theme.px(10);
  const double x = std::clamp(band.right() - width / 2, ruler.left(),
                              std::max(ruler.left(), ruler.right() - width));
  return {x, ruler.top() + 1, width, ruler.height() - theme.px(5)};
}

void TimelinePainter::paint_cursor(QPainter& painter, const TimelineScene& scene) {
  const QRectF band = step_band(scene);
  if (band.isEmpty()) return;
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  QColor fill = colors.accent;
  fill.setAlphaF(0.12f);
  painter.fillRect(band, fill);
  painter.fillRect(QRectF(band.right() - 2, band.top(), 2, band.height()), colors.accent);
  const QRectF flag = step_flag(scene);
  painter.fillRect(flag, colors.accent);
  painter.setPen(theme.text_on(colors.accent));
  draw_line(painter, flag, Qt::AlignCenter, step_words(scene));
}

}  // namespace attn::gui
