// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the prefix tree: a node per block with its number, its tokens and its holders. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

void paint_prefixes(QPainter& painter, const BlocksScene& scene);
// Rich text for a node without a block.
QString evicted_tooltip(const PrefixNode& node);

}  // namespace attn::gui
