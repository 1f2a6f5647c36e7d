// SPDX-License-Identifier: GPL-3.0-or-later
// The words around the cells: axis names, token labels with their positions, ticks where labels are
// thinned. Any thread.
#pragma once

#include "gui/views/attention/heatmap_painter.h"

namespace attn::gui {

void paint_heatmap_labels(QPainter& painter, const HeatmapPicture& picture, const QRectF& content);

}  // namespace attn::gui
