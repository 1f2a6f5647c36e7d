// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the legend line of the blocks view: what colours and marks mean, and how many contents were
// moved in this step. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

void paint_legend(QPainter& painter, const BlocksScene& scene);

}  // namespace attn::gui
