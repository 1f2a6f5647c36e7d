// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a heatmap as an image, straight from colour codes to device pixels: a frame costs
// one lookup per pixel, and rows of pixels that show the same row of cells are copied. Pure; any
// thread.
#pragma once

#include <QImage>
#include <functional>

#include "gui/views/attention/heatmap_tiles.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct RasterLook {
  const ColorTable* colors = nullptr;
  QRgb surface = 0;  // under hatch and outlines, between cells
  QRgb hatch = 0;    // masked: diagonal lines
  QRgb outline = 0;  // not computed yet: outlines of empty cells, or dots where cells are small
  QRgb nan = 0;
  QRgb pending = 0;  // tiles that are on their way
  QRgb hidden = 0;   // cells that are not kept
};

// Cells at least this many logical pixels on both sides have a gap of one between them.
inline constexpr double kGapCell = 6;
inline constexpr double kHatchPeriod =
    10;  // logical px between the lines of masked cells, along a row
inline constexpr double kDotPeriod = 6;  // logical px between the dots of cells to come
// Gaps between cells: then cells to come are outlines, else dots.
bool has_gaps(const CanvasTransform& transform, int level);

// codes(tile row, tile column): [256, 256] at `level`, or null. The image covers what of [0, width)
// x [0, height) device pixels of the transform's viewport shows content, and is opaque there; where
// nothing does, it is one transparent pixel.
QImage raster_cells(const CanvasTransform& transform, int level, double device_ratio, int width,
                    int height, const RasterLook& look,
                    const std::function<const CellCode*(int64_t, int64_t)>& codes);

}  // namespace attn::gui
