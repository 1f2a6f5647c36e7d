// SPDX-License-Identifier: GPL-3.0-or-later
// Draws cells that are given as an image with one pixel per cell. Any thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

namespace attn::gui {

// Whether the painter writes SVG or PDF, or estimates the size of an SVG (svg_bytes()).
bool keeps_drawings(const QPainter& painter);

// If cells need more rectangles than this, an SVG or PDF gets them as an embedded image.
inline constexpr int64_t kMostRects = 20000;

// Scales the image to the area, without smoothing. SVG and PDF get up to most_rects rectangles,
// each for neighbouring cells of one colour in a row. Transparent cells are not drawn.
void paint_cells(QPainter& painter, const QRectF& area, const QImage& cells,
                 int64_t most_rects = kMostRects);

}  // namespace attn::gui
