// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/block_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/blocks/block_paint_util.h"
#include "gui/widgets/ticks.h"
#include "gui/widgets/token_label.h"

namespace attn::gui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Blocks", text);
}

int64_t digits(int64_t value) {
  return static_cast<int64_t>(std::to_string(std::max<int64_t>(0, value)).size());
}

bool contains(const std::vector<int32_t>& blocks, int64_t block) {
  return std::find(blocks.begin(), blocks.end(), static_cast<int32_t>(block)) != blocks.end();
}

// Columns in which the slots of a block can be shown as text in its cell; 0: there is no room.
int64_t slot_columns(const QRectF& body, int64_t block_size) {
  const Theme& theme = Theme::instance();
  const auto columns = static_cast<int64_t>(body.width() / theme.px(56));
  if (columns < 1 || block_size < 1) return 0;
  const int64_t rows = (block_size + columns - 1) / columns;
  return static_cast<double>(rows * theme.px(14) + theme.px(23)) <= body.height()
             ? std::min(columns, block_size)
             : 0;
}

QString why_no_blocks(const RequestView& request) {
  if (request.state == RequestState::kSwapped)
    return tr("swapped out, %1 blocks in the swap pool")
        .arg(format_count(static_cast<int64_t>(request.swap_table.size())));
  return is_finished(request.state) ? tr("finished, its blocks are free again")
                                    : tr("waiting, holds no block");
}

// Names that are measured; the first stand for all.
constexpr size_t kMeasured = 48;

}  // namespace

TableText measure_tables(const EngineSnapshot& snapshot, const std::vector<int>& order) {
  const Theme& theme = Theme::instance();
  const QFontMetricsF metrics(theme.font(TextRole::kSmall));
  TableText text;
  text.names = theme.px(40);
  for (size_t i = 0; i < std::min(kMeasured, order.size()); ++i) {
    const RequestView& request = snapshot.requests[static_cast<size_t>(order[i])];
    text.names =
        std::max(text.names, metrics.horizontalAdvance(request_label(snapshot, request.id)));
    if (request.blocks.empty())
      text.sentences = std::max(text.sentences,
                                std::ceil(metrics.horizontalAdvance(why_no_blocks(request))) + 2);
  }
  text.names += theme.px(24);
  return text;
}

void arrange(BlocksScene& scene, const QRectF& bounds, bool with_legend) {
  const Theme& theme = Theme::instance();
  const double pad = theme.px(8), gap = theme.px(16);
  scene.bounds = bounds;
  QRectF inside = bounds.adjusted(pad, pad, -pad, -pad);
  scene.legend = {};
  if (with_legend && inside.height() > theme.px(60)) {
    scene.legend =
        QRectF(inside.left(), inside.bottom() - theme.px(16), inside.width(), theme.px(16));
    inside.setBottom(scene.legend.top() - theme.px(6));
  }
  const EngineSnapshot* snapshot = scene.snapshot.get();
  const auto num_blocks = snapshot ? static_cast<int64_t>(snapshot->blocks.size()) : 0;

  TableLayout& tables = scene.tables;
  const QFontMetricsF mono(theme.mono(TextRole::kSmall));
  tables.num_rows = static_cast<int64_t>(scene.order.size());
  tables.longest = 0;
  for (const int index : scene.order)
    tables.longest = std::max(
        tables.longest,
        static_cast<int64_t>(snapshot->requests[static_cast<size_t>(index)].blocks.size()));
  const TableText text = snapshot ? measure_tables(*snapshot, scene.order) : TableText{};
  tables.header = theme.px(18);
  tables.row = theme.px(24);
  tables.gap = theme.px(2);
  tables.cell = std::max(theme.px(26) * 1.0, std::ceil(static_cast<double>(digits(num_blocks - 1)) *
                                                       mono.horizontalAdvance(QLatin1Char('0'))) +
                                                 theme.px(12));
  // The tables take what they need, between a third and 60% of the width; the rest is the grid's.
  const bool both = scene.show_grid && scene.show_tables;
  tables.gutter =
      std::round(std::min(text.names, inside.width() * (both ? 0.16 : 0.3) + theme.px(24)));
  const double needed =
      tables.gutter +
      std::max(text.sentences,
               static_cast<double>(std::max<int64_t>(tables.longest, 4)) * tables.cell);
  const double share =
      both ? std::clamp(needed, inside.width() * 0.36, inside.width() * 0.6) : inside.width();
  const double tables_width = scene.show_tables ? share : 0;
  const double grid_width = scene.show_grid ? inside.width() - tables_width - (both ? gap : 0) : 0;
  tables.area = QRectF(inside.right() - tables_width, inside.top(), tables_width, inside.height());
  // The slots of the chosen block stand under the tables when a row and they fit.
  const double slot_strip = theme.px(48);
  tables.slot_strip = scene.highlight.primary >= 0 &&
                              tables.area.height() >= tables.header + tables.row + slot_strip
                          ? slot_strip
                          : 0;
  tables.clamp();
  scene.grid.set_scale_of_text(theme.text_percent());
  scene.grid.set_num_blocks(num_blocks);
  scene.grid.set_area(
      QRectF(inside.left(), inside.top(), std::max(0.0, grid_width), inside.height()));
  // A grid that needs less than its part has the tables next to it: short links.
  if (both && scene.grid.is_fit() && num_blocks > 0) {
    const double used = scene.grid.rect_of(scene.grid.columns() - 1).right() + 2 * gap;
    tables.area.setLeft(std::min(tables.area.left(), used));
    tables.clamp();
  }
}

