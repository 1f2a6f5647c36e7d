// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the page "This machine": the roofline on logarithmic axes, a table of the kernels, and
// notes. Any thread.
#pragma once

#include <QPainter>
#include <QRectF>
#include <vector>

#include "gui/views/metrics/machine/roofline_scene.h"

namespace attn::gui {

struct RooflineParts {
  QRectF bounds, title, plot;  // plot: between the axes
  QRectF table, notes;
  double row = 0;  // row height in px; the first row has the column names
  // The ends of the axes, as exponents of ten.
  double x_low = -1, x_high = 3, y_low = -1, y_high = 3;

  QPointF at(double intensity, double gops) const;
  QRectF table_row(size_t kernel) const;
};

// with_title: true for pictures in files.
RooflineParts roofline_parts(const RooflineScene& scene, const QRectF& bounds, bool with_title);
void paint_roofline(QPainter& painter, const RooflineScene& scene, const RooflineParts& parts);

struct RooflineHit {
  bool of_step = false;
  size_t index = 0;  // index into scene.kernels or scene.steps
};
// The kernel of the table row, or else a near point (or mark of a kernel), kernels before steps.
std::optional<RooflineHit> roofline_hit(const RooflineScene& scene, const RooflineParts& parts,
                                        const QPointF& position);

}  // namespace attn::gui
