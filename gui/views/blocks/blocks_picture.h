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
  bool tables_below = false;  // tables below the pools, not beside them
  int legend_lines = 1;
};

// Returns a size with room for the pools beside the tables and, if `with_tree`, for the prefix tree
// below them. If `width` is smaller than that, the cells of the pools are smaller or the tables lie
// below the pools. The picture is wider than `width` if its parts do not fit into `width`.
BlocksPicture picture_of_blocks(const BlocksScene& scene, const QString& caption, bool with_tree,
                                std::optional<double> width = {});

double title_height_of_blocks();

}  // namespace attn::gui
