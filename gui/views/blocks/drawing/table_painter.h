// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the block tables, a row for each, and under them the slots of the chosen block. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

void paint_tables(QPainter& painter, const BlocksScene& scene);

}  // namespace attn::gui
