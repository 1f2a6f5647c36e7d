// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/prefix_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

bool is_held_by(const PrefixNode& node, int64_t request) {
  return std::ranges::any_of(
      node.holders, [request](uint32_t holder) { return static_cast<int64_t>(holder) == request; });
}

QString text_of(const PrefixNode& node) {
  QString text;
  if (node.tokens)
    for (const TokenView& token : *node.tokens) text += token_text(token.text).shown;
  return text;
}

// Draws the edge from the parent's right side to the left side of `node`. It has the colour of the
// chosen request if that request holds the node's block.
void paint_edge(QPainter& painter, const BlocksScene& scene, const PrefixNode& node) {
  const Theme& theme = Theme::instance();
  const QRectF from = scene.prefixes.rect_of(scene.tree.nodes()[static_cast<size_t>(node.parent)]),
               to = scene.prefixes.rect_of(node);
  const bool chosen = is_held_by(node, scene.highlight.request);
  const QColor color = chosen ? theme.category_edge(scene.highlight.request)
                              : mix(theme.colors().surface, theme.colors().muted, 0.6);
  painter.setPen(QPen(color, chosen ? 2 : 1));
  const QPointF a(from.right(), from.center().y()), b(to.left(), to.center().y());
  const double middle = (a.x() + b.x()) / 2;
  painter.drawPolyline(QPolygonF({a, {middle, a.y()}, {middle, b.y()}, b}));
}

// Draws small squares for the requests that hold the node's block, as many as fit, and after them
// the number of the other requests.
void paint_chips(QPainter& painter, const QRectF& room, const PrefixNode& node) {
  const Theme& theme = Theme::instance();
  const double side = theme.px(8), gap = 2;
  const auto count = static_cast<int>(node.holders.size());
  int shown = std::min(count, static_cast<int>((room.width() + gap) / (side + gap)));
  QString rest;
  while (shown > 0 && shown < count) {
    rest = QStringLiteral("+%1").arg(count - shown);
    if (shown * (side + gap) + text_width(painter.font(), rest) <= room.width()) break;
    --shown;
  }
  double x = room.right() - shown * (side + gap) + gap - text_width(painter.font(), rest);
  for (int i = 0; i < shown; ++i, x += side + gap) {
    const int64_t holder = node.holders[static_cast<size_t>(i)];
    painter.setPen(theme.category_edge(holder));
    painter.setBrush(theme.category_brush(holder));
    painter.drawRect(QRectF(x, std::round(room.center().y() - side / 2), side - 1, side - 1));
  }
  if (shown == 0 || rest.isEmpty()) return;
  painter.setPen(theme.colors().text);
  draw_line(painter, QRectF(x, room.top(), room.right() - x + 2, room.height()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, rest);
}

void paint_body(QPainter& painter, const BlocksScene& scene, const PrefixNode& node,
                const QRectF& body) {
  const ThemeColors& colors = Theme::instance().colors();
  painter.fillRect(body, colors.surface);
  if (node.block < 0) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(free_edge(), 1, Qt::DashLine));
  } else if (node.holders.empty()) {
    painter.setBrush(cached_brush());
    painter.setPen(free_edge());
  } else {
    const BlockCellStyle style = cell_style(scene, node.block);
    painter.fillRect(body, mix(colors.surface, style.color, 0.26));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(style.edge);
  }
  painter.drawRect(body.adjusted(0, 0, -1, -1));
}

// The plain ground makes words on a hatched node readable.
void paint_words(QPainter& painter, const QRectF& line, const QString& words, bool hatched) {
  const QFontMetricsF metrics(painter.font());
  const QString shown = elided_text(painter.font(), words, line.width());
  if (hatched)
    painter.fillRect(QRectF(line.left() - 1, line.center().y() - metrics.height() / 2 + 1,
                            text_width(painter.font(), shown) + 3, metrics.height() - 2),
                     Theme::instance().colors().surface);
  draw_line(painter, line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, shown);
}

void paint_node(QPainter& painter, const BlocksScene& scene, const PrefixNode& node) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const QRectF body = snapped(scene.prefixes.rect_of(node), 0);
  paint_body(painter, scene, node, body);
  painter.setFont(theme.mono(TextRole::kSmall));
  const bool cached = node.block >= 0 && node.holders.empty();
  const bool room_for_number = body.height() >= theme.px(14) && body.width() >= theme.px(24);
  const bool two_lines = body.height() >= theme.px(32) && body.width() >= theme.px(44);
  if (room_for_number) {
    QRectF line = body.adjusted(theme.px(4), 1, -theme.px(3), -1);
    if (two_lines) line.setHeight(line.height() / 2);
    painter.setPen(node.holders.empty() ? colors.muted : colors.text);
    const QString number = node.block < 0 ? QStringLiteral("–") : QString::number(node.block);
    paint_words(painter, line, number, cached);
    line.setLeft(line.left() + text_width(painter.font(), number) + theme.px(4));
    if (line.width() > 0) paint_chips(painter, line, node);
  }
  if (two_lines) {
    const QRectF line(body.left() + theme.px(4), body.center().y(), body.width() - theme.px(7),
                      body.height() / 2 - 1);
    painter.setPen(node.holders.empty() ? colors.muted : colors.text);
    paint_words(painter, line, text_of(node), cached);
  }
  if (node.block < 0) return;
  const bool lit = is_lit(scene, node.block), under = scene.hovered == node.block;
  const bool here = scene.focused && scene.keys_in_tree && scene.cursor == node.block;
  if (!lit && !under && !here) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(here  ? colors.accent
                      : lit ? colors.text
                            : colors.muted,
                      under && !lit ? 1 : 2));
  painter.drawRect(body.adjusted(0, 0, -1, -1));
}

}  // namespace

QString evicted_tooltip(const PrefixNode& node) {
  return QStringLiteral("<qt><b>%1</b><p style='margin-top:4px'>%2</p><p>%3</p></qt>")
      .arg(tr("Evicted block").toHtmlEscaped(), text_of(node).toHtmlEscaped(),
           tr("This block was evicted; the cached blocks that follow can be used again once this "
              "one has been computed again.")
               .toHtmlEscaped());
}

void paint_prefixes(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const QRectF area = scene.prefixes.area();
  painter.save();
  painter.setClipRect(area);
  if (scene.tree.nodes().empty()) {
    painter.setFont(theme.font(TextRole::kSmall));
    painter.setPen(theme.colors().muted);
    painter.drawText(
        area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
        tr("The prefix cache is empty. A block enters the cache once it is full and computed."));
    painter.restore();
    return;
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const PrefixNode& node : scene.tree.nodes())
    if (node.parent >= 0) paint_edge(painter, scene, node);
  for (const PrefixNode& node : scene.tree.nodes())
    if (scene.prefixes.rect_of(node).intersects(area)) paint_node(painter, scene, node);
  painter.restore();
}

}  // namespace attn::gui
