// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/dense_curve.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

DenseCurve dense_curve(const QPolygonF& points, Dashes dashes) {
  DenseCurve curve;
  if (points.isEmpty()) return curve;
  const auto column_of = [](const QPointF& point) {
    return static_cast<int>(std::floor(point.x()));
  };
  const auto is_drawn = [&](int column, double climb) {
    return climb > 1 || column % dashes.length < dashes.drawn;
  };
  int column = column_of(points.front());
  double low = points.front().y(), high = low;
  const auto reach = [&](double y) {
    low = std::min(low, y);
    high = std::max(high, y);
  };
  const auto finish = [&] {
    if (!is_drawn(column, high - low)) return;
    const int top = static_cast<int>(std::floor(low));
    curve.columns << QRect(column, top, 1, static_cast<int>(std::floor(high)) - top + 1);
  };
  QPointF from = points.front();
  for (const QPointF& to : points) {
    if (const int next = column_of(to); next != column) {
      const double middle = (from.y() + to.y()) / 2;
      const bool touches = next == column + 1;
      if (touches) reach(middle);
      finish();
      if (!touches && is_drawn(column, std::abs(to.y() - from.y())))
        curve.across << QLineF(from, to);
      column = next;
      low = high = touches ? middle : to.y();
    }
    reach(to.y());
    from = to;
  }
  finish();
  return curve;
}

}  // namespace attn::gui
