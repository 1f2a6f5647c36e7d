// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the names of the axes and the labels around the cells. Any thread.
#pragma once

#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"

namespace attn::gui {

void paint_heatmap_labels(QPainter& painter, const HeatmapPicture& picture, const QRectF& content);

}  // namespace attn::gui
