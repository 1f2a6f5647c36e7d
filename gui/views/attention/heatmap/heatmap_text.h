// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap in words: one cell, for its tooltip and the description, and the whole picture, for
// those who do not see it. tiles: of scene.head. GUI thread.
#pragma once

#include <QString>

#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"

namespace attn::gui {

// "not computed yet", "masked", or the weight with its operands; several lines.
QString heatmap_cell_text(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query,
                          int64_t key);
// What is shown, and of the selected cell its text.
QString heatmap_description(const HeatmapScene& scene, const HeatmapTiles& tiles, int level);
// The sums that are drawn; NaN: not drawn, or not there yet.
double heatmap_row_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t query);
double heatmap_column_sum(const HeatmapScene& scene, const HeatmapTiles& tiles, int64_t key);

}  // namespace attn::gui
