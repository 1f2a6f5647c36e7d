// SPDX-License-Identifier: GPL-3.0-or-later
// ComparePicture: a comparison as a picture for files, without what is only of the window, such as
// the keyboard cursor. GUI thread.
#pragma once

#include <QSize>
#include <variant>

#include "gui/views/compare/compare_cache_painter.h"
#include "gui/views/compare/compare_painter.h"

namespace attn::gui {

class ComparePicture {
 public:
  explicit ComparePicture(CompareScene backends);
  explicit ComparePicture(CompareCacheScene cache);
  void paint(QPainter& painter, const QRectF& bounds) const;
  QSize size() const;
  QSize size_for(double width) const;

 private:
  const CompareCacheScene* cache() const { return std::get_if<CompareCacheScene>(&scene_); }
  const CompareScene& backends() const { return std::get<CompareScene>(scene_); }
  QSize size_in(int width, int height) const;
  int columns() const;

  std::variant<CompareScene, CompareCacheScene> scene_;
};

}  // namespace attn::gui