void BlockPainter::paint(QPainter& painter, const BlocksScene& scene) {
  painter.save();
  painter.fillRect(scene.bounds, Theme::instance().colors().surface);
  if (scene.snapshot) {
    // Links lie under both parts, so that none crosses a number or a name; their ends lie on top.
    const bool both = scene.show_grid && scene.show_tables;
    if (both) paint_links(painter, scene, LinkPart::kCurves);
    if (scene.show_grid) paint_grid(painter, scene);
    if (scene.show_tables) paint_tables(painter, scene);
    if (both) paint_links(painter, scene, LinkPart::kEnds);
    if (!scene.legend.isEmpty()) paint_legend(painter, scene);
  }
  painter.restore();
}

void BlockPainter::paint_grid(QPainter& painter, const BlocksScene& scene) {
  painter.save();
  painter.setClipRect(scene.grid.area());
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (scene.grid.cell() < kOwnCell) {
    paint_grid_image(painter, scene);
  } else {
    painter.setFont(Theme::instance().mono(TextRole::kSmall));
    const BlockGrid::Span span = scene.grid.visible();
    for (int64_t row = span.first_row; row < span.last_row; ++row)
      for (int64_t column = span.first_column; column < span.last_column; ++column) {
        const int64_t block = row * scene.grid.columns() + column;
        if (block < scene.grid.num_blocks()) paint_block(painter, scene, block);
      }
  }
  paint_flashes(painter, scene);
  const ThemeColors& colors = Theme::instance().colors();
  const auto outline = [&](int64_t block, const QColor& color, double width) {
    if (block < 0 || block >= scene.grid.num_blocks()) return;
    QRectF rect = scene.grid.rect_of(block);
    const double grow = std::max(0.0, (6 - rect.width()) / 2);  // never too small to find
    rect = rect.adjusted(-grow, -grow, grow, grow);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width));
    painter.drawRect(rect.adjusted(width / 2 - 1, width / 2 - 1, -width / 2, -width / 2));
  };
  painter.setRenderHint(QPainter::Antialiasing, true);
  if (scene.hovered >= 0) outline(scene.hovered, colors.muted, 1);
  for (const int32_t block : scene.highlight.blocks) outline(block, colors.text, 2);
  if (scene.focused && scene.cursor >= 0) outline(scene.cursor, colors.accent, 2);
  painter.restore();
}

