// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of every element type as f32 vectors, without the cache's scale. Included once per Highway
// target.
#if defined(ATTN_KERNELS_LOAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_LOAD_INL_H_
#undef ATTN_KERNELS_LOAD_INL_H_
#else
#define ATTN_KERNELS_LOAD_INL_H_
#endif

#include "engine/core/dtype.h"
#include "engine/kernels/exp-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

HWY_INLINE VF LoadAsFloat(DF d, const float* p) {
  return hn::LoadU(d, p);
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
VF LoadAsFloat(DF d, const T* p) {
  return hn::Set(d, to_f32(*p));
}
template <class T>
void LoadPairs(DF d, const T* p, VF& even, VF& odd) {
  even = hn::Set(d, to_f32(p[0]));
  odd = hn::Set(d, to_f32(p[1]));
}
#else
using D16 = hn::Rebind<uint16_t, DF>;
using DHalf = hn::Rebind<hwy::float16_t, DF>;

HWY_INLINE VF LoadAsFloat(DF d, const BFloat16* p) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::LoadU(D16(), reinterpret_cast<const uint16_t*>(p));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}
HWY_INLINE VF LoadAsFloat(DF d, const Float16* p) {
  const auto bits = hn::LoadU(D16(), reinterpret_cast<const uint16_t*>(p));
  return hn::PromoteTo(d, hn::BitCast(DHalf(), bits));
}
HWY_INLINE VF LoadAsFloat(DF d, const Float8E5M2* p) {
  const hn::Rebind<uint8_t, DF> d8;
  const auto bits = hn::PromoteTo(D16(), hn::LoadU(d8, reinterpret_cast<const uint8_t*>(p)));
  return hn::PromoteTo(d, hn::BitCast(DHalf(), hn::ShiftLeft<8>(bits)));
}
// As an f16 whose exponent is 8 too small; all ones is NaN, not 480.
HWY_INLINE VF LoadAsFloat(DF d, const Float8E4M3* p) {
  const hn::Rebind<uint8_t, DF> d8;
  const D16 d16;
  const auto bits = hn::PromoteTo(d16, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(p)));
  const auto magnitude = hn::And(bits, hn::Set(d16, uint16_t{0x7f}));
  const auto sign = hn::ShiftLeft<8>(hn::And(bits, hn::Set(d16, uint16_t{0x80})));
  const auto nan = hn::VecFromMask(d16, hn::Eq(magnitude, hn::Set(d16, uint16_t{0x7f})));
  auto half = hn::Or(hn::ShiftLeft<7>(magnitude), sign);
  half = hn::Or(half, hn::And(nan, hn::Set(d16, uint16_t{0x7e00})));
  return hn::Mul(hn::PromoteTo(d, hn::BitCast(DHalf(), half)), hn::Set(d, 256.0f));
}
HWY_INLINE VF LoadAsFloat(DF d, const int8_t* p) {
  const hn::Rebind<int8_t, DF> d8;
  const hn::RebindToSigned<DF> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, p)));
}

// Lane i: elements 2i (even) and 2i + 1 (odd).
HWY_INLINE void LoadPairs(DF d, const BFloat16* p, VF& even, VF& odd) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::LoadU(du, reinterpret_cast<const uint32_t*>(p));
  even = hn::BitCast(d, hn::ShiftLeft<16>(bits));
  odd = hn::BitCast(d, hn::And(bits, hn::Set(du, 0xffff0000u)));
}
HWY_INLINE void LoadPairs(DF d, const Float16* p, VF& even, VF& odd) {
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::LoadU(du, reinterpret_cast<const uint32_t*>(p));
  const auto low = hn::TruncateTo(D16(), hn::And(bits, hn::Set(du, 0xffffu)));
  const auto high = hn::TruncateTo(D16(), hn::ShiftRight<16>(bits));
  even = hn::PromoteTo(d, hn::BitCast(DHalf(), low));
  odd = hn::PromoteTo(d, hn::BitCast(DHalf(), high));
}
#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
