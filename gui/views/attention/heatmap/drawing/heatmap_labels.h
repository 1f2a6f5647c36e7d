// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the text around the cells: names of the axes, token labels with their positions, ticks
// where there is no room for all labels. Any thread.
#pragma once

#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"

namespace attn::gui {

void paint_heatmap_labels(QPainter& painter, const HeatmapPicture& picture, const QRectF& content);

}  // namespace attn::gui
