// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the legend of the blocks view. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

double height_of_legend(int lines);
// More than 1 if the marks, such as "written", do not fit one line and the view is high enough.
int lines_of_legend(const BlocksScene& scene, const QRectF& inside);
void paint_legend(QPainter& painter, const BlocksScene& scene);

}  // namespace attn::gui