// A block that was taken shines in the colour of its outline; of one that was freed its owner's
// colour fades away.
void BlockPainter::paint_flashes(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  constexpr double kStrongest = 0.6;  // the number stays readable
  for (const BlockFlash& flash : scene.flashes) {
    if (flash.block >= scene.grid.num_blocks()) continue;
    const double gap = scene.grid.cell() < 4 ? 0 : scene.grid.cell() < 16 ? 1 : 2;
    const QRectF body = snapped(scene.grid.rect_of(flash.block), gap);
    if (!body.intersects(scene.grid.area())) continue;
    QColor color = flash.taken ? theme.colors().good : theme.category(flash.owner);
    color.setAlphaF(static_cast<float>(kStrongest * flash.strength));
    painter.fillRect(body, color);
  }
}

// One pixel per block, scaled up without smoothing; a line between cells where they are large
// enough to be told apart.
void BlockPainter::paint_grid_image(QPainter& painter, const BlocksScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  const BlockGrid& grid = scene.grid;
  const EngineSnapshot& snapshot = *scene.snapshot;
  if (image_of_.lock() != scene.snapshot || image_by_ != scene.coloring.by ||
      image_columns_ != grid.columns() || image_ground_ != colors.surface.rgb()) {
    image_ = QImage(static_cast<int>(grid.columns()), static_cast<int>(grid.rows()),
                    QImage::Format_RGB32);
    image_.fill(colors.surface);
    const QRgb free = mix(colors.surface, colors.line, 0.6).rgb();
    const QRgb cached = mix(colors.surface, free_edge(), 0.6).rgb();
    // Owner colours repeat in runs: look each up once.
    int32_t last_owner = -1;
    QRgb last_color = 0;
    const bool by_owner = scene.coloring.by == BlockColorBy::kOwner;
    for (size_t i = 0; i < snapshot.blocks.size(); ++i) {
      const BlockView& block = snapshot.blocks[i];
      QRgb color = block.is_cached() ? cached : free;
      if (block.ref_count > 0) {
        if (!by_owner || block.owner != last_owner)
          last_color = scene.coloring.color(block, snapshot.step).rgb();
        last_owner = block.owner;
        color = last_color;
      }
      const auto at = static_cast<int64_t>(i);
      reinterpret_cast<QRgb*>(
          image_.scanLine(static_cast<int>(at / grid.columns())))[at % grid.columns()] = color;
    }
    image_of_ = scene.snapshot;
    image_by_ = scene.coloring.by;
    image_columns_ = grid.columns();
    image_ground_ = colors.surface.rgb();
  }
  const QRectF first = grid.rect_of(0);
  const QRectF whole(first.left(), first.top(), grid.cell() * static_cast<double>(grid.columns()),
                     grid.cell() * static_cast<double>(grid.rows()));
  painter.setRenderHint(QPainter::SmoothPixmapTransform, grid.cell() < 1);
  painter.drawImage(whole, image_);
  if (grid.cell() < 4) return;
  const BlockGrid::Span span = grid.visible();
  for (int64_t column = span.first_column; column <= span.last_column; ++column) {
    const double x = std::round(first.left() + static_cast<double>(column) * grid.cell());
    painter.fillRect(QRectF(x - 1, whole.top(), 1, whole.height()), colors.surface);
  }
  for (int64_t row = span.first_row; row <= span.last_row; ++row) {
    const double y = std::round(first.top() + static_cast<double>(row) * grid.cell());
    painter.fillRect(QRectF(whole.left(), y - 1, whole.width(), 1), colors.surface);
  }
}

void BlockPainter::paint_block(QPainter& painter, const BlocksScene& scene, int64_t block) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
  const double gap = scene.grid.cell() < 16 ? 1 : 2;
  const QRectF body = snapped(scene.grid.rect_of(block), gap);
  const bool numbered =
      scene.grid.cell() >= kNumberCell * theme.text_percent() / 100.0 &&
      QFontMetricsF(painter.font()).horizontalAdvance(QString::number(block)) <= body.width() - 4;
  BlockCellStyle style;
  style.block = block;
  style.numbered = numbered;
  style.block_size = snapshot.block_size;
  style.step = snapshot.step;
  if (view.ref_count > 0) {
    style.color = scene.coloring.color(view, snapshot.step);
    style.fill = scene.coloring.brush(view, snapshot.step);
    style.edge = scene.coloring.by == BlockColorBy::kOwner ? theme.category_edge(view.owner)
                                                           : mix(style.color, colors.text, 0.25);
  }
  const int64_t columns = view.ref_count > 0 ? slot_columns(body, snapshot.block_size) : 0;
  style.slots_as_text = columns > 0;
  paint_block_cell(painter, body, view, style);
  if (columns > 0) paint_block_tokens(painter, scene, block, body, columns);
}

