// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/line_raster.h"

#include <QSemaphore>
#include <QThread>
#include <QThreadPool>
#include <algorithm>
#include <atomic>
#include <cmath>

namespace attn::gui {

namespace {

// The share of its rise that a curve has reached at `along`, the share of the way from edge to
// edge. Both are in [0, 1].
double share_at(double along) {
  // Newton's method for the curve's parameter t.
  double t = along;
  for (int i = 0; i < 6; ++i) {
    const double u = 1 - t;
    const double x = 3 * u * u * t * kCurveBend + 3 * u * t * t * (1 - kCurveBend) + t * t * t;
    const double growth =
        3 * u * u * kCurveBend + 6 * u * t * (1 - 2 * kCurveBend) + 3 * t * t * kCurveBend;
    t -= (x - along) / growth;
  }
  return t * t * (3 - 2 * t);
}

}  // namespace

LineRaster::LineRaster(QSize size, QRgb background, double left, double right)
    : size_(size), background_(background | 0xff000000) {
  first_ = std::max(0, static_cast<int>(std::ceil(left - 0.5)));
  count_ = std::max(0, std::min(size.width(), static_cast<int>(std::ceil(right - 0.5))) - first_);
  const auto share = [&](double x) {
    return share_at(std::clamp((x - left) / (right - left), 0.0, 1.0));
  };
  const size_t blocks = (static_cast<size_t>(count_) + kCurveColumns - 1) / kCurveColumns;
  double at_left = share(first_);
  for (size_t i = 0; i < blocks * kCurveColumns; ++i) {
    const double x = first_ + static_cast<double>(i), at_right = share(x + 1);
    share_.push_back(static_cast<float>(share(x + 0.5)));
    growth_.push_back(static_cast<float>(at_right - at_left));
    at_left = at_right;
  }
}

void LineRaster::add(const RasterLine& line) {
  curves_.push_back({static_cast<float>(line.from), static_cast<float>(line.to - line.from),
                     static_cast<float>(line.width / 2), static_cast<float>(line.opacity) * 256,
                     line.color | 0xff000000});
}

QImage LineRaster::image() const {
  QImage image(size_, QImage::Format_RGB32);
  if (image.isNull()) return image;
  image.fill(background_);
  struct alignas(64) PixelRow {
    QRgb pixels[kCurveColumns];
  };
  PixelRow empty;
  std::ranges::fill(empty.pixels, background_);
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const auto row = static_cast<size_t>(image.bytesPerLine()) / sizeof(QRgb);
  std::atomic<size_t> next = 0;
  // Each thread takes the next block until none is left. Blocks have separate columns, so threads
  // do not write to the same pixels.
  const auto draw_blocks = [&] {
    std::vector<PixelRow> block(static_cast<size_t>(size_.height()));
    for (size_t first; (first = next.fetch_add(kCurveColumns)) < share_.size();) {
      std::ranges::fill(block, empty);
      draw_curves(curves_, share_.data() + first, growth_.data() + first, block.size(),
                  block.front().pixels);
      const size_t count = std::min(kCurveColumns, static_cast<size_t>(count_) - first);
      QRgb* out = pixels + static_cast<size_t>(first_) + first;
      for (const PixelRow& from : block) {
        std::copy_n(from.pixels, count, out);
        out += row;
      }
    }
  };
  constexpr size_t kFewCurves = 100;
  QSemaphore done;
  int helpers = 0;
  while (curves_.size() > kFewCurves && helpers + 1 < std::min(4, QThread::idealThreadCount()) &&
         QThreadPool::globalInstance()->tryStart([&] {
           draw_blocks();
           done.release();
         }))
    ++helpers;
  draw_blocks();
  done.acquire(helpers);
  return image;
}

}  // namespace attn::gui
