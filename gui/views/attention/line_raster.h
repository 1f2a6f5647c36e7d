// SPDX-License-Identifier: GPL-3.0-or-later
// LineRaster: many translucent curves between two upright edges, drawn into an image. QPainter
// strokes and fills every path by itself and hands its spans to a pool of threads, which takes more
// than a frame for a few hundred curves. Here all of them share one shape, so a curve is a table
// look-up per column of pixels. Any thread.
#pragma once

#include <QImage>
#include <vector>

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

  void add(const RasterLine& line);  // over what is there; what lies outside is left out
  const QImage& image() const { return image_; }

 private:
  QImage image_;  // opaque
  QRgb* pixels_ = nullptr;
  qsizetype stride_ = 0;       // pixels from row to row
  int first_ = 0;              // column of share_[0]
  std::vector<float> share_;   // of the way from `from` to `to`, in the middle of a column
  std::vector<float> growth_;  // of the share, per px
};

}  // namespace attn::gui
