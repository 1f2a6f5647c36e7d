// SPDX-License-Identifier: GPL-3.0-or-later
// LineRaster: draws many translucent curves of one shape between two vertical edges into an image.
// Any thread.
#pragma once

#include <QImage>
#include <vector>

#include "gui/views/attention/lines/draw_curves.h"

namespace attn::gui {

// The curve is a cubic Bezier curve that is horizontal at both edges: its control points are
// kCurveBend times the distance of the edges away from its ends.
constexpr double kCurveBend = 0.45;

struct RasterLine {
  // Y of the middle of the curve at the left and right edge, px of the image.
  double from = 0, to = 0;
  double width = 1;    // px, across the curve
  QRgb color = 0;      // its alpha is ignored
  double opacity = 1;  // [0, 1]
};

class LineRaster {
 public:
  // left, right: x of the two edges, px of the image; left < right.
  LineRaster(QSize size, QRgb background, double left, double right);

  void add(const RasterLine& line);  // over earlier lines; clipped to the image
  QImage image() const;              // draws all lines on the background; opaque

 private:
  QSize size_;
  QRgb background_;
  std::vector<RasterCurve> curves_;
  int first_ = 0, count_ = 0;  // columns between the edges: first, number
  // One value per column, padded to whole blocks. share_: y in the middle of the column, as a share
  // of the way from `from` to `to`. growth_: by how much the share grows over the width of the
  // column.
  std::vector<float> share_, growth_;
};

}  // namespace attn::gui
