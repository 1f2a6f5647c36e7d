// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/line_raster.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {

namespace {

constexpr uint32_t kOpaque = 256;
constexpr size_t kColumns = 16;  // drawn at a time

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

// Four channels of 8 bits in lanes of 16, where a product with up to kOpaque has room.
constexpr uint64_t kLanes = 0x00ff00ff00ff00ff;
inline uint64_t spread(QRgb pixel) {
  return (pixel | uint64_t{pixel} << 24) & kLanes;
}
inline QRgb gather(uint64_t lanes) {
  return static_cast<QRgb>(lanes | lanes >> 24);
}

// Of the color so much as makes `alpha` of kOpaque, over what is left of the pixel.
inline void blend(QRgb& under, uint64_t color, uint32_t alpha) {
  under = gather((color * alpha + spread(under) * (kOpaque - alpha)) >> 8 & kLanes);
}

}  // namespace

LineRaster::LineRaster(QSize size, QRgb background, double left, double right)
    : size_(size), background_(background | 0xff000000) {
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
  lines_.push_back({static_cast<float>(line.from), static_cast<float>(line.to - line.from),
                    static_cast<float>(line.width / 2), static_cast<float>(line.opacity) * kOpaque,
                    spread(line.color | 0xff000000)});
}

void LineRaster::draw(size_t first, size_t count, QRgb* columns, size_t stride) const {
  const auto high = static_cast<float>(size_.height());
  // Of every column: the first and last pixel that the curve reaches, and how much of each it
  // covers; where they are one, `upper` is all.
  int begins[kColumns], ends[kColumns], uppers[kColumns], lowers[kColumns];
  for (const Line& line : lines_) {
    for (size_t i = 0; i < count; ++i) {
      const float slope = line.rise * growth_[first + i];
      const float middle = line.from + line.rise * share_[first + i],
                  reach = line.half * std::sqrt(1 + slope * slope);
      const float top = std::max(0.0F, middle - reach), bottom = std::min(high, middle + reach);
      begins[i] = static_cast<int>(top);
      ends[i] = top < bottom ? static_cast<int>(bottom) : -1;  // -1: it lies outside
      const auto pixel_end = static_cast<float>(begins[i] + 1);
      uppers[i] = static_cast<int>((std::min(pixel_end, bottom) - top) * line.alpha);
      lowers[i] = static_cast<int>((bottom - static_cast<float>(ends[i])) * line.alpha);
    }
    const auto whole = static_cast<uint32_t>(line.alpha);
    QRgb* column = columns;
    for (size_t i = 0; i < count; ++i, column += stride) {
      if (ends[i] < begins[i]) continue;
      QRgb *pixel = column + begins[i], *const last = column + ends[i];
      blend(*pixel, line.color, static_cast<uint32_t>(uppers[i]));
      if (pixel == last) continue;
      while (++pixel < last) blend(*pixel, line.color, whole);
      if (lowers[i] > 0) blend(*pixel, line.color, static_cast<uint32_t>(lowers[i]));
    }
  }
}

QImage LineRaster::image() const {
  QImage image(size_, QImage::Format_RGB32);
  if (image.isNull()) return image;
  image.fill(background_);
  const auto high = static_cast<size_t>(size_.height());
  // Never a whole number of pages apart: such columns would push each other out of the cache.
  const size_t stride = (high + 31) / 32 * 32 + 16;
  std::vector<QRgb> columns(stride * kColumns);
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const auto row = static_cast<size_t>(image.bytesPerLine()) / sizeof(QRgb);
  for (size_t first = 0; first < share_.size(); first += kColumns) {
    const size_t count = std::min(kColumns, share_.size() - first);
    std::fill(columns.begin(), columns.end(), background_);
    draw(first, count, columns.data(), stride);
    QRgb* out = pixels + static_cast<size_t>(first_) + first;
    for (size_t y = 0; y < high; ++y, out += row)
      for (size_t i = 0; i < count; ++i) out[i] = columns[i * stride + y];
  }
  return image;
}

}  // namespace attn::gui
