// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of LineRaster: translucent curves over a block of a few columns of pixels, in
// vectors. Pure; any thread. The bits do not depend on the processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace attn::gui {

inline constexpr size_t kCurveColumns = 16;  // of a block: 64 bytes a row

// A curve between two upright edges. Its middle is at from + rise * share, its thickness along the
// column grows with its slope, rise * growth.
struct RasterCurve {
  float from, rise;  // px
  float half;        // of the width across the curve, px
  float alpha;       // of 256
  uint32_t color;    // 0xffRRGGBB
};

// share, growth: [kCurveColumns], see LineRaster. block: [high, kCurveColumns] opaque pixels
// 0xffRRGGBB, aligned to 64 bytes; curves are blended over it in order, and what lies outside is
// left out. A pixel counts a curve by how much of the middle of its column it covers.
void draw_curves(std::span<const RasterCurve> curves, const float* share, const float* growth,
                 size_t high, uint32_t* block);

}  // namespace attn::gui
