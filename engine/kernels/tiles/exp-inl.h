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

inline constexpr float kLog2E = 1.44269504088896341f;
inline constexpr double kLn2 = 0.693147180559945309;

// p * 2^n for whole n from -151 to 129, rounded once; 0 where `seen` is false.
HWY_INLINE VF ScaleByPowerOfTwo(DF d, VF p, VF n, hn::Mask<DF> seen) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  (void)d;
  return VF{_mm512_maskz_scalef_ps(seen.raw, p.raw, n.raw)};
#else
  // The power is multiplied in two factors, so that a subnormal result is rounded only once.
  const hn::RebindToSigned<DF> di;
  const auto k = hn::ConvertTo(di, hn::IfThenElseZero(seen, n));
  const auto half = hn::ShiftRight<1>(k);
  const auto bias = hn::Set(di, 127);
  const VF scale_a = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const VF scale_b = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(k, half), bias)));
  return hn::IfThenElseZero(seen, hn::Mul(hn::Mul(p, scale_a), scale_b));
#endif
}

// 2^t for t < 128, at most 1 unit in the last place off. t = n + f, |f| <= 1/2; 2^f by a polynomial
// of degree 6 after Cephes' exp2f, with 2^0 = 1 exactly (relative error below 2e-8). 2^-inf = +0,
// NaN stays NaN.
HWY_INLINE VF Exp2Below128(DF d, VF t) {
  const auto seen = hn::Not(hn::Lt(t, hn::Set(d, -150.0f)));  // true for NaN too
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  const VF f{_mm512_reduce_ps(t.raw, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)};
  const VF n = hn::Sub(t, f);
#else
  const VF n = hn::Round(t);
  const VF f = hn::Sub(t, n);
#endif
  VF p = hn::Set(d, 1.5353361960e-4f);
  p = hn::MulAdd(p, f, hn::Set(d, 1.3398875017e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 9.6184369177e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.5503323674e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, ATTN_FAULT(kExpCoefficient) ? 2.38e-1f : 2.4022647738e-1f));
#if HWY_TARGET <= HWY_AVX2
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314718246e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
#else
  // Without x86's fused multiply-add f ln2 is split into the product of two 12-bit numbers, which
  // is exact, and small terms; the rounding error of 1 + product is added to the small terms.
  const hn::RebindToUnsigned<DF> du;
  const VF high = hn::BitCast(d, hn::And(hn::BitCast(du, f), hn::Set(du, 0xfffff000u)));
  const VF one = hn::Set(d, 1.0f), ln2_high = hn::Set(d, 0.6931152344f);
  const VF product = hn::Mul(high, ln2_high), sum = hn::Add(one, product);
  VF small = hn::Mul(p, hn::Mul(f, f));
  small = hn::Add(small, hn::Mul(high, hn::Set(d, 6.9314718246e-1f - 0.6931152344f)));
  small = hn::Add(small, hn::Mul(hn::Sub(f, high), hn::Set(d, 6.9314718246e-1f)));
  p = hn::Add(sum, hn::Add(small, hn::Sub(product, hn::Sub(sum, one))));
#endif
  return ScaleByPowerOfTwo(d, p, n, seen);
}

// 2^t for every t.
HWY_INLINE VF Exp2(DF d, VF t) {
#if HWY_TARGET == HWY_SCALAR
  if (std::isnan(hn::GetLane(t))) return t;  // std::min loses a NaN
#endif
  return Exp2Below128(d, hn::Min(hn::Set(d, 129.0f), t));
}

inline float Exp2Scalar(float t) {
  const DF d;
  return hn::GetLane(Exp2(d, hn::Set(d, t)));
}

// e^x for every x, at most 1 unit in the last place off; e^-inf = +0, NaN stays NaN. x is split
// into n ln2 + r with |r| <= ln2 / 2, subtracting ln2 in two parts; e^r is Cephes' polynomial for
// expf, in Horner's form where x86 has a fused multiply-add.
HWY_INLINE VF Exp(DF d, VF x) {
#if HWY_TARGET == HWY_SCALAR
  if (std::isnan(hn::GetLane(x))) return x;  // std::min loses a NaN
#endif
  // Operand order matters: on x86 min returns the second operand when one is NaN.
  x = hn::Min(hn::Set(d, 89.0f), x);
  const auto seen = hn::Not(hn::Lt(x, hn::Set(d, -104.0f)));
  // Adding 1.5 * 2^23 and taking it away again rounds to a whole number, to nearest even.
  const VF magic = hn::Set(d, 12582912.0f);
  const VF n = hn::Sub(hn::MulAdd(x, hn::Set(d, kLog2E), magic), magic);
  VF r = hn::NegMulAdd(n, hn::Set(d, 0.693145751953125f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 1.42860682030941723e-6f), r);
  VF p = hn::Set(d, 1.9875691500e-4f);
  p = hn::MulAdd(p, r, hn::Set(d, 1.3981999507e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 8.3334519073e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 4.1665795894e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.6666665459e-1f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.0000001201e-1f));
#if HWY_TARGET <= HWY_AVX2
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.0f));
#else
  // There may be no fused multiply-add here, so the large terms come last.
  p = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), hn::Set(d, 1.0f));
#endif
  return ScaleByPowerOfTwo(d, p, n, seen);
}

inline float ExpScalar(float x) {
  const DF d;
  return hn::GetLane(Exp(d, hn::Set(d, x)));
}

// tanh x: a polynomial near 0 (Cephes' tanhf), 1 - 2 / (e^(2 |x|) + 1) with the sign of x
// elsewhere.
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
