// SPDX-License-Identifier: GPL-3.0-or-later
// Vector exp and tanh of the kernels. Included once per Highway target.
#if defined(ATTN_KERNELS_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_KERNELS_EXP_INL_H_
#undef ATTN_KERNELS_EXP_INL_H_
#else
#define ATTN_KERNELS_EXP_INL_H_
#endif

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/kernels/fault.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;
inline constexpr float kNegInf = -std::numeric_limits<float>::infinity();
inline constexpr int64_t kLanes = hn::MaxLanes(DF());

// p * 2^n for whole n from -151 to 129, rounded once.
HWY_INLINE VF ScaleByPowerOfTwo(DF d, VF p, VF n) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  (void)d;
  return VF{_mm512_scalef_ps(p.raw, n.raw)};
#else
  // In two factors, so that a subnormal result rounds once.
  const hn::RebindToSigned<DF> di;
  const auto k = hn::ConvertTo(di, n);
  const auto half = hn::ShiftRight<1>(k);
  const auto bias = hn::Set(di, 127);
  const VF scale_a = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const VF scale_b = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(k, half), bias)));
  return hn::Mul(hn::Mul(p, scale_a), scale_b);
#endif
}

// e^x for x <= 89, at most 1 unit in the last place off. x = n ln2 + r, |r| <= ln2 / 2, ln2 in two
// parts; e^r by the polynomial of Cephes' expf in Horner's form. exp(-inf) = +0, NaN stays NaN.
HWY_INLINE VF ExpBelow89(DF d, VF x) {
#if HWY_TARGET == HWY_SCALAR
  if (std::isnan(hn::GetLane(x))) return x;  // std::max loses a NaN
#endif
  // Operand order matters: max returns the second operand when one is NaN.
  x = hn::Max(hn::Set(d, -104.0f), x);
  // Adding 1.5 * 2^23 leaves no bits behind the point: round to nearest even.
  const VF magic = hn::Set(d, 12582912.0f);
  const VF n = hn::Sub(hn::MulAdd(x, hn::Set(d, 1.44269504088896341f), magic), magic);
  VF r = hn::NegMulAdd(n, hn::Set(d, 0.693145751953125f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 1.42860682030941723e-6f), r);
  VF p = hn::Set(d, 1.9875691500e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, ATTN_FAULT(kExpCoefficient) ? 1.65e-1f : 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
#if HWY_TARGET <= HWY_AVX2
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
#else
  // Without a fused multiply-add the large terms must come last.
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
#endif
  return ScaleByPowerOfTwo(d, p, n);
}

// e^x for every x.
HWY_INLINE VF Exp(DF d, VF x) {
#if HWY_TARGET == HWY_SCALAR
  if (std::isnan(hn::GetLane(x))) return x;
#endif
  return ExpBelow89(d, hn::Min(hn::Set(d, 89.0f), x));
}

inline float ExpScalar(float x) {
  const DF d;
  return hn::GetLane(Exp(d, hn::Set(d, x)));
}

// tanh x: a polynomial near 0 (Cephes' tanhf), 1 - 2 / (e^2|x| + 1) with the sign of x elsewhere.
HWY_INLINE VF Tanh(DF d, VF x) {
  const VF magnitude = hn::Abs(x), square = hn::Mul(x, x);
  VF p = hn::Set(d, -5.70498872745e-3f);
  p = hn::MulAdd(p, square, hn::Set(d, 2.06390887954e-2f));
  p = hn::MulAdd(p, square, hn::Set(d, -5.37397155531e-2f));
  p = hn::MulAdd(p, square, hn::Set(d, 1.33314422036e-1f));
  p = hn::MulAdd(p, square, hn::Set(d, -3.33332819422e-1f));
  const VF near_zero = hn::MulAdd(hn::Mul(p, square), x, x);
  const VF e = Exp(d, hn::Add(magnitude, magnitude));
  const VF one = hn::Set(d, 1.0f);
  const VF far = hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(e, one)));
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.625f)), near_zero,
                        ATTN_FAULT(kTanhSign) ? far : hn::CopySign(far, x));
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
