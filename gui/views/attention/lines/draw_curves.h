// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of LineRaster: draws translucent curves over a block of a few pixel columns, flat
// ones with vector instructions. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn::gui {

inline constexpr size_t kCurveColumns = 16;  // columns of a block; a row of pixels takes 64 bytes

// A curve between two vertical edges. In a column its middle is at y = from + rise * share, and its
// slope is rise * growth.
struct RasterCurve {
  float from, rise;  // px
  float half;        // half of the width across the curve, px
  float alpha;       // opacity, 0 to 256
  uint32_t color;    // 0xffRRGGBB
};

// share, growth: [kCurveColumns], see LineRaster. block: [high, kCurveColumns] opaque pixels
// 0xffRRGGBB, aligned to 64 bytes. The curves are blended over the block in order and clipped to
// it. A pixel's alpha is that of the curve times the part of the pixel's height that the curve
// covers at the middle of the column.
void draw_curves(std::span<const RasterCurve> curves, const float* share, const float* growth,
                 size_t high, uint32_t* block);

}  // namespace attn::gui
