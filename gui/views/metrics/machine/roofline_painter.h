// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the page "This machine": the roofline on double logarithmic axes, a table of the kernels,
// and the sentences beside it. The screen and the exported files share it. Any thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <vector>

#include "gui/views/metrics/machine/roofline_scene.h"

namespace attn::gui {

struct RooflineParts {
  QRectF bounds, title, plot;  // plot: between the axes
  QRectF table, notes;
  double row = 0;  // height of a row of the table, px; its first row has the column names
  // The ends of both axes, as powers of ten.
  double x_low = -1, x_high = 3, y_low = -1, y_high = 3;

  QPointF at(double intensity, double gops) const;
  QRectF table_row(size_t kernel) const;
};

// with_title: a line with a title stands above the picture, for files.
RooflineParts roofline_parts(const RooflineScene& scene, const QRectF& bounds, bool with_title);
void paint_roofline(QPainter& painter, const RooflineScene& scene, const RooflineParts& parts);

// A point that was hit: a kernel, or a kernel in a step.
struct RooflineHit {
  bool of_step = false;
  size_t index = 0;  // of scene.kernels, or of scene.steps
};
// The nearest point, or the kernel whose row in the table is there.
std::optional<RooflineHit> roofline_hit(const RooflineScene& scene, const RooflineParts& parts,
                                        const QPointF& position);

}  // namespace attn::gui
