// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/link_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"

namespace attn::gui {
namespace {

// In a table with more entries than this, the links that are not lit are fainter.
constexpr size_t kQuietLinks = 24;
constexpr double kFlash = 0.3;  // opacity; the block's number stays readable

std::vector<int64_t> rows_of_chosen(const BlocksScene& scene) {
  std::vector<int64_t> rows;
  for (size_t i = 0; i < scene.order.size(); ++i)
    if (static_cast<int64_t>(request_of(*scene.snapshot, scene.order[i]).id) ==
        scene.highlight.request)
      rows.push_back(static_cast<int64_t>(i));
  return rows;
}

// The control point of the curve of an arrow. Arrows are bowed, so that moves there and back are
// two lines.
QPointF bow_of(const QLineF& line, double cell) {
  const double length = std::max(1.0, line.length());
  const double bow = std::max(0.12 * length, std::min(0.6 * cell, 0.5 * length));
  return line.center() + QPointF(-line.dy(), line.dx()) * (bow / length);
}

void paint_arrow(QPainter& painter, const QLineF& line, const QPointF& bow, double reach,
                 const QPen& pen, const QColor& ground) {
  const Theme& theme = Theme::instance();
  const auto at = [&](double t) {
    return line.p1() * (1 - t) * (1 - t) + bow * 2 * t * (1 - t) + line.p2() * t * t;
  };
  // The part of a quadratic curve up to the tip is a quadratic curve, too.
  const QPointF tip = at(reach);
  const QPointF control = line.p1() * (1 - reach) + bow * reach;
  QPainterPath path(line.p1());
  path.quadTo(control, tip);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(ground, pen.widthF() + 2, Qt::SolidLine, Qt::RoundCap));
  painter.drawPath(path);
  painter.setPen(pen);
  painter.drawPath(path);
  QLineF direction(control, tip);
  if (direction.length() < 1) return;
  direction.setLength(1);
  const QPointF along(direction.dx(), direction.dy()), across(-along.y(), along.x());
  const double head = theme.px(8);
  painter.setPen(QPen(ground, 1));
  painter.setBrush(pen.color());
  painter.drawPolygon(
      QPolygonF({tip + along * head * 0.4, tip - along * head * 0.6 + across * head * 0.5,
                 tip - along * head * 0.6 - across * head * 0.5}));
  painter.drawEllipse(line.p1(), pen.widthF() + 0.5, pen.widthF() + 0.5);
}

}  // namespace

QColor move_color(BlockMoved::Kind kind) {
  const ThemeColors& colors = Theme::instance().colors();
  return kind == BlockMoved::Kind::kCopy ? colors.warning : colors.accent;
}

QLineF line_of(const BlocksScene& scene, const BlockMoved& move) {
  // Arrows begin and end at three quarters of the height of a cell.
  const auto end = [&](int64_t place) {
    const QRectF cell = scene.rect_of(place);
    return QPointF(cell.center().x(), cell.top() + 0.75 * cell.height());
  };
  return {end(move.from), end(move.to)};
}

void paint_moves(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, true);
  const auto seen = [&](int64_t place) {
    return is_place(*scene.snapshot, place) &&
           scene.grid_of(place).area().intersects(scene.rect_of(place));
  };
  painter.setClipRect(scene.grid.area().united(scene.host.area()));
  for (const MoveArrow& arrow : scene.arrows) {
    const BlockMoved& move = arrow.move;
    if (!seen(move.from) || !seen(move.to)) continue;
    QColor color = move_color(move.kind), ground = theme.colors().surface;
    if (move.kind == BlockMoved::Kind::kCopy) {
      QColor flash = color;
      flash.setAlphaF(static_cast<float>(kFlash * arrow.strength));
      painter.fillRect(snapped(scene.rect_of(move.to), 2), flash);
    }
    color.setAlphaF(static_cast<float>(arrow.strength));
    ground.setAlphaF(static_cast<float>(0.8 * arrow.strength));
    // Only arrows of swap-outs are dashed: the direction of a short arrow is hard to see.
    const bool out = move.kind == BlockMoved::Kind::kSwapOut;
    QPen pen(color, 2, out ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap);
    const QLineF line = line_of(scene, move);
    paint_arrow(painter, line, bow_of(line, scene.grid_of(move.to).cell()), arrow.reach, pen,
                ground);
  }
  painter.restore();
}

namespace {

void paint_links_of(QPainter& painter, const BlocksScene& scene, int64_t row, LinkPart part) {
  const Theme& theme = Theme::instance();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const TableRow& table = scene.order[static_cast<size_t>(row)];
  const RequestView& request = request_of(snapshot, table);
  const QRectF body = scene.tables.body();
  const double middle = scene.tables.cell_rect(row, 0).center().y();
  if (middle < body.top() || middle > body.bottom()) return;
  painter.save();
  painter.setClipRect(
      scene.legend.isEmpty()
          ? scene.bounds
          : scene.bounds.adjusted(0, 0, 0, scene.legend.top() - scene.bounds.bottom()));
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setBrush(Qt::NoBrush);
  const auto length = static_cast<int64_t>(table_of(snapshot, table).size());
  const double deepest =
      scene.legend.isEmpty() ? scene.bounds.bottom() : scene.legend.top() + theme.px(4);
  const int64_t shown = scene.tables.shown_until(length);
  for (int64_t logical = 0; logical < shown; ++logical) {
    const int64_t place = table_place(snapshot, request, table.kind, logical);
    const QRectF from = scene.tables.cell_rect(row, logical);
    if (place < 0 || from.left() < body.left() - 1) continue;
    const QRectF to = scene.rect_of(place);
    if (!scene.grid_of(place).area().intersects(to)) continue;
    const bool lit = is_lit(scene, place) || scene.hovered == place;
    QColor color = theme.category_edge(request.id);
    color.setAlphaF(lit ? 1.0f : static_cast<size_t>(length) > kQuietLinks ? 0.18f : 0.42f);
    painter.setPen(QPen(color, theme.line(lit ? 2 : 1)));
    // Links go down from the table and into the block from below.
    const QPointF a(from.center().x(), from.bottom()), b(to.center().x(), to.bottom() - 3);
    const double low = std::max(a.y(), b.y()), hang = theme.px(20) + 0.06 * std::abs(a.x() - b.x());
    if (part == LinkPart::kCurves) {
      QPainterPath path(a);
      const double control = std::max(low + 4, std::min(low + hang, deepest));
      path.cubicTo(QPointF(a.x(), control), QPointF(b.x(), control), b);
      painter.drawPath(path);
    } else {
      painter.setBrush(color);
      painter.setPen(Qt::NoPen);
      painter.drawEllipse(b, lit ? 3 : 2, lit ? 3 : 2);
      painter.setBrush(Qt::NoBrush);
    }
  }
  painter.restore();
}

}  // namespace

void paint_links(QPainter& painter, const BlocksScene& scene, LinkPart part) {
  for (const int64_t row : rows_of_chosen(scene)) paint_links_of(painter, scene, row, part);
}

}  // namespace attn::gui
