// SPDX-License-Identifier: GPL-3.0-or-later
// BlocksScene: what the blocks view shows, and where each part lies. GUI thread.
#pragma once

#include <QRectF>
#include <memory>
#include <vector>

#include "gui/views/blocks/block_facts.h"
#include "gui/views/blocks/block_moves.h"
#include "gui/views/blocks/drawing/block_flashes.h"
#include "gui/views/blocks/drawing/block_layout.h"
#include "gui/views/blocks/prefix_tree.h"

namespace attn::gui {

struct BlocksScene {
  std::shared_ptr<const EngineSnapshot> snapshot;
  QRectF bounds;
  BlockGrid grid;  // the device pool
  BlockGrid host;  // the swap pool; its area is empty if there is none
  TableLayout tables;
  PrefixLayout prefixes;
  PrefixTree tree;
  QRectF legend;                    // empty: not drawn
  QRectF device_title, host_title;  // empty if there is one pool only
  bool show_grid = true, show_tables = true, show_prefixes = true;
  // For exports: the tree is below the rest, the tables are below the grids.
  bool tree_below = false, tables_below = false;
  int legend_lines = 1;  // at least
  BlockColoring coloring;
  std::vector<TableRow> order;  // rows of the tables
  BlockHighlight highlight;
  int64_t cursor = -1;   // place of the keyboard cursor
  int64_t hovered = -1;  // place pointed at in any view
  // keys_in_tree: true while arrow keys move in the prefix tree, not in the grids.
  bool focused = false, keys_in_tree = false;
  std::vector<BlockFlash> flashes;  // blocks of the device pool just taken or freed
  std::vector<MoveArrow> arrows;

  bool has_host() const { return snapshot && !snapshot->swap_blocks.empty(); }
  bool tree_shown() const { return show_prefixes && snapshot && snapshot->prefixes; }
  bool grid_shown() const { return show_grid || !(show_tables || tree_shown()); }
  BlockGrid& grid_of(int64_t place);
  const BlockGrid& grid_of(int64_t place) const;
  QRectF rect_of(int64_t place) const;
};

// Such as "Device pool: 35 of 40 blocks used" or, if `brief`, "Device: 35 of 40".
QString pool_title(const EngineSnapshot& snapshot, bool host, bool brief);

// Widths in px, measured over the first rows. `names`: the widest name with its colour chip.
// `sentences`: the widest sentence that a row without blocks shows.
struct TableText {
  double names = 0, sentences = 0;
  double tight_names = 0;  // as `names`, but short names get less extra room
};
TableText measure_tables(const EngineSnapshot& snapshot, const std::vector<TableRow>& order);
QString why_no_blocks(const RequestView& request);

// The height of all tables and, if a block is chosen, of its slots.
double height_of_tables_below(const BlocksScene& scene);

// Splits `bounds` among the parts and sizes them.
void arrange(BlocksScene& scene, const QRectF& bounds, bool with_legend);

}  // namespace attn::gui
