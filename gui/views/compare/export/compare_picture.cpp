// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/export/compare_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::gui {

ComparePicture::ComparePicture(CompareScene backends) {
  backends.focused = false;
  backends.cell = {};
  scene_ = std::move(backends);
}

ComparePicture::ComparePicture(CompareCacheScene cache) {
  cache.focused = false;
  scene_ = std::move(cache);
}

void ComparePicture::paint(QPainter& painter, const QRectF& bounds) const {
  const PictureLook look = PictureLook::read();
  if (const CompareCacheScene* scene = cache())
    return paint_compare_cache(painter, *scene, lay_out_cache(*scene, bounds, look), look);
  paint_compare(painter, backends(), lay_out(backends(), bounds, look), look);
}

int ComparePicture::columns() const {
  return std::max(2, backends().model->columnCount());
}

QSize ComparePicture::size() const {
  const PictureLook look = PictureLook::read();
  return cache() ? size_in(look.px(1280), look.px(640))
                 : size_in(look.px(234 + 300 * columns()), look.px(720));
}

QSize ComparePicture::size_for(double width) const {
  const PictureLook look = PictureLook::read();
  const int least = cache() ? look.px(480) : look.px(160 + 120 * columns());
  const int wide = std::max(static_cast<int>(std::ceil(width)), least);
  return size_in(wide, wide / 2);
}

// The size of a picture of this width that is as high as its content, which is laid out in a room
// of width x height.
QSize ComparePicture::size_in(int width, int height) const {
  const PictureLook look = PictureLook::read();
  const QRectF room(0, 0, width, height);
  const double needed =
      cache() ? lay_out_cache(*cache(), room, look).height : lay_out(backends(), room, look).height;
  return {width, static_cast<int>(std::ceil(needed))};
}

}  // namespace attn::gui
