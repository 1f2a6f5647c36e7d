// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a HeatmapScene, and makes the texts of its legend and of its numbers. In vector formats
// (SVG, PDF) the cells become rectangles if the level is 0 and there are at most kMostRects of
// them; otherwise they become one image. Any thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QStringList>

#include "gui/views/attention/heatmap/heatmap_scene.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"

namespace attn::gui {

struct HeatmapPicture {
  const HeatmapScene& scene;
  const HeatmapLayout& layout;
  const CanvasTransform& transform;  // viewport: layout.cells
  HeatmapTiles& tiles;
  int level = 0;
};

struct CellRange {
  int64_t query = 0, query_end = 0, key = 0, key_end = 0;
  int64_t count() const { return (query_end - query) * (key_end - key); }
};
CellRange visible_cells(const CanvasTransform& transform);

// An image of the cells; device_ratio: device pixels per logical pixel. See raster_cells().
QImage heatmap_cells(const HeatmapPicture& picture, double device_ratio);
// Paints everything. cells: an image from heatmap_cells(); null: the cells are drawn here.
void paint_heatmap(QPainter& painter, const HeatmapPicture& picture, const QImage* cells);

// Pixels per logical pixel: of the device, or of an image of the cells in an SVG or PDF file.
double cell_pixels(const QPainter& painter, const CanvasTransform& transform);

QStringList legend_sentences(const HeatmapPicture& picture);
// What a dot of several cells shows, such as "each dot: maximum of 4 × 4 cells"; empty at level 0.
QString detail_sentence(const HeatmapScene& scene, int level);
QString weight_text(double weight);  // such as "0.123" or "5e-06"
// Such as "-1.25" or "131.0". decimals: how many decimals a score below 100 gets, 1 or 2.
QString score_text(double score, int decimals = 2);
// The most decimals, 2 or 1, with which both ends of the range fit into cells of this width; 0:
// they do not fit.
int score_decimals(const ScoreRange& range, const QFont& font, double width);

}  // namespace attn::gui
