// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/range/time_range.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/timeline/timeline_painter.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {

TimeRange range_between(uint64_t one_ns, uint64_t other_ns) {
  const uint64_t begin = std::min(one_ns, other_ns);
  return {begin, std::max({one_ns, other_ns, begin + 1})};
}

std::optional<TimeRange> part_before(const TimeRange& range, uint64_t until_ns) {
  if (range.begin_ns >= until_ns) return std::nullopt;
  return TimeRange{range.begin_ns, std::min(range.end_ns, until_ns)};
}

QString range_words(const TimeRange& range) {
  const auto end = static_cast<double>(range.end_ns),
             length = static_cast<double>(std::max<uint64_t>(1, range.length_ns()));
  const int digits =
      std::clamp(static_cast<int>(std::ceil(std::log10(std::max(1.0, end / length)))) + 3, 4, 15);
  return tr("%1 – %2: %3")
      .arg(format_duration_ns(static_cast<double>(range.begin_ns), digits),
           format_duration_ns(end, digits), format_duration_ns(length, 4));
}

void paint_time_range(QPainter& painter, const TimelineScene& scene) {
  if (!scene.range) return;
  const ThemeColors& colors = Theme::instance().colors();
  const QRectF& lanes = scene.layout.lanes;
  const double from = scene.axis.to_pixel(static_cast<double>(scene.range->begin_ns)),
               to = scene.axis.to_pixel(static_cast<double>(scene.range->end_ns));
  if (to < 0 || from > lanes.width()) return;
  const double x0 = std::round(lanes.left() + std::max(0.0, from)),
               x1 = std::max(x0 + 1, std::round(lanes.left() + std::min(lanes.width(), to)));
  const QRectF band(x0, lanes.top(), x1 - x0, scene.layout.bounds.bottom() - lanes.top());
  QColor fill = colors.accent;
  fill.setAlphaF(0.16f);
  painter.fillRect(band, fill);
  if (from >= 0) painter.fillRect(QRectF(x0, band.top(), 1, band.height()), colors.accent);
  if (to <= lanes.width())
    painter.fillRect(QRectF(x1 - 1, band.top(), 1, band.height()), colors.accent);

  QString label = range_words(*scene.range);
  if (text_width(painter.font(), label) + 12 > lanes.width())
    label = format_duration_ns(static_cast<double>(scene.range->length_ns()), 4);
  const double width = text_width(painter.font(), label) + 12,
               height = QFontMetricsF(painter.font()).height() + 4;
  const double x = std::clamp(band.center().x() - width / 2, lanes.left(),
                              std::max(lanes.left(), lanes.right() - width));
  const QRectF chip(x, lanes.bottom() - height - 2, width, height);
  painter.fillRect(chip, colors.accent);
  painter.setPen(Theme::instance().text_on(colors.accent));
  draw_line(painter, chip, Qt::AlignCenter, label);
}

}  // namespace attn::gui