// A block so large that its tokens can be read: its slots under the number, row by row as a text is
// read.
void BlockPainter::paint_block_tokens(QPainter& painter, const BlocksScene& scene, int64_t block,
                                      const QRectF& body, int64_t columns) {
  const Theme& theme = Theme::instance();
  const BlockTokens tokens = tokens_of(*scene.snapshot, block);
  const int64_t block_size = scene.snapshot->block_size;
  const QRectF area = body.adjusted(theme.px(4), theme.px(20), -theme.px(3), -theme.px(3));
  const int64_t rows = (block_size + columns - 1) / columns;
  columns = (block_size + rows - 1) / rows;  // no row much shorter than the others
  const double height = area.height() / static_cast<double>(rows),
               width = area.width() / static_cast<double>(columns);
  TokenLabelStyle style{theme.mono(TextRole::kSmall), theme.colors().text, theme.colors().muted,
                        Qt::AlignLeft, false};
  const QColor owner = scene.coloring.color(scene.snapshot->blocks[static_cast<size_t>(block)],
                                            scene.snapshot->step);
  for (int64_t slot = 0; slot < block_size; ++slot) {
    const double left = area.left() + static_cast<double>(slot % columns) * width;
    const double top = area.top() + static_cast<double>(slot / columns) * height;
    const QRectF cell = snapped({left, top, width, height}, 1);
    const std::string* text = tokens.text(slot);
    const int64_t position = tokens.first + slot;
    if (text) {
      painter.fillRect(cell, mix(theme.colors().surface, owner, 0.45));
      paint_token(painter, cell.adjusted(3, 0, -1, 0), token_text(*text), style);
      const bool marked = block == scene.highlight.primary &&
                          scene.highlight.first_token == position &&
                          scene.highlight.last_token == position;
      if (marked)
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 2, cell.width(), 2),
                         theme.colors().text);
    } else {
      painter.setPen(free_edge());
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(cell.adjusted(0, 0, -1, -1));
    }
  }
}

