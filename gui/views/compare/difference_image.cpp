// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/compare/difference_image.h"

#include <algorithm>
#include <cmath>

#include "gui/widgets/color_map.h"

namespace attn::gui {

QColor difference_color(double share, const PictureLook& look) {
  if (std::isnan(share)) return look.colors.not_a_number;
  return QColor(diverging_color(share, look.colors.surface.rgb()));
}

double difference_share(double difference, double largest) {
  if (largest <= 0) return std::isnan(difference) ? difference : 0;
  return std::copysign(std::sqrt(std::abs(difference) / largest), difference);
}

QImage difference_image(const DifferenceMap& map, int width, int height, const PictureLook& look) {
  QImage image(std::max(1, width), std::max(1, height), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  if (map.values.empty()) return image;
  const float largest = map.max_abs;
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
      line[x] = difference_color(difference_share(shown, largest), look).rgb();
    }
  }
  return image;
}

}  // namespace attn::gui
