// SPDX-License-Identifier: GPL-3.0-or-later
// TilesView::tour(): the stops of "What am I looking at?".
#include "gui/models/text.h"
#include "gui/views/tiles/tiles_panel.h"
#include "gui/views/tiles/tiles_view.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// kKvTile of flash_prefill.h.
constexpr int kMostKeys = 256;

QString pairs_of(const TileEvent& tile) {
  const int64_t last_key = tile.k_begin + tile.k_count - 1;
  if (tile.q_count == 1)
    return tr("query %1 and keys %2 to %3").arg(tile.q_begin).arg(tile.k_begin).arg(last_key);
  return tr("queries %1 to %2 and keys %3 to %4")
      .arg(tile.q_begin)
      .arg(tile.q_begin + tile.q_count - 1)
      .arg(tile.k_begin)
      .arg(last_key);
}

bool is_one_tile(const TilesScene& scene) {
  const SoftmaxLine& line = scene.softmax.lines.front();
  const KeySpan seen = scene.rule.span(scene.row, scene.key_len());
  return scene.softmax.lines.size() == 1 && line.k_begin <= seen.begin &&
         line.k_begin + line.k_count >= seen.end;
}

QString softmax_text(const TilesScene& scene) {
  const RowSoftmax& row = scene.softmax;
  if (!row.is_known()) return softmax_origin(scene);
  if (row.merged > 1)
    return tr("The keys of this row were cut into parts; the table has %1. Each part has a largest "
              "score, m, and a sum of exp(score − m), d, of its own. At the end they are merged: m "
              "is then the largest of all, %2, and d is %3.")
        .arg(format_count(row.merged), format_number(static_cast<double>(row.max)),
             format_number(static_cast<double>(row.sum)));
  QString text =
      tr("After each tile of this row, m is the largest score so far and d the sum of "
         "exp(score − m) so far. When m grows, d and the output so far are scaled down. After the "
         "last of the tiles in this table m is %1 and d is %2.")
          .arg(format_number(static_cast<double>(row.max)),
               format_number(static_cast<double>(row.sum)));
  if (is_one_tile(scene))
    text += QLatin1Char(' ') +
            tr("One tile has all keys of this row, so nothing was scaled. flash_prefill takes at "
               "most %1 keys in a tile: a row that sees more has several tiles, as in the scenario "
               "“%2”.")
                .arg(kMostKeys)
                .arg(tr("Long prompt"));
  if (row.origin == RowSoftmax::Origin::kRecomputed)
    text += QLatin1Char(' ') + softmax_origin(scene);
  return text;
}

}  // namespace

Tour TilesView::tour() const {
  Tour tour(*this);
  const TilesScene& scene = canvas_->scene();
  const TileMark* current = scene.current();
  if (!current) {
    tour.nothing(
        tr("No tile of this head is drawn at this step. Press Space to run. With a slow pace in "
           "the toolbar you can watch the tiles."));
    return tour;
  }
  const TilesLayout& layout = canvas_->canvas_layout();
  const CanvasTransform& transform = canvas_->transform();
  const auto tile_rect = [&](const TileEvent& of) {
    const double x = layout.grid.left() + transform.x.to_pixel(of.k_begin),
                 y = layout.grid.top() + transform.y.to_pixel(of.q_begin);
    return QRectF(x, y, of.k_count * transform.x.scale, of.q_count * transform.y.scale) &
           layout.grid;
  };
  tour.stop(*canvas_, layout.grid, tr("How a kernel walks"),
            tr("A kernel can take some queries and a piece of the keys at a time: a tile. Down are "
               "%1 queries, across are %2 keys, of “%3”, %4. %5 of %6 tiles are drawn.")
                .arg(format_count(scene.seq_len), format_count(scene.key_len()), scene.request,
                     scene.place, format_count(static_cast<int64_t>(scene.shown)),
                     format_count(static_cast<int64_t>(scene.tiles.size()))));
  const TileEvent& tile = current->tile;
  const int64_t pairs = int64_t{tile.q_count} * tile.k_count, seen = seen_pairs(scene, tile);
  tour.stop(
      *canvas_, tile_rect(tile), tr("The newest tile"),
      tr("This tile covers %1 and was computed by worker %2 in %3.")
              .arg(pairs_of(tile))
              .arg(current->worker())
              .arg(format_duration_ns(static_cast<double>(current->end_ns - current->begin_ns))) +
          QLatin1Char(' ') +
          (seen == pairs
               ? tr("All of its %1 pairs of query and key count.").arg(format_count(pairs))
               : tr("Of its %1 pairs of query and key, %2 count; the others are masked or padding.")
                     .arg(format_count(pairs), format_count(seen))));
  if (scene.block_size > 0)
    tour.stop(*canvas_, layout.pages, tr("Where the keys lie"),
              tr("The strip shows the pages of these keys: a page is the part that lies in one "
                 "block of the cache, up to %2 keys. There are %1. Where there is room, a page "
                 "shows the number of its block, as long as the request holds it.")
                  .arg(format_count((scene.key_len() + scene.block_size - 1) / scene.block_size),
                       format_count(scene.block_size)));
  if (scene.row >= 0 && !scene.softmax.lines.empty()) {
    const QRectF row(layout.grid.left(),
                     layout.grid.top() + transform.y.to_pixel(static_cast<double>(scene.row)),
                     layout.grid.width(), std::max(transform.y.scale, 3.0));
    tour.stop(
        *canvas_, row & layout.grid, tr("One query row"),
        tr("The row of query %1 is in %2 drawn so far. A click on another row shows that one.")
            .arg(scene.row)
            .arg(counted(static_cast<int64_t>(scene.softmax.lines.size()), tr("1 tile"),
                         tr("%1 tiles"))));
    tour.stop(*canvas_, layout.panel, tr("The running softmax"), softmax_text(scene));
  }
  tour.stop(*slider_, tr("Tile by tile"),
            tr("The slider goes to an earlier or later tile of this head; there are %1. The keys "
               "Left and Right do so one tile at a time.")
                .arg(format_count(static_cast<int64_t>(scene.tiles.size()))));
  return tour;
}

}  // namespace attn::gui
