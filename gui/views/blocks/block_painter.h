// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPainter: draws the physical grid, the block tables, the links between them, the slots of one
// block and the legend from plain geometry. Small cells are one image, so 65,536 blocks cost a
// picture of 256 x 256. GUI thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <memory>

#include "gui/views/blocks/block_facts.h"
#include "gui/views/blocks/block_flashes.h"
#include "gui/views/blocks/block_layout.h"

namespace attn::gui {

struct BlocksScene {
  std::shared_ptr<const EngineSnapshot> snapshot;
  QRectF bounds;
  BlockGrid grid;
  TableLayout tables;
  QRectF legend;  // empty: not drawn
  bool show_grid = true, show_tables = true;
  BlockColoring coloring;
  std::vector<int> order;  // rows of the tables: indices into snapshot->requests
  BlockHighlight highlight;
  int64_t cursor = -1;  // block under the keyboard
  int64_t hovered = -1;
  bool focused = false;
  std::vector<BlockFlash> flashes;  // of the grid
};

// Widths in pixels: the widest name with its chip; the widest sentence of a sequence without
// blocks.
struct TableText {
  double names = 0, sentences = 0;
};
TableText measure_tables(const EngineSnapshot& snapshot, const std::vector<int>& order);

// Splits `bounds` and sizes grid and tables; keeps zoom and scroll of the scene where they still
// fit.
void arrange(BlocksScene& scene, const QRectF& bounds, bool with_legend);

class BlockPainter {
 public:
  // Cells from this size on are drawn one by one; smaller ones as an image.
  static constexpr double kOwnCell = 10;
  static constexpr double kNumberCell = 20;  // with the block's number

  void paint(QPainter& painter, const BlocksScene& scene);

 private:
  enum class LinkPart { kCurves, kEnds };
  void paint_grid(QPainter& painter, const BlocksScene& scene);
  void paint_grid_image(QPainter& painter, const BlocksScene& scene);
  void paint_block(QPainter& painter, const BlocksScene& scene, int64_t block);
  void paint_flashes(QPainter& painter, const BlocksScene& scene);
  void paint_block_tokens(QPainter& painter, const BlocksScene& scene, int64_t block,
                          const QRectF& body, int64_t columns);
  void paint_tables(QPainter& painter, const BlocksScene& scene);
  void paint_table_row(QPainter& painter, const BlocksScene& scene, int64_t row);
  void paint_slots(QPainter& painter, const BlocksScene& scene);
  void paint_links(QPainter& painter, const BlocksScene& scene, LinkPart part);
  void paint_legend(QPainter& painter, const BlocksScene& scene);

  // The picture of the last snapshot, one pixel per block.
  QImage image_;
  std::weak_ptr<const EngineSnapshot> image_of_;
  BlockColorBy image_by_ = BlockColorBy::kOwner;
  int64_t image_columns_ = 0;
  QRgb image_ground_ = 0;
};

}  // namespace attn::gui