void BlockPainter::paint_tables(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const TableLayout& tables = scene.tables;
  painter.save();
  painter.setClipRect(tables.area);
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(colors.muted);
  const QRectF corner(tables.area.left(), tables.area.top(), tables.gutter - theme.px(6),
                      tables.header);
  const bool in_full =
      QFontMetricsF(painter.font()).horizontalAdvance(tr("logical block")) <= corner.width();
  painter.drawText(corner, Qt::AlignLeft | Qt::AlignVCenter,
                   in_full ? tr("logical block") : tr("logical"));
  const QRectF body = tables.body();
  painter.setFont(theme.mono(TextRole::kSmall));
  painter.save();
  painter.setClipRect(QRectF(body.left(), tables.area.top(), body.width(), tables.header));
  const auto first = static_cast<int64_t>(tables.scroll_x / tables.cell);
  const int64_t last =
      std::min(tables.longest, first + static_cast<int64_t>(body.width() / tables.cell) + 2);
  for (int64_t logical = first; logical < last; ++logical) {
    const QRectF cell = tables.cell_rect(0, logical);
    painter.drawText(QRectF(cell.left() - 4, tables.area.top(), cell.width() + 8, tables.header),
                     Qt::AlignCenter, QString::number(logical));
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

void BlockPainter::paint_table_row(QPainter& painter, const BlocksScene& scene, int64_t row) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const TableLayout& tables = scene.tables;
  const RequestView& request =
      snapshot.requests[static_cast<size_t>(scene.order[static_cast<size_t>(row)])];
  const QRectF line = tables.row_rect(row);
  const bool chosen = static_cast<int64_t>(request.id) == scene.highlight.request;
  const QRectF name(line.left(), line.top(), tables.gutter - theme.px(8),
                    line.height() - tables.gap);
  if (chosen)
    painter.fillRect(QRectF(line.left(), line.top(), line.width(), line.height() - tables.gap),
                     mix(colors.surface, colors.accent, 0.12));
  painter.fillRect(
      QRectF(name.left() + theme.px(2), name.center().y() - theme.px(6), theme.px(4), theme.px(12)),
      theme.category_brush(request.id));
  painter.setFont(theme.font(TextRole::kSmall, chosen ? QFont::DemiBold : QFont::Normal));
  painter.setPen(request.blocks.empty() ? colors.muted : colors.text);
  const QRectF text = name.adjusted(theme.px(12), 0, 0, 0);
  painter.drawText(
      text, Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(painter.font())
          .elidedText(request_label(snapshot, request.id), Qt::ElideRight, text.width()));
  const QRectF body = tables.body();
  painter.save();
  painter.setClipRect(body, Qt::IntersectClip);
  if (request.blocks.empty()) {
    const QFontMetricsF metrics(painter.font());
    const QRectF place(body.left(), line.top(), body.width(), name.height());
    const QString why = metrics.elidedText(why_no_blocks(request), Qt::ElideRight, place.width());
    // A plain ground under the words, for links pass under the row.
    QRectF ground = place;
    ground.setWidth(metrics.horizontalAdvance(why) + 4);
    if (!chosen) painter.fillRect(ground, colors.surface);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, why);
    painter.restore();
    return;
  }
  painter.setFont(theme.mono(TextRole::kSmall));
  const auto first = static_cast<int64_t>(tables.scroll_x / tables.cell);
  const auto last = std::min(static_cast<int64_t>(request.blocks.size()),
                             first + static_cast<int64_t>(body.width() / tables.cell) + 2);
  for (int64_t logical = first; logical < last; ++logical) {
    const int32_t block = request.blocks[static_cast<size_t>(logical)];
    if (block < 0 || block >= static_cast<int32_t>(snapshot.blocks.size())) continue;
    const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
    const QRectF cell = snapped(tables.cell_rect(row, logical), 0);
    BlockCellStyle style;
    style.block = block;
    style.numbered = true;
    style.block_size = snapshot.block_size;
    style.step = snapshot.step;
    style.color = scene.coloring.color(view, snapshot.step);
    style.fill = scene.coloring.brush(view, snapshot.step);
    style.edge = scene.coloring.by == BlockColorBy::kOwner ? theme.category_edge(request.id)
                                                           : mix(style.color, colors.text, 0.25);
    paint_block_cell(painter, cell, view, style);
    const bool lit = contains(scene.highlight.blocks, block), under = scene.hovered == block;
    if (!lit && !under) continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(lit ? colors.text : colors.muted, lit ? 2 : 1));
    painter.drawRect(cell.adjusted(lit ? 1 : 0, lit ? 1 : 0, -1, -1));
  }
  painter.restore();
}

