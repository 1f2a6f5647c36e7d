// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of the heatmap, as numbers and drawn: bars of row sums at the right and of column sums
// below, and the sum of all cells. Also the number of cells that a Keep keeps. Any thread.
#pragma once

#include <optional>

#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"

namespace attn::gui {

void paint_heatmap_sums(QPainter& painter, const HeatmapPicture& picture, const QRectF& content);

// How many cells are kept and how many are not masked, over all keys, in the visible rows that are
// computed at the shown step and whose RowCut has been computed.
struct KeptCells {
  int64_t kept = 0, seen = 0;
};
// nullopt: everything is kept, an entry is a block of cells (level > 0), or a tile of the row cuts
// is missing.
std::optional<KeptCells> kept_cells(const HeatmapPicture& picture);

// row_sum(): the sum of a row or, if scores are shown, its largest score; also NaN if it is not
// computed or not read yet. column_sum(): the sum of a column over the rows computed at the shown
// step; also NaN if it is not read yet or not kept up (HeatmapTiles::find_kept_up()), or the scene
// has no column sums.
double row_sum(const HeatmapTiles& tiles, int64_t query);
double column_sum(const HeatmapTiles& tiles, const HeatmapScene& scene, int64_t key);

// The sum of all cells that are computed at the shown step, also of hidden ones and of those
// outside the visible part, and the part of this sum on key 0.
struct HeatmapTotals {
  double all = 0, first = 0;
};
// nullopt: there are no rows, the cells are not weights, they are differences, or some sums of
// columns are NaN or have not been read yet.
std::optional<HeatmapTotals> heatmap_totals(const HeatmapTiles& tiles, const HeatmapScene& scene);
// Such as "sum of all cells 33; first token: 64.5% of the weights of all rows"; empty without
// totals.
QString totals_words(const std::optional<HeatmapTotals>& totals);

}  // namespace attn::gui
