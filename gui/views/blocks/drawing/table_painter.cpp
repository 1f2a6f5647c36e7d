// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/table_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

void paint_table_row(QPainter& painter, const BlocksScene& scene, int64_t row) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const TableLayout& tables = scene.tables;
  const TableRow& table = scene.order[static_cast<size_t>(row)];
  const RequestView& request = request_of(snapshot, table);
  const bool is_empty = table_of(snapshot, table).empty();
  const QRectF line = tables.row_rect(row);
  const auto id = static_cast<int64_t>(request.id);
  const bool is_shown = id == scene.highlight.shown;
  const QRectF name(line.left(), line.top(), tables.gutter - theme.px(8),
                    line.height() - tables.gap);
  // The shown request has a ground, and another one that the selection belongs to has a frame.
  const QRectF whole(line.left(), line.top(), line.width(), line.height() - tables.gap);
  if (is_shown) {
    painter.fillRect(whole, mix(colors.surface, colors.accent, 0.12));
  } else if (id == scene.highlight.request) {
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  painter.fillRect(
      QRectF(name.left() + theme.px(2), name.center().y() - theme.px(6), theme.px(4), theme.px(12)),
      theme.category_brush(request.id));
  painter.setFont(theme.font(TextRole::kSmall, is_shown ? QFont::DemiBold : QFont::Normal));
  painter.setPen(is_empty ? colors.muted : colors.text);
  const QRectF text = name.adjusted(theme.px(12), 0, 0, 0);
  draw_line(painter, text, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(painter.font(), table_label(snapshot, table), text.width()));
  const QRectF body = tables.body();
  painter.save();
  painter.setClipRect(body, Qt::IntersectClip);
  if (is_empty) {
    // Only the name may be bold: bold words would need more room.
    painter.setFont(theme.font(TextRole::kSmall));
    const QRectF place(body.left(), line.top(), body.width(), name.height());
    const QString why = elided_text(painter.font(), why_no_blocks(request), place.width());
    // A plain ground under the words, because links pass under the row.
    QRectF ground = place;
    ground.setWidth(text_width(painter.font(), why) + 4);
    if (!is_shown) painter.fillRect(ground, colors.surface);
    draw_line(painter, place, Qt::AlignLeft | Qt::AlignVCenter, why);
    painter.restore();
    return;
  }
  painter.setFont(theme.mono(TextRole::kSmall));
  const auto first = static_cast<int64_t>(tables.scroll_x / tables.cell);
  const auto entries = static_cast<int64_t>(table_of(snapshot, table).size());
  const int64_t last = tables.shown_until(entries);
  const QColor edge = theme.category_edge(request.id);
  for (int64_t logical = first; logical < last; ++logical) {
    const int64_t place = table_place(snapshot, request, table.kind, logical);
    if (place < 0) continue;
    const QRectF cell = snapped(tables.cell_rect(row, logical), 0);
    BlockCellStyle style = cell_style(scene, place);
    style.numbered = true;
    if (scene.coloring.by == BlockColorBy::kOwner) style.edge = edge;
    paint_block_cell(painter, cell, view_at(snapshot, place), style);
    const bool lit = is_lit(scene, place), under = scene.hovered == place;
    if (!lit && !under) continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(lit ? colors.text : colors.muted, lit ? 2 : 1));
    painter.drawRect(cell.adjusted(lit ? 1 : 0, lit ? 1 : 0, -1, -1));
  }
  if (last < entries) {
    painter.setPen(colors.muted);
    draw_line(painter, QRectF(body.right() - tables.more, line.top(), tables.more, name.height()),
              Qt::AlignRight | Qt::AlignVCenter, mark_of_more(entries - last));
  }
  painter.restore();
}

