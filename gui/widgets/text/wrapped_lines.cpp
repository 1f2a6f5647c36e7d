// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/text/wrapped_lines.h"

#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {

std::vector<QString> wrapped_lines(const QFont& font, const QString& text, double room) {
  std::vector<QString> lines;
  QString line;
  for (const QString& word : text.split(QLatin1Char(' '))) {
    const QString longer = line.isEmpty() ? word : line + QLatin1Char(' ') + word;
    if (!line.isEmpty() && text_width(font, longer) > room) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
  }
  lines.push_back(line);
  return lines;
}

std::vector<QString> title_lines(const QFont& font, const QString& text, double room,
                                 bool in_file) {
  if (in_file) return wrapped_lines(font, text, room);
  return {elided_text(font, text, room)};
}

std::vector<QString> figure_title_lines(const QFont& font, const QString& full,
                                        const QString& brief, double room) {
  for (const QString& one : {full, brief})
    if (text_width(font, one) <= room) return {one};
  std::vector<QString> lines;
  for (QString line : wrapped_lines(font, full, room)) {
    while (line.size() > 1 && text_width(font, line) > room) {
      qsizetype fits = 1;
      while (fits + 1 < line.size() && text_width(font, line.first(fits + 1)) <= room) ++fits;
      if (fits > 1 && line[fits - 1].isHighSurrogate()) --fits;
      lines.push_back(line.first(fits));
      line = line.mid(fits);
    }
    lines.push_back(line);
  }
  return lines;
}

void paint_lines(QPainter& painter, const QRectF& area, const std::vector<QString>& lines) {
  const double high = area.height() / static_cast<double>(lines.size());
  double top = area.top();
  for (const QString& line : lines) {
    draw_line(painter, QRectF(area.left(), top, area.width(), high),
              Qt::AlignLeft | Qt::AlignVCenter, line);
    top += high;
  }
}

}  // namespace attn::gui
