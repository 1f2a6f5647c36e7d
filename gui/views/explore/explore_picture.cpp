// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/explore_picture.h"

#include "gui/widgets/request/interventions_line.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/wrapped_lines.h"

namespace attn::gui {

QStringList ExplorePicture::marks(bool caption) const {
  return caption ? frame_.marks : frame_.marks.mid(0, frame_.marks_in_window);
}

std::vector<QString> ExplorePicture::lines_of(const QFont& font, const QString& text,
                                              double width) const {
  return title_lines(font, text, width, frame_.in_file);
}

std::vector<QString> ExplorePicture::title_of(double width) const {
  return figure_title_lines(look().title_bold, frame_.title, frame_.title, width);
}

double ExplorePicture::head_height(bool caption, double width) const {
  const double line = look().px(24);
  double title = 0;
  if (caption && !frame_.title.isEmpty())
    title = line + look().px(20) * static_cast<double>(title_of(width).size() - 1);
  return title + (marks(caption).isEmpty() ? 0 : line) + look().px(8);
}

double ExplorePicture::foot_height(double width) const {
  size_t lines = 0;
  for (const QString& check : frame_.checks) lines += lines_of(look().small, check, width).size();
  return look().px(18) * static_cast<double>(lines) + look().px(12);
}

double ExplorePicture::height(double width, bool caption) const {
  const double inner = width - 2 * edge();
  return head_height(caption, inner) + content_height(inner) + foot_height(inner);
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
    const std::vector<QString> title = title_of(width);
    const double high = line + look().px(20) * static_cast<double>(title.size() - 1);
    paint_lines(painter, QRectF(0, y, width, high), title);
    y += high;
  }
  if (const QStringList changes = marks(caption); !changes.isEmpty())
    paint_interventions(painter, QRectF(0, y, width, line), changes, look());
  painter.save();
  painter.translate(0, head_height(caption, width));
  paint_content(painter, width, cursor);
  painter.restore();
  painter.setFont(look().small);
  painter.setPen(look().colors.muted);
  y = head_height(caption, width) + content_height(width) + look().px(6);
  for (const QString& check : frame_.checks)
    for (const QString& part : lines_of(look().small, check, width)) {
      draw_line(painter, QRectF(0, y, width, look().px(18)), Qt::AlignLeft | Qt::AlignVCenter,
                part);
      y += look().px(18);
    }
  painter.restore();
}

std::optional<Spot> ExplorePicture::at(const QPointF& point, double width) const {
  const double inner = width - 2 * edge();
  return content_at(point - QPointF(edge(), head_height(false, inner)), inner);
}

QRectF ExplorePicture::box_of(const Spot& spot, double width) const {
  if (!spot.is_somewhere()) return {};
  const double inner = width - 2 * edge();
  return content_box(spot, inner).translated(edge(), head_height(false, inner));
}

}  // namespace attn::gui