void paint_slots(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const int64_t place = scene.highlight.primary;
  if (!is_place(snapshot, place)) return;
  const BlockView& view = view_at(snapshot, place);
  const BlockTokens tokens = tokens_of(snapshot, place);
  const QRectF area = scene.tables.strip_rect();
  painter.fillRect(QRectF(area.left(), area.top() + theme.px(2), area.width(), 1), colors.line);
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(colors.text);
  const QRectF title(area.left() + theme.px(2), area.top() + theme.px(4),
                     area.width() - theme.px(4), theme.px(18));
  QString sentence = block_sentence(snapshot, place);
  if (tokens.filled > 0)
    sentence += tr(", tokens %1 to %2").arg(tokens.first).arg(tokens.first + tokens.filled - 1);
  draw_line(painter, title, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(painter.font(), sentence, title.width()));
  const QRectF line(area.left(), title.bottom() + 2, area.width(), theme.px(20));
  const double width =
      line.width() / static_cast<double>(std::max<int64_t>(1, snapshot.block_size));
  TokenLabelStyle style{theme.mono(TextRole::kSmall), colors.text, colors.muted, Qt::AlignLeft,
                        false};
  const QColor color = cell_style(scene, place).color;
  for (int64_t slot = 0; slot < snapshot.block_size; ++slot) {
    const double x = std::round(line.left() + static_cast<double>(slot) * width);
    const QRectF cell(
        x, line.top(),
        std::max(2.0, std::round(line.left() + static_cast<double>(slot + 1) * width) - x - 1),
        line.height());
    if (slot < view.filled) {
      painter.fillRect(cell, mix(colors.surface, color, 0.35));
      const std::string* text = tokens.text(slot);
      if (text && cell.width() >= theme.px(14))
        paint_token(painter, cell.adjusted(2, 0, 0, 0), token_text(*text), style);
      const int64_t position = tokens.first + slot;
      if (scene.highlight.first_token == position && scene.highlight.last_token == position)
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 2, cell.width(), 2), colors.text);
    } else {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(free_edge());
      painter.drawRect(cell.adjusted(0, 0, -1, -1));
    }
  }
}

}  // namespace

void paint_tables(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const TableLayout& tables = scene.tables;
  painter.save();
  painter.setClipRect(tables.area);
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(colors.muted);
  const QRectF corner(tables.area.left(), tables.area.top(), tables.gutter - theme.px(6),
                      tables.header);
  const bool in_full = text_width(painter.font(), tr("logical block")) <= corner.width();
  draw_line(painter, corner, Qt::AlignLeft | Qt::AlignVCenter,
            in_full ? tr("logical block") : tr("logical"));
  const QRectF body = tables.body();
  painter.setFont(theme.mono(TextRole::kSmall));
  painter.save();
  painter.setClipRect(QRectF(body.left(), tables.area.top(), body.width(), tables.header));
  const auto first = static_cast<int64_t>(tables.scroll_x / tables.cell);
  // No number is cut at the right: a column that does not fit has none.
  for (int64_t logical = first; logical < tables.columns_until(); ++logical) {
    const QRectF cell = tables.cell_rect(0, logical);
    paint_cell_text(painter,
                    QRectF(cell.left() - 4, tables.area.top(), cell.width() + 8, tables.header),
                    QString::number(logical));
  }
  painter.restore();
  painter.save();
  painter.setClipRect(QRectF(tables.area.left(), body.top(), tables.area.width(), body.height()));
  for (int64_t row = 0; row < tables.num_rows; ++row) {
    const QRectF line = tables.row_rect(row);
    if (line.bottom() < body.top()) continue;
    if (line.top() > body.bottom()) break;
    paint_table_row(painter, scene, row);
  }
  painter.restore();
  if (tables.max_scroll_y() > 0) paint_thumb(painter, tables, true);
  if (tables.max_scroll_x() > 0) paint_thumb(painter, tables, false);
  if (tables.slot_strip > 0) paint_slots(painter, scene);
  painter.restore();
}

}  // namespace attn::gui
