// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_legend.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/drawing/link_painter.h"
#include "gui/views/blocks/drawing/prefix_painter.h"
#include "gui/views/blocks/drawing/table_painter.h"
#include "gui/widgets/figure/cell_image.h"
#include "gui/widgets/picture_look.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

// The most columns in which the slots of a block are shown as text in its cell; 0: there is no
// room.
int64_t slot_columns(const QRectF& body, int64_t block_size) {
  const Theme& theme = Theme::instance();
  const auto columns = static_cast<int64_t>(body.width() / theme.px(56));
  if (columns < 1 || block_size < 1) return 0;
  const int64_t rows = (block_size + columns - 1) / columns;
  return static_cast<double>(rows * theme.px(14) + theme.px(23)) <= body.height()
             ? std::min(columns, block_size)
             : 0;
}

// A block that was taken flashes in the colour `good`, one that was freed in that of its owner.
void paint_flashes(QPainter& painter, const BlocksScene& scene) {
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

void paint_block_tokens(QPainter& painter, const BlocksScene& scene, int64_t place,
                        const QRectF& body, int64_t columns) {
  const Theme& theme = Theme::instance();
  const BlockTokens tokens = tokens_of(*scene.snapshot, place);
  const int64_t block_size = scene.snapshot->block_size;
  const QRectF area = body.adjusted(theme.px(4), theme.px(20), -theme.px(3), -theme.px(3));
  const int64_t rows = (block_size + columns - 1) / columns;
  columns = (block_size + rows - 1) / rows;  // rows of nearly equal length
  const double height = area.height() / static_cast<double>(rows),
               width = area.width() / static_cast<double>(columns);
  TokenLabelStyle style{theme.mono(TextRole::kSmall), theme.colors().text, theme.colors().muted,
                        Qt::AlignLeft, false};
  const QColor owner = cell_style(scene, place).color;
  for (int64_t slot = 0; slot < block_size; ++slot) {
    const double left = area.left() + static_cast<double>(slot % columns) * width;
    const double top = area.top() + static_cast<double>(slot / columns) * height;
    const QRectF cell = snapped({left, top, width, height}, 1);
    const std::string* text = tokens.text(slot);
    const int64_t position = tokens.first + slot;
    if (text) {
      painter.fillRect(cell, mix(theme.colors().surface, owner, 0.45));
      paint_token(painter, cell.adjusted(3, 0, -1, 0), token_text(*text), style);
      const bool marked = place == scene.highlight.primary &&
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

void paint_block(QPainter& painter, const BlocksScene& scene, int64_t place) {
  const EngineSnapshot& snapshot = *scene.snapshot;
  const BlockView& view = view_at(snapshot, place);
  const double cell = scene.grid_of(place).cell();
  const QRectF body = snapped(scene.rect_of(place), cell < 16 ? 1 : 2);
  BlockCellStyle style = cell_style(scene, place);
  style.numbered =
      cell >= BlockPainter::kNumberCell * Theme::instance().text_percent() / 100.0 &&
      cell_text_width(painter.font(), QString::number(style.block)) <= body.width() - 4;
  const int64_t columns = view.ref_count > 0 ? slot_columns(body, snapshot.block_size) : 0;
  style.slots_as_text = columns > 0;
  paint_block_cell(painter, body, view, style);
  if (columns > 0) paint_block_tokens(painter, scene, place, body, columns);
}

void paint_outlines(QPainter& painter, const BlocksScene& scene, bool host) {
  const ThemeColors& colors = Theme::instance().colors();
  const auto outline = [&](int64_t place, const QColor& color, double width) {
    if (!is_place(*scene.snapshot, place) || is_host_place(*scene.snapshot, place) != host) return;
    QRectF rect = scene.rect_of(place);
    const double grow = std::max(0.0, (6 - rect.width()) / 2);  // never too small to find
    rect = rect.adjusted(-grow, -grow, grow, grow);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width));
    painter.drawRect(rect.adjusted(width / 2 - 1, width / 2 - 1, -width / 2, -width / 2));
  };
  painter.setRenderHint(QPainter::Antialiasing, true);
  if (scene.hovered >= 0) outline(scene.hovered, colors.muted, 1);
  for (const int32_t place : scene.highlight.blocks) outline(place, colors.text, 2);
  if (scene.focused && !scene.keys_in_tree && scene.cursor >= 0)
    outline(scene.cursor, colors.accent, 2);
}

void paint_pool_title(QPainter& painter, const BlocksScene& scene, bool host) {
  const Theme& theme = Theme::instance();
  const QRectF& line = host ? scene.host_title : scene.device_title;
  if (line.isEmpty()) return;
  painter.setFont(theme.font(TextRole::kSmall));
  painter.setPen(theme.colors().muted);
  QString words = pool_title(*scene.snapshot, host, false);
  if (text_width(painter.font(), words) > line.width())
    words = pool_title(*scene.snapshot, host, true);
  draw_line(painter, line, Qt::AlignLeft | Qt::AlignTop,
            elided_text(painter.font(), words, line.width()));
}

bool is_same_map(const BlockColoring& a, const BlockColoring& b) {
  return a.by == b.by && a.map == b.map && a.low == b.low && a.high == b.high &&
         a.block_size == b.block_size;
}

bool depends_on_step(BlockColorBy by) {
  return by == BlockColorBy::kAge || by == BlockColorBy::kLastRead;
}

}  // namespace

bool PoolImage::is_for(const BlockColoring& coloring, uint32_t step, uint64_t run, int64_t columns,
                       size_t blocks) const {
  return image_.width() == columns && shown_.size() == blocks && run_ == run &&
         is_same_map(coloring_, coloring) && (step_ == step || !depends_on_step(coloring.by)) &&
         coloring.by != BlockColorBy::kReader &&
         ground_ == Theme::instance().colors().surface.rgb();
}

void PoolImage::update(const std::vector<BlockView>& pool, int64_t first_place, int64_t columns,
                       const BlockColoring& coloring, uint32_t step, uint64_t run) {
  const ThemeColors& colors = Theme::instance().colors();
  const bool anew = !is_for(coloring, step, run, columns, pool.size());
  coloring_ = coloring;
  step_ = step;
  run_ = run;
  ground_ = colors.surface.rgb();
  if (anew) {
    const auto rows = (static_cast<int64_t>(pool.size()) + columns - 1) / columns;
    image_ = QImage(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_RGB32);
    image_.fill(colors.surface);
    shown_.resize(pool.size());
  }
  const QRgb free = mix(colors.surface, colors.line, 0.6).rgb();
  const QRgb cached = mix(colors.surface, free_edge(), 0.6).rgb();
  // Neighbouring blocks often have the same owner, whose colour is then looked up once.
  int32_t last_owner = -1;
  QRgb last_color = 0;
  const bool by_owner = coloring.by == BlockColorBy::kOwner;
  num_painted_ = 0;
  auto* pixels = reinterpret_cast<QRgb*>(image_.bits());
  const auto stride = static_cast<int64_t>(image_.bytesPerLine() / sizeof(QRgb));
  for (size_t i = 0; i < pool.size(); ++i) {
    const BlockView& block = pool[i];
    if (!anew && block == shown_[i]) continue;
    shown_[i] = block;
    ++num_painted_;
    QRgb color = block.is_cached() ? cached : free;
    if (block.ref_count > 0) {
      if (!by_owner || block.owner != last_owner)
        last_color = coloring.color(block, step, first_place + static_cast<int64_t>(i)).rgb();
      last_owner = block.owner;
      color = last_color;
    }
    const auto at = static_cast<int64_t>(i);
    pixels[at / columns * stride + at % columns] = color;
  }
}

void BlockPainter::paint(QPainter& painter, const BlocksScene& scene) {
  painter.save();
  paint_surface(painter, scene.bounds, Theme::instance().colors().surface);
  if (scene.snapshot) {
    const bool both = scene.grid_shown() && scene.show_tables;
    if (both) paint_links(painter, scene, LinkPart::kCurves);
    if (scene.grid_shown()) {
      paint_pool(painter, scene, false);
      if (scene.has_host()) paint_pool(painter, scene, true);
    }
    if (scene.show_tables) paint_tables(painter, scene);
    if (both) paint_links(painter, scene, LinkPart::kEnds);
    if (scene.tree_shown()) paint_prefixes(painter, scene);
    if (scene.grid_shown()) paint_moves(painter, scene);
    if (!scene.legend.isEmpty()) paint_legend(painter, scene);
  }
  painter.restore();
}

void BlockPainter::paint_pool(QPainter& painter, const BlocksScene& scene, bool host) {
  const BlockGrid& grid = host ? scene.host : scene.grid;
  paint_pool_title(painter, scene, host);
  painter.save();
  painter.setClipRect(
      grid.area().adjusted(-1, -1, 1, 1));  // outlines can reach a pixel beyond the area
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (grid.cell() < kOwnCell) {
    paint_image(painter, scene, host);
  } else {
    painter.setFont(Theme::instance().mono(TextRole::kSmall));
    const int64_t first = host ? num_device_places(*scene.snapshot) : 0;
    const BlockGrid::Span span = grid.visible();
    for (int64_t row = span.first_row; row < span.last_row; ++row)
      for (int64_t column = span.first_column; column < span.last_column; ++column) {
        const int64_t block = row * grid.columns() + column;
        if (block < grid.num_blocks()) paint_block(painter, scene, first + block);
      }
  }
  if (!host) paint_flashes(painter, scene);
  paint_outlines(painter, scene, host);
  painter.restore();
}

// Draws the pool as an image. Smooths it only if the cells are smaller than a pixel, and draws
// lines between cells of 4 px or more.
void BlockPainter::paint_image(QPainter& painter, const BlocksScene& scene, bool host) {
  const ThemeColors& colors = Theme::instance().colors();
  const EngineSnapshot& snapshot = *scene.snapshot;
  const BlockGrid& grid = host ? scene.host : scene.grid;
  PoolImage& picture = host ? host_ : device_;
  picture.update(host ? snapshot.swap_blocks : snapshot.blocks,
                 host ? num_device_places(snapshot) : 0, grid.columns(), scene.coloring,
                 snapshot.step, snapshot.run);
  const QRectF first = grid.rect_of(0);
  const QRectF whole(first.left(), first.top(), grid.cell() * static_cast<double>(grid.columns()),
                     grid.cell() * static_cast<double>(grid.rows()));
  if (grid.cell() < 1 && !keeps_drawings(painter)) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(whole, picture.image());
  } else {
    paint_cells(painter, whole, picture.image());
  }
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

}  // namespace attn::gui
