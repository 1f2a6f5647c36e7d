// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPainter: draws a whole BlocksScene from plain geometry: the grids of both pools, with
// tables, links, prefix tree, arrows and legend. Small cells are one image, so 65,536 blocks cost a
// picture of 256 x 256; where colours do not depend on the step or the reader, only the pixels of
// changed blocks are made anew. GUI thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <vector>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

// A pool as a picture, one pixel per block.
class PoolImage {
 public:
  // Brings the image up to date. first_place: place of the pool's first block.
  void update(const std::vector<BlockView>& pool, int64_t first_place, int64_t columns,
              const BlockColoring& coloring, uint32_t step, uint64_t run);
  const QImage& image() const { return image_; }
  int64_t num_painted() const { return num_painted_; }  // pixels made by the last update()

 private:
  bool is_for(const BlockColoring& coloring, uint32_t step, uint64_t run, int64_t columns,
              size_t blocks) const;

  QImage image_;
  std::vector<BlockView> shown_;  // what its pixels were made of
  BlockColoring coloring_;
  uint32_t step_ = 0;
  uint64_t run_ = 0;
  QRgb ground_ = 0;
  int64_t num_painted_ = 0;
};

class BlockPainter {
 public:
  // Cells from this size on (logical px) are drawn one by one; smaller ones as an image.
  static constexpr double kOwnCell = 10;
  // From this size on (logical px at 100% text size) a cell shows its number, if the number fits.
  static constexpr double kNumberCell = 20;

  void paint(QPainter& painter, const BlocksScene& scene);

 private:
  void paint_pool(QPainter& painter, const BlocksScene& scene, bool host);
  void paint_image(QPainter& painter, const BlocksScene& scene, bool host);

  PoolImage device_, host_;
};

}  // namespace attn::gui
