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

// D: a tag of f32 vectors, whole or half.
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const float* p) {
  return hn::LoadU(d, p);
}

#if HWY_TARGET == HWY_SCALAR
template <class D, class T>
hn::Vec<D> LoadAsFloat(D d, const T* p) {
  return hn::Set(d, to_f32(*p));
}
template <class D, class T>
void LoadPairs(D d, const T* p, hn::Vec<D>& even, hn::Vec<D>& odd) {
  even = hn::Set(d, to_f32(p[0]));
  odd = hn::Set(d, to_f32(p[1]));
}
#else
template <class D>
using U16For = hn::Rebind<uint16_t, D>;
template <class D>
using F16For = hn::Rebind<hwy::float16_t, D>;

template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const BFloat16* p) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::LoadU(U16For<D>(), reinterpret_cast<const uint16_t*>(p));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const Float16* p) {
  const auto bits = hn::LoadU(U16For<D>(), reinterpret_cast<const uint16_t*>(p));
  return hn::PromoteTo(d, hn::BitCast(F16For<D>(), bits));
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const Float8E5M2* p) {
  const hn::Rebind<uint8_t, D> d8;
  const auto bits = hn::PromoteTo(U16For<D>(), hn::LoadU(d8, reinterpret_cast<const uint8_t*>(p)));
  return hn::PromoteTo(d, hn::BitCast(F16For<D>(), hn::ShiftLeft<8>(bits)));
}
// As an f16 whose exponent is 8 too small; all ones is NaN, not 480.
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const Float8E4M3* p) {
  const hn::Rebind<uint8_t, D> d8;
  const U16For<D> d16;
  const auto bits = hn::PromoteTo(d16, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(p)));
  const auto magnitude = hn::And(bits, hn::Set(d16, uint16_t{0x7f}));
  const auto sign = hn::ShiftLeft<8>(hn::And(bits, hn::Set(d16, uint16_t{0x80})));
  const auto nan = hn::VecFromMask(d16, hn::Eq(magnitude, hn::Set(d16, uint16_t{0x7f})));
  auto half = hn::Or(hn::ShiftLeft<7>(magnitude), sign);
  half = hn::Or(half, hn::And(nan, hn::Set(d16, uint16_t{0x7e00})));
  return hn::Mul(hn::PromoteTo(d, hn::BitCast(F16For<D>(), half)), hn::Set(d, 256.0f));
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const int8_t* p) {
  const hn::Rebind<int8_t, D> d8;
  const hn::RebindToSigned<D> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, p)));
}

// Lane i: elements 2i (even) and 2i + 1 (odd).
template <class D>
HWY_INLINE void LoadPairs(D d, const BFloat16* p, hn::Vec<D>& even, hn::Vec<D>& odd) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::LoadU(du, reinterpret_cast<const uint32_t*>(p));
  even = hn::BitCast(d, hn::ShiftLeft<16>(bits));
  odd = hn::BitCast(d, hn::And(bits, hn::Set(du, 0xffff0000u)));
}
template <class D>
HWY_INLINE void LoadPairs(D d, const Float16* p, hn::Vec<D>& even, hn::Vec<D>& odd) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::LoadU(du, reinterpret_cast<const uint32_t*>(p));
  const auto low = hn::TruncateTo(U16For<D>(), hn::And(bits, hn::Set(du, 0xffffu)));
  const auto high = hn::TruncateTo(U16For<D>(), hn::ShiftRight<16>(bits));
  even = hn::PromoteTo(d, hn::BitCast(F16For<D>(), low));
  odd = hn::PromoteTo(d, hn::BitCast(F16For<D>(), high));
}
#endif  // HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
