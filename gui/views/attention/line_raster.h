// SPDX-License-Identifier: GPL-3.0-or-later
// LineRaster: many translucent curves between two upright edges, drawn into an image. QPainter
// strokes and fills every path by itself and hands its spans to a pool of threads, which takes more
// than a frame for a few hundred curves. Here all of them share one shape, so a curve is a table
// look-up per column of pixels; and they are drawn a few columns at a time, all curves in each, so
// that what they are blended with stays near. Any thread.
#pragma once

#include <QImage>
#include <cstdint>
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

  void add(const RasterLine& line);  // over those before; what lies outside is left out
  QImage image() const;              // opaque, with all of them

 private:
  struct Line {
    float from, rise, half, alpha;  // px, px, px, of 256
    uint64_t color;                 // its channels, 16 bits each
  };
  // Columns [first, first + count) of share_, [count, high], over what is there.
  void draw(size_t first, size_t count, QRgb* columns, size_t stride) const;

  QSize size_;
  QRgb background_;
  std::vector<Line> lines_;
  int first_ = 0;              // column of share_[0]
  std::vector<float> share_;   // of the way from `from` to `to`, in the middle of a column
  std::vector<float> growth_;  // of the share, per px
};

}  // namespace attn::gui
