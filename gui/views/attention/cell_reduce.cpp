// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/cell_reduce.h"

#include <algorithm>
#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gui/views/attention/cell_reduce.cpp"
#include "hwy/foreach_target.h"  // must come first: it includes this file once per target

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn::gui {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns an integer that grows with the magnitude of the value. Of two values of equal magnitude
// the positive one gets the larger integer. A NaN gets a larger integer than every number.
inline uint32_t Order(float value) {
  return std::rotl(std::bit_cast<uint32_t>(value), 1) ^ 1u;
}

float LargestMagnitude(const float* cells, int64_t count, float so_far) {
  const hn::ScalableTag<uint32_t> d;
  const hn::Rebind<float, decltype(d)> as_floats;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  uint32_t most = Order(so_far);
  int64_t i = 0;
  if (count >= lanes) {
    auto most_of_lanes = hn::Set(d, most);
    for (; i + lanes <= count; i += lanes) {
      const auto bits = hn::BitCast(d, hn::LoadU(as_floats, cells + i));
      const auto turned = hn::Or(hn::ShiftLeft<1>(bits), hn::ShiftRight<31>(bits));
      most_of_lanes = hn::Max(most_of_lanes, hn::Xor(turned, hn::Set(d, 1)));
    }
    most = hn::GetLane(hn::MaxOfLanes(d, most_of_lanes));
  }
  for (; i < count; ++i) most = std::max(most, Order(cells[i]));
  return std::bit_cast<float>(std::rotr(most ^ 1u, 1));
}

void AddCells(const float* cells, int64_t count, double* sums) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;  // as many floats as `d` has doubles
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::PromoteTo(d, hn::LoadU(half, cells + i))), d,
               sums + i);
  for (; i < count; ++i) sums[i] += static_cast<double>(cells[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn::gui
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn::gui {

HWY_EXPORT(LargestMagnitude);
HWY_EXPORT(AddCells);

float largest_magnitude(const float* cells, int64_t count, float so_far) {
  return HWY_DYNAMIC_DISPATCH(LargestMagnitude)(cells, count, so_far);
}

void add_cells(const float* cells, int64_t count, double* sums) {
  HWY_DYNAMIC_DISPATCH(AddCells)(cells, count, sums);
}

}  // namespace attn::gui
#endif  // HWY_ONCE
