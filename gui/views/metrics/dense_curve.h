// SPDX-License-Identifier: GPL-3.0-or-later
// A curve with more points than pixel columns, as rectangles one column wide and lines across empty
// columns.
#pragma once

#include <QLineF>
#include <QList>
#include <QPolygonF>
#include <QRect>

namespace attn::gui {

// A dash pattern: of `length` pixel columns the first `drawn` are drawn.
struct Dashes {
  int length = 1, drawn = 1;
};

struct DenseCurve {
  QList<QRect> columns;
  QList<QLineF> across;  // over columns without points
};

// points: in pixels, x never falls. A column in which the curve is higher than a pixel is drawn
// even in a gap of the dashes.
DenseCurve dense_curve(const QPolygonF& points, Dashes dashes);

}  // namespace attn::gui
