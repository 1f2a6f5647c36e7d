// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of a block of columns: flat ones, which are drawn row by row, and steep ones, most of
// which are drawn column by column.
#include <random>

#include "bench/views/view_bench.h"
#include "gui/views/attention/lines/draw_curves.h"

namespace attn::gui {
namespace {

constexpr size_t kCurves = 4096, kHigh = 1080;

// reach: how far a curve may rise or fall from edge to edge, px.
void draw_block(benchmark::State& state, float reach) {
  std::mt19937 random(7);
  const auto any = [&](float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random);
  };
  std::vector<RasterCurve> curves;
  for (size_t i = 0; i < kCurves; ++i)
    curves.push_back({any(0, kHigh), any(-reach, reach), 0.6f, any(0, 256), 0xff4080c0});
  std::vector<float> share(kCurveColumns), growth(kCurveColumns, 0.1f);
  for (size_t i = 0; i < kCurveColumns; ++i)
    share[i] = 0.4f + 0.2f * static_cast<float>(i) / kCurveColumns;
  struct alignas(64) PixelRow {
    uint32_t pixels[kCurveColumns];
  };
  std::vector<PixelRow> block(kHigh);
  bench::measure_alone(
      state,
      [&] {
        draw_curves(curves, share.data(), growth.data(), kHigh, block.front().pixels);
        benchmark::DoNotOptimize(block.data());
      },
      1);
}

}  // namespace

void register_draw_curves() {
  const std::string shape = "/C" + std::to_string(kCurves) + "/T1";
  bench::add_row("view/draw_curves/flat" + shape,
                 [](benchmark::State& state) { draw_block(state, 20); });
  bench::add_row("view/draw_curves/steep" + shape,
                 [](benchmark::State& state) { draw_block(state, 1000); });
}

}  // namespace attn::gui
