// SPDX-License-Identifier: GPL-3.0-or-later
// Draws queries and keys as points of a plane: filled and hollow, with lines from the shown query
// to the keys that it reads. Any thread.
#pragma once

#include <QPainter>
#include <vector>

#include "gui/views/points/points_scene.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct PointsParts {
  QRectF title, plot, facts, legend;  // empty: there is no room for it, or it is not drawn
  std::vector<QString> said, lines;   // of the title; of the facts, wrapped
};
PointsParts points_parts(const PointsScene& scene, const QRectF& bounds);

// All points in view, with the same scale on both axes. `before`: keeps zoom and place of a
// transform that did not show everything; null: fits.
CanvasTransform points_transform(const PointsScene& scene, const QRectF& plot,
                                 const CanvasTransform* before = nullptr);
QPointF point_at_place(const PointsScene& scene, const CanvasTransform& transform,
                       const QRectF& plot, const PointPlace& place);

void paint_points(QPainter& painter, const PointsScene& scene, const PointsParts& parts,
                  const CanvasTransform& transform);

}  // namespace attn::gui
