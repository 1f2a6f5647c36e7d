// SPDX-License-Identifier: GPL-3.0-or-later
// LineRaster: many translucent curves between two upright edges, drawn into an image. QPainter
// strokes and fills every path by itself and hands its spans to a pool of threads, which takes more
// than a frame for a few hundred curves. Here all of them share one shape, so a curve is a table
// look-up per column of pixels; and they are drawn a few columns at a time, all curves in each
// (draw_curves.h), so that what they are blended with stays near. Any thread.
#pragma once

#include <QImage>
#include <vector>

#include "gui/views/attention/draw_curves.h"

namespace attn::gui {

// A curve that leaves both edges horizontally: that of a cubic whose control points lie
// kCurveBend of the width away from its ends.
constexpr double kCurveBend = 0.45;

struct RasterLine {
  double from = 0, to = 0;  // px of the image: middle of the curve at the left and right edge
  double width = 1;         // px, across the curve
  QRgb color = 0;           // its alpha is not used
  double opacity = 1;       // [0, 1]
};

class LineRaster {
 public:
  // left, right: px of the image, the edges that the curves go between; not empty.
  LineRaster(QSize size, QRgb background, double left, double right);

  void add(const RasterLine& line);  // over those before; what lies outside is left out
  QImage image() const;              // opaque, with all of them

 private:
  QSize size_;
  QRgb background_;
  std::vector<RasterCurve> curves_;
  int first_ = 0, count_ = 0;  // columns between the edges
  // Of each of them, and as many more as fill a block.
  std::vector<float> share_;   // of the way from `from` to `to`, in the middle of the column
  std::vector<float> growth_;  // of the share, per px
};

}  // namespace attn::gui
