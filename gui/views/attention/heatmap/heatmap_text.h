// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap in words: one cell, and the whole picture. tiles: those of scene.head. GUI thread.
#pragma once

#include <QString>

#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"

namespace attn::gui {

// "not computed", "masked", or the number that is shown and how it is computed; several lines.
QString heatmap_cell_text(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query,
                          int64_t key);
// What the picture shows, followed by the text of the selected cell.
QString heatmap_description(const HeatmapScene& scene, const HeatmapTiles& tiles, int level);
// The sum of a row (of scores, the largest one) and the sum of a column; NaN: not read yet, or not
// computed at the shown step.
double heatmap_row_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query);
double heatmap_column_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t key);

}  // namespace attn::gui
