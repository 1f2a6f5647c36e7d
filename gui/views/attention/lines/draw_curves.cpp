// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/lines/draw_curves.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gui/views/attention/lines/draw_curves.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn::gui {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The four 8-bit channels of a pixel are split into two words with two 16-bit lanes each, so that a
// product with an alpha of up to 256 has room.
constexpr uint32_t kEven = 0x00ff00ff, kOdd = 0xff00ff00;

inline uint32_t Blend(uint32_t under, uint32_t color, uint32_t alpha) {
  const uint32_t left = 256 - alpha;
  const uint32_t even = ((color & kEven) * alpha + (under & kEven) * left) >> 8 & kEven;
  const uint32_t odd = ((color >> 8 & kEven) * alpha + (under >> 8 & kEven) * left) & kOdd;
  return even | odd;
}

// The part of every column of the block that a curve covers: [top, bottom) px. A column with top >=
// bottom is not covered.
struct Extent {
  HWY_ALIGN float top[kCurveColumns], bottom[kCurveColumns];
  size_t begin, end;  // pixel rows [begin, end) that the curve covers in any column
};

inline void FindExtent(const RasterCurve& curve, const float* share, const float* growth,
                       float high, Extent& extent) {
  const hn::CappedTag<float, kCurveColumns> d;
  const auto zero = hn::Zero(d), most = hn::Set(d, high), one = hn::Set(d, 1);
  auto first = most, last = zero;
  for (size_t i = 0; i < kCurveColumns; i += hn::Lanes(d)) {
    const auto rise = hn::Set(d, curve.rise);
    const auto slope = hn::Mul(rise, hn::LoadU(d, growth + i));
    const auto middle = hn::Add(hn::Set(d, curve.from), hn::Mul(rise, hn::LoadU(d, share + i)));
    const auto reach =
        hn::Mul(hn::Set(d, curve.half), hn::Sqrt(hn::Add(one, hn::Mul(slope, slope))));
    const auto top = hn::Max(zero, hn::Sub(middle, reach));
    const auto bottom = hn::Min(most, hn::Add(middle, reach));
    hn::Store(top, d, extent.top + i);
    hn::Store(bottom, d, extent.bottom + i);
    const auto covers = hn::Lt(top, bottom);
    first = hn::Min(first, hn::IfThenElse(covers, top, most));
    last = hn::Max(last, hn::IfThenElse(covers, bottom, zero));
  }
  extent.begin = static_cast<size_t>(hn::GetLane(hn::MinOfLanes(d, first)));
  const float end = hn::GetLane(hn::MaxOfLanes(d, last));
  extent.end = static_cast<size_t>(end);
  if (static_cast<float>(extent.end) < end) ++extent.end;
}

#if HWY_TARGET != HWY_SCALAR
// Draws row by row, a vector of neighbouring columns at a time: fast where the curve is flat.
inline void DrawRows(const RasterCurve& curve, const Extent& extent, uint32_t* block) {
  const hn::CappedTag<float, kCurveColumns> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Repartition<uint16_t, decltype(d)> d16;
  const auto zero = hn::Zero(d), one = hn::Set(d, 1), whole = hn::Set(d, curve.alpha);
  const auto even = hn::Set(du, kEven), odd = hn::Set(du, kOdd);
  const auto color_even = hn::BitCast(d16, hn::Set(du, curve.color & kEven)),
             color_odd = hn::BitCast(d16, hn::Set(du, curve.color >> 8 & kEven));
  const auto opaque = hn::Set(d16, 256);
  for (size_t i = 0; i < kCurveColumns; i += hn::Lanes(d)) {
    const auto top = hn::Load(d, extent.top + i), bottom = hn::Load(d, extent.bottom + i);
    auto y = hn::Set(d, static_cast<float>(extent.begin));
    for (size_t row = extent.begin; row < extent.end; ++row) {
      const auto below = hn::Add(y, one);
      const auto covered = hn::Max(zero, hn::Sub(hn::Min(below, bottom), hn::Max(y, top)));
      y = below;
      const auto share = hn::BitCast(du, hn::ConvertTo(di, hn::Mul(covered, whole)));
      const auto alpha = hn::BitCast(d16, hn::Or(share, hn::ShiftLeft<16>(share)));
      const auto left = hn::Sub(opaque, alpha);
      uint32_t* at = block + row * kCurveColumns + i;
      const auto under = hn::Load(du, at);
      const auto under_even = hn::BitCast(d16, hn::And(under, even)),
                 under_odd = hn::BitCast(d16, hn::And(hn::ShiftRight<8>(under), even));
      const auto sum_even = hn::Add(hn::Mul(color_even, alpha), hn::Mul(under_even, left)),
                 sum_odd = hn::Add(hn::Mul(color_odd, alpha), hn::Mul(under_odd, left));
      hn::Store(hn::Or(hn::BitCast(du, hn::ShiftRight<8>(sum_even)),
                       hn::And(hn::BitCast(du, sum_odd), odd)),
                du, at);
    }
  }
}
#endif  // HWY_TARGET

// Draws column by column: fast where the curve is so steep that each row has few of its pixels.
inline void DrawColumns(const RasterCurve& curve, const Extent& extent, uint32_t* block) {
  for (size_t i = 0; i < kCurveColumns; ++i) {
    const float top = extent.top[i], bottom = extent.bottom[i];
    if (!(top < bottom)) continue;
    for (auto row = static_cast<size_t>(top); static_cast<float>(row) < bottom; ++row) {
      const auto y = static_cast<float>(row);
      const float covered = std::min(y + 1, bottom) - std::max(y, top);
      uint32_t& pixel = block[row * kCurveColumns + i];
      pixel = Blend(pixel, curve.color, static_cast<uint32_t>(covered * curve.alpha));
    }
  }
}

void DrawCurves(std::span<const RasterCurve> curves, const float* share, const float* growth,
                size_t high, uint32_t* block) {
  Extent extent;
  for (const RasterCurve& curve : curves) {
    FindExtent(curve, share, growth, static_cast<float>(high), extent);
#if HWY_TARGET != HWY_SCALAR
    constexpr size_t kSteep = 2 * kCurveColumns;
    if (extent.end - extent.begin <= kSteep) {
      DrawRows(curve, extent, block);
      continue;
    }
#endif  // HWY_TARGET
    DrawColumns(curve, extent, block);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::gui
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::gui {

HWY_EXPORT(DrawCurves);

void draw_curves(std::span<const RasterCurve> curves, const float* share, const float* growth,
                 size_t high, uint32_t* block) {
  HWY_DYNAMIC_DISPATCH(DrawCurves)(curves, share, growth, high, block);
}

}  // namespace attn::gui
#endif  // HWY_ONCE
