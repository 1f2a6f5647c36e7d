// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the links of the chosen request from its tables to its blocks, and the arrows of contents
// that are copied or swapped. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

// Curves lie under the cells, and their ends on top.
enum class LinkPart { kCurves, kEnds };
void paint_links(QPainter& painter, const BlocksScene& scene, LinkPart part);

// Draws the arrows from source to target. The target of a copy flashes while its arrow is seen.
void paint_moves(QPainter& painter, const BlocksScene& scene);
QColor move_color(BlockMoved::Kind kind);
QLineF line_of(const BlocksScene& scene, const BlockMoved& move);

}  // namespace attn::gui
