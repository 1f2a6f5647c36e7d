// SPDX-License-Identifier: GPL-3.0-or-later
// Draws queries (filled) and keys (hollow) as points of a plane, with lines from the shown query to
// keys that it reads. Any thread.
#pragma once

#include <QPainter>
#include <vector>

#include "gui/views/points/points_scene.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct PointsParts {
  QRectF title, plot, facts, legend;  // empty: not drawn
  std::vector<QString> said, lines;   // lines of the title; lines of the facts
};
PointsParts points_parts(const PointsScene& scene, const QRectF& bounds);

// One scale for both axes. `before` gives zoom and place unless it is null or shows everything.
CanvasTransform points_transform(const PointsScene& scene, const QRectF& plot,
                                 const CanvasTransform* before = nullptr);
QPointF point_at_place(const PointsScene& scene, const CanvasTransform& transform,
                       const QRectF& plot, const PointPlace& place);

void paint_points(QPainter& painter, const PointsScene& scene, const PointsParts& parts,
                  const CanvasTransform& transform);

}  // namespace attn::gui
