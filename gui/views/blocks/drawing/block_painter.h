// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPainter: draws a BlocksScene. Pools with small cells are drawn as one image. GUI thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <vector>

#include "gui/views/blocks/blocks_scene.h"

namespace attn::gui {

// A pool as an image with one pixel per block.
class PoolImage {
 public:
  // Makes the pixels of changed blocks anew, or all pixels if others may differ, too, such as with
  // other colours or columns. `first_place` is the place of the pool's first block.
  void update(const std::vector<BlockView>& pool, int64_t first_place, int64_t columns,
              const BlockColoring& coloring, uint32_t step, uint64_t run);
  const QImage& image() const { return image_; }
  int64_t num_painted() const { return num_painted_; }

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
  // Cells from this size on (logical px at 100% text size) show their number, if it fits.
  static constexpr double kNumberCell = 20;

  void paint(QPainter& painter, const BlocksScene& scene);

 private:
  void paint_pool(QPainter& painter, const BlocksScene& scene, bool host);
  void paint_image(QPainter& painter, const BlocksScene& scene, bool host);

  PoolImage device_, host_;
};

}  // namespace attn::gui
