// SPDX-License-Identifier: GPL-3.0-or-later
// The size of an exported picture of the blocks view, and how its parts lie in it. GUI thread.
#pragma once

#include <QSize>
#include <QString>
#include <optional>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

struct BlocksPicture {
  QSize size;                 // px, at most 8000 a side
  bool tables_below = false;  // below the pools, in place of beside them
  int legend_lines = 1;
};

// Wide enough for the pools beside the longest table or sentence, tall enough for every table, with
// the prefix tree, if `with_tree`, below them. In less width than that, the cells of the pools are
// smaller, and the tables are below where that leaves the cells too little room; but tables and
// tree are never cut, so the picture may be wider than `width`.
BlocksPicture picture_of_blocks(const BlocksScene& scene, const QString& caption, bool with_tree,
                                std::optional<double> width = {});

// The height of the line above the picture, with the title and the caption.
double title_height_of_blocks();

}  // namespace attn::gui
