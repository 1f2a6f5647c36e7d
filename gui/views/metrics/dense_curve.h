// SPDX-License-Identifier: GPL-3.0-or-later
// A curve that has more points than columns of pixels. Lines from point to point would cover the
// same pixels several times, so each column becomes one rectangle: from the lowest to the highest
// point in it, and half-way to the nearest points of the columns beside it.
#pragma once

#include <QLineF>
#include <QList>
#include <QPolygonF>
#include <QRect>

namespace attn::gui {

// Of each `length` pixel columns the first `drawn` are drawn.
struct Dashes {
  int length = 1, drawn = 1;
};

struct DenseCurve {
  QList<QRect> columns;
  QList<QLineF> across;  // over columns without points
};

// points: in pixels, x never falls. Where the curve rises or falls by more than a pixel there is no
// gap: a peak may stand between two dashes.
DenseCurve dense_curve(const QPolygonF& points, Dashes dashes);

}  // namespace attn::gui
