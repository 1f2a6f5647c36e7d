// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the cells of a heatmap, given as colour codes, into an image of device pixels. Any thread.
#pragma once

#include <QImage>
#include <QSizeF>
#include <functional>

#include "gui/views/attention/heatmap/heatmap_tiles.h"
#include "gui/widgets/canvas_transform.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

struct RasterLook {
  const ColorTable* colors = nullptr;
  QRgb surface = 0;  // background of hatch, dots and crosses, and gaps between cells
  QRgb hatch = 0;    // masked cells: diagonal lines
  QRgb dots = 0;     // cells not computed yet
  QRgb nan = 0;
  QRgb pending = 0;  // tiles that are not there yet
  QRgb hidden = 0;   // cells that a Keep hides
};

// At level 0, cells at least this wide and high (logical px) have a gap of one pixel between them.
inline constexpr double kGapCell = 6;
// Logical px between the lines of masked cells, along a row.
inline constexpr double kHatchPeriod = 10;
inline constexpr double kDotPeriod = 6;  // logical px between the dots of cells not computed yet
bool has_gaps(const CanvasTransform& transform, int level);

// codes(tile row, tile column): the codes [256, 256] of a tile at `level`, or null. width, height:
// device pixels of the transform's viewport. The image is opaque and covers, from the top left, the
// part of the viewport that shows content; if there is none, it is one transparent pixel.
QImage raster_cells(const CanvasTransform& transform, int level, double device_ratio, int width,
                    int height, const RasterLook& look,
                    const std::function<const CellCode*(int64_t, int64_t)>& codes);
// raster_cells() with the colours of a picture, for an area of `size` logical px. The image has the
// device ratio.
QImage cells_image(const CanvasTransform& transform, int level, double device_ratio,
                   const QSizeF& size, const PictureLook& look, const ColorTable& colors,
                   const std::function<const CellCode*(int64_t, int64_t)>& codes);

}  // namespace attn::gui
