// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/explore_picture.h"

#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

QStringList ExplorePicture::marks(bool caption) const {
  return caption ? frame_.marks : frame_.marks.mid(0, frame_.marks_in_window);
}

std::vector<QString> ExplorePicture::lines_of(const QFont& font, const QString& text,
                                              double width) const {
  return title_lines(font, text, width, frame_.in_file);
}

double ExplorePicture::head_height(bool caption) const {
  const double line = look().px(24);
  return (caption && !frame_.title.isEmpty() ? line : 0) + (marks(caption).isEmpty() ? 0 : line) +
         look().px(8);
}

double ExplorePicture::foot_height(double width) const {
  size_t lines = 0;
  for (const QString& check : frame_.checks) lines += lines_of(look().small, check, width).size();
  return look().px(18) * static_cast<double>(lines) + look().px(12);
}

double ExplorePicture::height(double width, bool caption) const {
  return head_height(caption) + content_height(width - 2 * edge()) +
         foot_height(width - 2 * edge());
}

void ExplorePicture::paint(QPainter& painter, const QRectF& bounds, bool caption,
                           const Spot& cursor) const {
  const double width = bounds.width() - 2 * edge(), line = look().px(24);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(bounds.left() + edge(), bounds.top());
  double y = look().px(4);
  if (caption && !frame_.title.isEmpty()) {
    painter.setFont(look().title_bold);
    painter.setPen(look().colors.text);
    draw_line(painter, QRectF(0, y, width, line), Qt::AlignLeft | Qt::AlignVCenter,
              elided_text(look().title_bold, frame_.title, width));
    y += line;
  }
  if (const QStringList changes = marks(caption); !changes.isEmpty())
    paint_interventions(painter, QRectF(0, y, width, line), changes, look());
  painter.save();
  painter.translate(0, head_height(caption));
  paint_content(painter, width, cursor);
  painter.restore();
  painter.setFont(look().small);
  painter.setPen(look().colors.muted);
  y = head_height(caption) + content_height(width) + look().px(6);
  for (const QString& check : frame_.checks)
    for (const QString& part : lines_of(look().small, check, width)) {
      draw_line(painter, QRectF(0, y, width, look().px(18)), Qt::AlignLeft | Qt::AlignVCenter,
                part);
      y += look().px(18);
    }
  painter.restore();
}

std::optional<Spot> ExplorePicture::at(const QPointF& point, double width) const {
  return content_at(point - QPointF(edge(), head_height(false)), width - 2 * edge());
}

QRectF ExplorePicture::box_of(const Spot& spot, double width) const {
  if (!spot.is_somewhere()) return {};
  return content_box(spot, width - 2 * edge()).translated(edge(), head_height(false));
}

}  // namespace attn::gui
