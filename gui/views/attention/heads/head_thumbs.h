// SPDX-License-Identifier: GPL-3.0-or-later
// HeadThumbs: the thumbnails of a HeadGridScene as images, kept for the next painting. Use from one
// thread.
#pragma once

#include <QImage>
#include <memory>
#include <vector>

#include "gui/views/attention/heads/head_grid_scene.h"

namespace attn::gui {

class HeadThumbs {
 public:
  // An image with one pixel per entry; masked entries are transparent. A null image: there is no
  // thumbnail of the shown quantity. Valid until the next call.
  const QImage& of(const HeadGridScene& scene, int64_t index);

 private:
  struct Thumb {
    std::shared_ptr<const WeightTileData> weights;  // the tile that `image` shows
    QImage image;
  };

  std::vector<Thumb> thumbs_;  // [layer * heads + head]
  int64_t bytes_ = 0;
  ColorMapId map_{};
  ColorScale scale_;
  QRgb to_come_ = 0, not_a_number_ = 0;
};

}  // namespace attn::gui
