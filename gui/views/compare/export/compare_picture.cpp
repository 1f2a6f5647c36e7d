// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of a comparison for files.
#include <algorithm>
#include <cmath>

#include "gui/views/compare/compare_view.h"

namespace attn::gui {

void CompareView::paint_content(QPainter& painter, const QRectF& bounds) {
  const PictureLook look = PictureLook::read();
  if (what() == What::kCache) {
    CompareCacheScene scene = cache_canvas_->scene();
    scene.focused = false;
    return paint_compare_cache(painter, scene, lay_out_cache(scene, bounds, look), look);
  }
  wait_for_maps();
  CompareScene scene = canvas_->scene();
  scene.focused = false;
  scene.cell = {};
  paint_compare(painter, scene, lay_out(scene, bounds, look), look);
}

QSize CompareView::export_size() const {
  const PictureLook look = PictureLook::read();
  return what() == What::kCache
             ? size_of_picture(look.px(1280), look.px(640))
             : size_of_picture(look.px(234 + 300 * std::max(2, model_.columnCount())),
                               look.px(720));
}

QSize CompareView::export_size_for(double width) const {
  const PictureLook look = PictureLook::read();
  const int least = what() == What::kCache ? look.px(480)
                                           : look.px(160 + 120 * std::max(2, model_.columnCount()));
  const int wide = std::max(static_cast<int>(std::ceil(width)), least);
  return size_of_picture(wide, wide / 2);
}

// As high as the content needs in a room of width x height.
QSize CompareView::size_of_picture(int width, int height) const {
  const PictureLook look = PictureLook::read();
  const QRectF room(0, 0, width, height);
  const double needed = what() == What::kCache
                            ? lay_out_cache(cache_canvas_->scene(), room, look).height
                            : lay_out(canvas_->scene(), room, look).height;
  return {width, static_cast<int>(std::ceil(needed))};
}

QByteArray CompareView::csv() const {
  if (!has_result()) return {};
  return QByteArray::fromStdString(what() == What::kCache
                                       ? compare_cache_csv(*cache_model_.result())
                                       : compare_csv(*model_.result()));
}

QString CompareView::nothing_to_export() const {
  if (has_result()) return {};
  return job_.trouble().isEmpty() ? tr("nothing has been compared (Ctrl+R)")
                                  : tr("the comparison has no result");
}

}  // namespace attn::gui
