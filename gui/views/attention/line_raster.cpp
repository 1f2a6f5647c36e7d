// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/line_raster.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

namespace {

constexpr int kOpaque = 256;

// How far up a curve is at `along` of its way from edge to edge, both in [0, 1].
double share_at(double along) {
  double low = 0, high = 1;
  for (int i = 0; i < 24; ++i) {
    const double t = (low + high) / 2, u = 1 - t;
    const double x = 3 * u * u * t * kCurveBend + 3 * u * t * t * (1 - kCurveBend) + t * t * t;
    (x < along ? low : high) = t;
  }
  const double t = (low + high) / 2;
  return t * t * (3 - 2 * t);
}

// alpha: of kOpaque, which gives `color` itself.
inline void blend(QRgb& under, QRgb color, uint32_t alpha) {
  constexpr uint32_t kEven = 0x00ff00ff;
  const uint32_t rest = kOpaque - alpha;
  const uint32_t red_blue = ((color & kEven) * alpha + (under & kEven) * rest) >> 8 & kEven;
  const uint32_t green = ((color & 0xff00) * alpha + (under & 0xff00) * rest) >> 8 & 0xff00;
  under = 0xff000000 | red_blue | green;
}

}  // namespace

LineRaster::LineRaster(QSize size, QRgb background, double left, double right)
    : image_(size, QImage::Format_RGB32) {
  image_.fill(background);
  pixels_ = reinterpret_cast<QRgb*>(image_.bits());
  stride_ = image_.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
  first_ = std::max(0, static_cast<int>(std::ceil(left - 0.5)));
  const int end = std::min(size.width(), static_cast<int>(std::ceil(right - 0.5)));
  const auto share = [&](double x) {
    return share_at(std::clamp((x - left) / (right - left), 0.0, 1.0));
  };
  for (int x = first_; x < end; ++x) {
    share_.push_back(static_cast<float>(share(x + 0.5)));
    growth_.push_back(static_cast<float>(share(x + 1) - share(x)));
  }
}

void LineRaster::add(const RasterLine& line) {
  const auto from = static_cast<float>(line.from), rise = static_cast<float>(line.to - line.from);
  const auto half = static_cast<float>(line.width / 2),
             alpha = static_cast<float>(line.opacity) * kOpaque;
  const auto high = static_cast<float>(image_.height());
  QRgb* column = pixels_ + first_;
  for (size_t i = 0; i < share_.size(); ++i, ++column) {
    const float slope = rise * growth_[i];
    const float middle = from + rise * share_[i], reach = half * std::sqrt(1 + slope * slope);
    const float top = std::max(0.0F, middle - reach), bottom = std::min(high, middle + reach);
    if (!(top < bottom)) continue;
    const int begin = static_cast<int>(top), end = static_cast<int>(bottom);
    QRgb* pixel = column + begin * stride_;
    if (begin == end) {
      blend(*pixel, line.color, static_cast<uint32_t>((bottom - top) * alpha));
      continue;
    }
    // A pixel is covered as far as the curve reaches into it.
    blend(*pixel, line.color, static_cast<uint32_t>((static_cast<float>(begin + 1) - top) * alpha));
    pixel += stride_;
    for (int y = begin + 1; y < end; ++y, pixel += stride_)
      blend(*pixel, line.color, static_cast<uint32_t>(alpha));
    const float part = bottom - static_cast<float>(end);
    if (part > 0) blend(*pixel, line.color, static_cast<uint32_t>(part * alpha));
  }
}

}  // namespace attn::gui
