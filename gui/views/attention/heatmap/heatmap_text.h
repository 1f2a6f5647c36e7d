// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap in words: one cell, and the whole picture. tiles: the tiles of scene.head. GUI
// thread.
#pragma once

#include <QString>

#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"

namespace attn::gui {

// Several lines: the query and the key; the number that is shown and how it is computed, or that
// the cell is masked or not computed; a single head, the block of the key, and the sums of the row,
// the column and all cells, as far as they are known.
QString heatmap_cell_text(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query,
                          int64_t key);
// What the picture shows and, if a cell is selected, the text of this cell.
QString heatmap_description(const HeatmapScene& scene, const HeatmapTiles& tiles, int level);
// The sum of a row or, for scores, its largest score; also NaN if it is not read yet, or if the row
// is not computed at the shown step. The sum of a column over the rows that are computed at that
// step; also NaN if it is not read yet, or the scene has no column sums.
double heatmap_row_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query);
double heatmap_column_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t key);

}  // namespace attn::gui
