// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap's sums: bars of rows at the right, bars of columns below, and how many cells a Keep
// leaves. Any thread.
#pragma once

#include <optional>

#include "gui/views/attention/heatmap_painter.h"

namespace attn::gui {

void paint_heatmap_sums(QPainter& painter, const HeatmapPicture& picture, const QRectF& content);

// Of the rows that are visible, all their keys. Nothing: at a level that shows blocks of cells, or
// while the rows are not looked at yet.
struct KeptCells {
  int64_t kept = 0, seen = 0;
};
std::optional<KeptCells> kept_cells(const HeatmapPicture& picture);

// The sum of a row, or of a column over all rows of the picture, from tiles that are there. NaN: it
// is not.
double row_sum(const HeatmapTiles& tiles, int64_t query);
double column_sum(const HeatmapTiles& tiles, const HeatmapScene& scene, int64_t key);

// The sum of all cells - of a head, of a layer's mean, of the mean of all - and what of it is on
// key 0. Nothing: of differences, whose sum is about 0, and while columns are missing.
struct HeatmapTotals {
  double all = 0, first = 0;
};
std::optional<HeatmapTotals> heatmap_totals(const HeatmapTiles& tiles, const HeatmapScene& scene);
// "all cells 33, 64.5% of it on key 0"; empty: there are no totals.
QString totals_words(const std::optional<HeatmapTotals>& totals);

}  // namespace attn::gui
