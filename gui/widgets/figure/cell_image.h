// SPDX-License-Identifier: GPL-3.0-or-later
// Cells as an image of which each pixel is one cell, drawn so that every cell keeps its colour and
// its edges. Any thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

namespace attn::gui {

// Whether the painter writes drawings (SVG, PDF), not pixels.
bool keeps_drawings(const QPainter& painter);

// An SVG or PDF file has at most this many rectangles for one picture of cells; more cells are
// embedded as an image.
inline constexpr int64_t kMostRects = 20000;

// Enlarges the image to `area`. Pixels become pixels of the device without smoothing. In SVG and
// PDF, cells of equal colour that touch in a row become one rectangle; if that needs more than
// most_rects rectangles, they are embedded as an image in which a cell has several pixels, unless
// there are very many cells, because viewers smooth an image that they enlarge, whatever the file
// asks for. Transparent cells are not drawn.
void paint_cells(QPainter& painter, const QRectF& area, const QImage& cells,
                 int64_t most_rects = kMostRects);

}  // namespace attn::gui