// Under the tables: the slots of the chosen block with the tokens in them.
void BlockPainter::paint_slots(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const int64_t block = scene.highlight.primary;
  if (block < 0 || block >= static_cast<int64_t>(snapshot.blocks.size())) return;
  const BlockView& view = snapshot.blocks[static_cast<size_t>(block)];
  const QRectF area = scene.tables.strip_rect();
  painter.fillRect(QRectF(area.left(), area.top() + theme.px(2), area.width(), 1), colors.line);
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(colors.text);
  const QRectF title(area.left() + theme.px(2), area.top() + theme.px(4),
                     area.width() - theme.px(4), theme.px(18));
  QString sentence = block_sentence(snapshot, block);
  if (view.filled > 0) {
    const int64_t first = static_cast<int64_t>(view.logical) * snapshot.block_size;
    sentence += tr(", tokens %1 to %2").arg(first).arg(first + view.filled - 1);
  }
  painter.drawText(
      title, Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(painter.font()).elidedText(sentence, Qt::ElideRight, title.width()));
  const BlockTokens tokens = tokens_of(snapshot, block);
  const QRectF line(area.left(), title.bottom() + 2, area.width(), theme.px(20));
  const double width =
      line.width() / static_cast<double>(std::max<int64_t>(1, snapshot.block_size));
  TokenLabelStyle style{theme.mono(TextRole::kSmall), colors.text, colors.muted, Qt::AlignLeft,
                        false};
  for (int64_t slot = 0; slot < snapshot.block_size; ++slot) {
    const double x = std::round(line.left() + static_cast<double>(slot) * width);
    const QRectF cell(
        x, line.top(),
        std::max(2.0, std::round(line.left() + static_cast<double>(slot + 1) * width) - x - 1),
        line.height());
    if (slot < view.filled) {
      painter.fillRect(cell, mix(colors.surface, scene.coloring.color(view, snapshot.step), 0.35));
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

// Curves from the chosen sequence's table to the grid: logical block -> physical block.
void BlockPainter::paint_links(QPainter& painter, const BlocksScene& scene, LinkPart part) {
  const Theme& theme = Theme::instance();
  const EngineSnapshot& snapshot = *scene.snapshot;
  int64_t row = -1;
  for (size_t i = 0; i < scene.order.size(); ++i)
    if (static_cast<int64_t>(snapshot.requests[static_cast<size_t>(scene.order[i])].id) ==
        scene.highlight.request)
      row = static_cast<int64_t>(i);
  if (row < 0) return;
  const RequestView& request =
      snapshot.requests[static_cast<size_t>(scene.order[static_cast<size_t>(row)])];
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
  constexpr size_t kQuietLinks = 24;  // more than this and only the lit ones are drawn strong
  const double deepest =
      scene.legend.isEmpty() ? scene.bounds.bottom() : scene.legend.top() + theme.px(4);
  for (size_t logical = 0; logical < request.blocks.size(); ++logical) {
    const int32_t block = request.blocks[logical];
    const QRectF from = scene.tables.cell_rect(row, static_cast<int64_t>(logical));
    if (block < 0 || from.left() < body.left() - 1 || from.right() > body.right() + 1) continue;
    const QRectF to = scene.grid.rect_of(block);
    if (!scene.grid.area().intersects(to)) continue;
    const bool lit = contains(scene.highlight.blocks, block) || scene.hovered == block;
    QColor color = theme.category_edge(request.id);
    color.setAlphaF(lit ? 1.0f : request.blocks.size() > kQuietLinks ? 0.18f : 0.42f);
    painter.setPen(QPen(color, lit ? 2 : 1));
    // Out of the table downwards and into the block from below: neighbours in a row keep their
    // lines apart.
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

void BlockPainter::paint_legend(QPainter& painter, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const ThemeColors& colors = theme.colors();
  LegendLine legend(painter, scene.legend);
  if (scene.coloring.by == BlockColorBy::kOwner) {
    int hidden = 0;
    for (const int index : scene.order) {
      const RequestView& request = scene.snapshot->requests[static_cast<size_t>(index)];
      if (request.blocks.empty()) continue;
      // Half of the line is for the owners, the rest for what the marks mean.
      const bool room = legend.x() < scene.legend.left() + scene.legend.width() * 0.45;
      if (!room || !legend.swatch(theme.category_brush(request.id), theme.category_edge(request.id),
                                  request_label(*scene.snapshot, request.id)))
        ++hidden;
    }
    if (hidden > 0) legend.text(tr("and %1 more").arg(hidden));
  } else {
    const bool reversed = scene.coloring.by != BlockColorBy::kRefCount;
    legend.ramp(scene.coloring.map, reversed, text_of(scene.coloring.by),
                format_count(std::llround(scene.coloring.low)),
                scene.coloring.by == BlockColorBy::kRefCount
                    ? format_count(std::llround(scene.coloring.high))
                    : tr("%1 steps").arg(format_count(std::llround(scene.coloring.high))));
    if (scene.coloring.by == BlockColorBy::kLastRead)
      legend.swatch(colors.muted, colors.muted, tr("never read"));
  }
  legend.swatch(Qt::NoBrush, free_edge(), tr("free"));
  if (scene.snapshot->scenario && scene.snapshot->scenario->engine.enable_prefix_caching)
    legend.swatch(cached_brush(), free_edge(), tr("cached prefix"));
  legend.outline(colors.good, tr("taken in this step"));
  legend.corner(colors.text, true, tr("read"));
  legend.corner(colors.warning, false, tr("written"));
}

}  // namespace attn::gui
