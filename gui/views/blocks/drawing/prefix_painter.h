// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the prefix tree: a node per known block with its number, its tokens and who shares it, and
// nodes of evicted blocks before these. GUI thread.
#pragma once

#include <QPainter>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

void paint_prefixes(QPainter& painter, const BlocksScene& scene);
// Rich text for a node that has no block any more; others have the tooltip of their block.
QString evicted_tooltip(const PrefixNode& node);

}  // namespace attn::gui
