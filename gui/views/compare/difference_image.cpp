// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/difference_image.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

QColor blend(const QColor& a, const QColor& b, double part) {
  const auto mix = [part](int from, int to) {
    return static_cast<int>(std::lround(from + (to - from) * part));
  };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

QColor difference_color(double share, const PictureLook& look) {
  if (std::isnan(share)) return look.colors.not_a_number;
  const bool dark = look.colors.surface.lightness() < 128;
  // Okabe and Ito's blue and orange, in the shade that stands out from the ground.
  const QColor less = dark ? QColor(0x56, 0xB4, 0xE9) : QColor(0x00, 0x5A, 0x9C);
  const QColor more = dark ? QColor(0xF5, 0xA0, 0x20) : QColor(0xB8, 0x46, 0x00);
  const double part = std::clamp(std::abs(share), 0.0, 1.0);
  return blend(look.colors.surface, share < 0 ? less : more, part);
}

QImage difference_image(const DifferenceMap& map, float largest, int width, int height,
                        const PictureLook& look) {
  QImage image(std::max(1, width), std::max(1, height), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  if (map.values.empty()) return image;
  const bool weights = map.kind == DifferenceMap::Kind::kWeights;
  for (int y = 0; y < image.height(); ++y) {
    const int64_t r0 = y * map.rows / image.height();
    const int64_t r1 = std::max(r0 + 1, (y + 1) * map.rows / image.height());
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const int64_t c0 = x * map.columns / image.width();
      const int64_t c1 = std::max(c0 + 1, (x + 1) * map.columns / image.width());
      float shown = 0;
      bool seen = false;
      for (int64_t r = r0; r < r1; ++r) {
        const KeySpan keys = weights ? map.rule.span(r, c1) : KeySpan{c0, c1};
        for (int64_t c = std::max(c0, keys.begin); c < keys.end; ++c) {
          if (map.rule.blocksparse && map.masked(r, c)) continue;
          seen = true;
          const float value = map.values[static_cast<size_t>(r * map.columns + c)];
          if (std::isnan(value) || std::abs(value) > std::abs(shown)) shown = value;
        }
      }
      if (!seen) continue;
      line[x] = difference_color(largest > 0 ? shown / largest : 0, look).rgb();
    }
  }
  return image;
}

}  // namespace attn::gui
