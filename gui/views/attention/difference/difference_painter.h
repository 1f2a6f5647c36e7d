// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a DifferenceScene: sentences, cells, labels and legend. In vector formats the cells become
// rectangles if the level is 0 and there are at most kMostRects of them; otherwise they become one
// image. Any thread.
#pragma once

#include <QImage>
#include <QPainter>

#include "gui/views/attention/difference/difference_scene.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct DifferencePicture {
  const DifferenceScene& scene;
  const DifferenceLayout& layout;
  const CanvasTransform& transform;  // viewport: layout.cells.cells
  const DifferenceState& state;
  int level = 0;
};

// As level_for(), but at most kMostDifferenceLevel.
int difference_level(const CanvasTransform& transform, double device_ratio);
// The tiles that are visible.
std::vector<TileKey> difference_keys(const DifferenceScene& scene, const CanvasTransform& transform,
                                     int level);
// An image of the cells; device_ratio: device pixels per logical pixel.
QImage difference_cells(const DifferencePicture& picture, double device_ratio);
// cells: an image from difference_cells(); null: the cells are drawn here.
void paint_difference(QPainter& painter, const DifferencePicture& picture, const QImage* cells);
// Computes everything and paints it, for a file.
void paint_difference_file(QPainter& painter, const DifferenceScene& scene, const QRectF& bounds);

}  // namespace attn::gui
