// SPDX-License-Identifier: GPL-3.0-or-later
// Cells as an image with a pixel per cell, drawn without smoothing. Any thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

namespace attn::gui {

// Whether the painter writes SVG or PDF, not pixels.
bool keeps_drawings(const QPainter& painter);

// With more rectangles, an SVG or PDF gets the cells as an embedded image.
inline constexpr int64_t kMostRects = 20000;

// Enlarges without smoothing. SVG and PDF get rectangles, each for cells of one colour in a row.
// Transparent cells are not drawn.
void paint_cells(QPainter& painter, const QRectF& area, const QImage& cells,
                 int64_t most_rects = kMostRects);

}  // namespace attn::gui
