// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of the cache's element types as f32 vectors, before the cache's scale is applied; stores of
// results as f32 or bf16. Included once per Highway target.
#if defined(ATTN_KERNELS_LOAD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_LOAD_INL_H_
#undef ATTN_KERNELS_LOAD_INL_H_
#else
#define ATTN_KERNELS_LOAD_INL_H_
#endif

#include <type_traits>

#include "engine/core/dtype.h"
#include "engine/kernels/tiles/exp-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

// LoadAsFloat() and LoadTwo() give a stored number divided by this power of two, which their
// callers multiply back.
inline float LoadUnit(DType dtype) {
  return dtype == DType::kF8E4M3 ? 256.0f : 1.0f;
}

// D: a tag of f32 vectors, of full length or shorter.
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const float* p) {
  return hn::LoadU(d, p);
}

#if HWY_TARGET == HWY_SCALAR
template <class D, class T>
hn::Vec<D> LoadAsFloat(D d, const T* p) {
  return hn::Set(d, to_f32(*p));
}
template <class D>
hn::Vec<D> LoadAsFloat(D d, const Float8E4M3* p) {
  return hn::Set(d, to_f32(*p) / LoadUnit(DType::kF8E4M3));
}
template <class D, class T>
void LoadTwo(D d, const T* low, const T* high, hn::Vec<D>& a, hn::Vec<D>& b) {
  a = LoadAsFloat(d, low);
  b = LoadAsFloat(d, high);
}
template <class D, class T>
void LoadPairs(D d, const T* p, hn::Vec<D>& even, hn::Vec<D>& odd) {
  even = hn::Set(d, to_f32(p[0]));
  odd = hn::Set(d, to_f32(p[1]));
}
template <class D>
void OrderPairs(D /*d*/, hn::Vec<D>& /*even*/, hn::Vec<D>& /*odd*/) {}
template <class D>
void StoreFloats(D /*d*/, hn::Vec<D> x, BFloat16* to) {
  *to = to_bf16(hn::GetLane(x));
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
// Turns E4M3 bytes, sign-extended to 16 bits, into f16 numbers whose exponent is 8 too small (see
// LoadUnit). The code with all exponent and mantissa bits set is NaN, not 480.
template <class D16>
HWY_INLINE hn::Vec<D16> HalfOfE4M3(D16 d16, hn::Vec<D16> bytes) {
  const auto half = hn::And(hn::ShiftLeft<7>(bytes), hn::Set(d16, static_cast<int16_t>(0xbf80)));
  const auto magnitude = hn::Set(d16, int16_t{0x3f80});
  return hn::IfThenElse(hn::Eq(hn::And(half, magnitude), magnitude), hn::Set(d16, int16_t{0x7e00}),
                        half);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const Float8E4M3* p) {
  const hn::Rebind<int8_t, D> d8;
  const hn::Rebind<int16_t, D> d16;
  const auto bytes = hn::PromoteTo(d16, hn::LoadU(d8, reinterpret_cast<const int8_t*>(p)));
  return hn::PromoteTo(d, hn::BitCast(F16For<D>(), HalfOfE4M3(d16, bytes)));
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const int8_t* p) {
  const hn::Rebind<int8_t, D> d8;
  const hn::RebindToSigned<D> di;
  return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(d8, p)));
}

// Loads a from `low` and b from `high`.
template <class D, class T>
HWY_INLINE void LoadTwo(D d, const T* low, const T* high, hn::Vec<D>& a, hn::Vec<D>& b) {
  if constexpr (std::is_same_v<T, Float8E4M3> || std::is_same_v<T, Float8E5M2>) {
    const hn::Rebind<int8_t, D> d8;
    const hn::Twice<decltype(d8)> both;
    const hn::Rebind<int16_t, decltype(both)> d16;
    auto half =
        hn::PromoteTo(d16, hn::Combine(both, hn::LoadU(d8, reinterpret_cast<const int8_t*>(high)),
                                       hn::LoadU(d8, reinterpret_cast<const int8_t*>(low))));
    if constexpr (std::is_same_v<T, Float8E4M3>)
      half = HalfOfE4M3(d16, half);
    else
      half = hn::ShiftLeft<8>(half);
    const hn::Half<decltype(d16)> one;
    a = hn::PromoteTo(d, hn::BitCast(F16For<D>(), hn::LowerHalf(one, half)));
    b = hn::PromoteTo(d, hn::BitCast(F16For<D>(), hn::UpperHalf(one, half)));
  } else {
    a = LoadAsFloat(d, low);
    b = LoadAsFloat(d, high);
  }
}

// Lane i gets element 2i (even) and element 2i + 1 (odd).
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

// Undoes the order of LoadPairs(): `even` gets elements 0 .. lanes - 1, `odd` the others.
template <class D>
HWY_INLINE void OrderPairs(D d, hn::Vec<D>& even, hn::Vec<D>& odd) {
  HWY_ALIGN float columns[2 * hn::MaxLanes(d)];
  hn::StoreInterleaved2(even, odd, d, columns);
  even = hn::Load(d, columns);
  odd = hn::Load(d, columns + hn::Lanes(d));
}

// Rounds to nearest even, as to_bf16() does. Every NaN is stored as the same NaN: which of several
// NaNs survives a sum depends on the instruction that adds them.
template <class D>
HWY_INLINE void StoreFloats(D /*d*/, hn::Vec<D> x, BFloat16* to) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, x), upper = hn::ShiftRight<16>(bits);
  const auto half = hn::Add(hn::Set(du, 0x7fffu), hn::And(upper, hn::Set(du, 1u)));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, half));
  const auto is_nan = hn::RebindMask(du, hn::IsNaN(x));
  const auto result = hn::IfThenElse(is_nan, hn::Set(du, 0x7fc0u), rounded);
  hn::StoreU(hn::TruncateTo(U16For<D>(), result), U16For<D>(), reinterpret_cast<uint16_t*>(to));
}
#endif  // HWY_SCALAR

template <class D>
HWY_INLINE void StoreFloats(D /*d*/, hn::Vec<D> x, float* to) {
  hn::StoreU(x, D(), to);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
