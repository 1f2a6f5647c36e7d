// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/color_bar.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <algorithm>
#include <cmath>

#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

namespace {

QString tick_label(const ColorBar& bar, double value, double step) {
  const ColorScale& scale = bar.scale;
  if (bar.holds_all) return format_number(value, 3);
  if (scale.is_symmetric() && scale.high < 1) {
    const QString text = format_tick(value, step);
    if (value >= scale.high * 0.9999) return QStringLiteral("≥ ") + text;
    return value <= scale.low * 0.9999 ? QStringLiteral("≤ ") + text : text;
  }
  if (scale.kind == ColorScale::Kind::kLinear) return format_tick(value, step);
  const QString text = format_number(value, 1);
  return value <= scale.low * 1.0001 ? QStringLiteral("≤ ") + text : text;
}

QString heading(const ColorBar& bar) {
  return bar.unit.isEmpty() ? bar.quantity : QStringLiteral("%1 [%2]").arg(bar.quantity, bar.unit);
}

QLinearGradient gradient(const QRectF& strip, const ColorBar& bar) {
  const ColorTable& table = bar.colors ? *bar.colors : color_table(bar.map);
  QLinearGradient colors(strip.bottomLeft(), strip.topLeft());
  constexpr int kStops = 17;
  for (int i = 0; i <= kStops; ++i) {
    // Of a diverging table, entries 1..255 are used; entry 128 is the colour of 0.
    const int plain = i * 255 / kStops;
    const int entry = bar.colors ? 1 + i * 254 / kStops : bar.turned ? 255 - plain : plain;
    colors.setColorAt(i / static_cast<double>(kStops), QColor(table[static_cast<size_t>(entry)]));
  }
  if (bar.colors) colors.setColorAt(0.5, QColor(table[128]));
  return colors;
}

QString colors_name(const ColorBar& bar) {
  if (bar.colors) return QCoreApplication::translate("ColorBar", "diverging");
  return bar.turned ? QCoreApplication::translate("ColorBar", "%1, turned").arg(name_of(bar.map))
                    : name_of(bar.map);
}

// With diverging colours there is no mark if the marked value is below this and below the scale.
// Differences of weights are at least -1.
constexpr double kLowestDifference = -2;

}  // namespace

void paint_color_bar(QPainter& painter, const QRectF& bounds, const ColorBar& bar,
                     const PictureLook& look) {
  const ThemeColors& colors = look.colors;
  painter.save();
  painter.setFont(look.small);
  const QFontMetricsF metrics(painter.font());
  const double line = metrics.height();
  const double gap = look.px(4);

  painter.setPen(colors.text);
  draw_line(painter, QRectF(bounds.left(), bounds.top(), bounds.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(look.small, heading(bar), bounds.width()));
  painter.setPen(colors.muted);
  const QString below = QStringLiteral("%1, %2").arg(name_of(bar.scale.kind), colors_name(bar));
  draw_line(painter, QRectF(bounds.left(), bounds.bottom() - line, bounds.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter, elided_text(look.small, below, bounds.width()));

  const double top = bounds.top() + line + gap + line / 2;
  const double bottom = bounds.bottom() - line - gap - line / 2;
  const QRectF strip(bounds.left(), top, look.px(14), std::max(4.0, bottom - top));
  painter.fillRect(strip, gradient(strip, bar));
  painter.setPen(QPen(colors.line, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(strip);

  const int max_ticks = std::clamp(static_cast<int>(strip.height() / (line * 1.6)) + 1, 2, 6);
  const std::vector<double> ticks = bar.scale.ticks(max_ticks);
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
  for (double value : ticks) {
    const double y = strip.bottom() - bar.scale.position(value) * strip.height();
    painter.setPen(QPen(colors.muted, 1));
    painter.drawLine(QPointF(strip.right(), y), QPointF(strip.right() + gap, y));
    painter.setPen(colors.text);
    draw_line(painter,
              QRectF(strip.right() + 2 * gap, y - line / 2,
                     bounds.right() - strip.right() - 2 * gap, line),
              Qt::AlignLeft | Qt::AlignVCenter, tick_label(bar, value, step));
  }
  if (bar.marked >= (bar.colors ? std::min(kLowestDifference, bar.scale.low) : 0)) {
    const double y = strip.bottom() - bar.scale.position(bar.marked) * strip.height();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    const double r = look.px(5);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawPolygon(QPolygonF(
        {{strip.left() - 1, y}, {strip.left() - 1 - r, y - r}, {strip.left() - 1 - r, y + r}}));
  }
  painter.restore();
}

QString describe(const ColorBar& bar) {
  return QCoreApplication::translate("ColorBar", "%1, %2 to %3, %4, %5")
      .arg(heading(bar), format_number(bar.scale.low), format_number(bar.scale.high),
           name_of(bar.scale.kind), colors_name(bar));
}

}  // namespace attn::gui
