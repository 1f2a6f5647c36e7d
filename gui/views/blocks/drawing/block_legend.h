// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the legend of the blocks view. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

void paint_legend(QPainter& painter, const BlocksScene& scene);

}  // namespace attn::gui
