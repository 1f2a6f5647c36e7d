// SPDX-License-Identifier: GPL-3.0-or-later
// Cells as an image with a pixel per cell, drawn without smoothing. Any thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

namespace attn::gui {

// Whether the painter writes SVG or PDF, not pixels.
bool keeps_drawings(const QPainter& painter);

// The most rectangles of a picture of cells in an SVG or PDF. With more, the cells become an
// embedded image.
inline constexpr int64_t kMostRects = 20000;

// Enlarges the image to `area` without smoothing. In SVG and PDF, cells of equal colour that touch
// in a row become one rectangle; if that needs more than most_rects rectangles, the cells become an
// embedded image. Transparent cells are not drawn.
void paint_cells(QPainter& painter, const QRectF& area, const QImage& cells,
                 int64_t most_rects = kMostRects);

}  // namespace attn::gui
