// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/draw_curves.h"

#include <QColor>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/gui/qt_test_main.h"

namespace attn::gui {

class TestDrawCurves : public QObject {
  Q_OBJECT

 private slots:
  void init() { attn::gui::test::fail_on_warnings(); }

  void curves_are_blended_pixel_by_pixel() {
    constexpr size_t kHigh = 200;
    std::mt19937 random(7);
    const auto any = [&](float low, float high) {
      return std::uniform_real_distribution<float>(low, high)(random);
    };
    std::vector<RasterCurve> curves;
    for (int i = 0; i < 300; ++i)
      curves.push_back({any(-50, 250), any(-300, 300), any(0.2F, 5), any(0, 256),
                        static_cast<uint32_t>(random()) | 0xff000000});
    std::vector<float> share(kCurveColumns), growth(kCurveColumns);
    for (size_t i = 0; i < kCurveColumns; ++i) {
      share[i] = any(0, 1);
      growth[i] = any(0, 0.3F);
    }
    struct alignas(64) PixelRow {
      QRgb pixels[kCurveColumns];
    };
    std::vector<PixelRow> block(kHigh);
    for (PixelRow& row : block) std::ranges::fill(row.pixels, qRgb(20, 20, 24));
    std::vector<PixelRow> expected = block;
    draw_curves(curves, share.data(), growth.data(), kHigh, block.front().pixels);
    for (const RasterCurve& curve : curves)
      for (size_t x = 0; x < kCurveColumns; ++x) {
        const float slope = curve.rise * growth[x], middle = curve.from + curve.rise * share[x],
                    reach = curve.half * std::sqrt(1 + slope * slope);
        const float top = std::max(0.0F, middle - reach),
                    bottom = std::min(static_cast<float>(kHigh), middle + reach);
        for (size_t y = 0; y < kHigh; ++y) {
          const auto above = static_cast<float>(y);
          const float covered = std::min(above + 1, bottom) - std::max(above, top);
          if (covered <= 0) continue;
          const int alpha = static_cast<int>(covered * curve.alpha);
          QRgb& pixel = expected[y].pixels[x];
          const auto mixed = [&](int color, int under) {
            return (color * alpha + under * (256 - alpha)) / 256;
          };
          pixel =
              qRgb(mixed(qRed(curve.color), qRed(pixel)), mixed(qGreen(curve.color), qGreen(pixel)),
                   mixed(qBlue(curve.color), qBlue(pixel)));
        }
      }
    for (size_t y = 0; y < kHigh; ++y)
      for (size_t x = 0; x < kCurveColumns; ++x)
        QCOMPARE(block[y].pixels[x], expected[y].pixels[x]);
  }
};

}  // namespace attn::gui

ATTN_QT_TEST(test_draw_curves, attn::gui::test::run<attn::gui::TestDrawCurves>)
#include "test_draw_curves.moc"
