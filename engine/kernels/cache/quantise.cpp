// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/cache/quantise.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/cache/quantise.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

// A small float: sign, exponent, `kMantissa` bits of mantissa. Its smallest normal number is
// 2^kLowest.
template <int kMantissa, int kLowest>
struct SmallFloat {
  using Stored = uint8_t;
  float largest;         // the largest finite number
  float saturates_from;  // the smallest number that is too large to round to `largest`

  // Rounds as round_small() and its callers in dtype.cpp do.
  HWY_INLINE VI Round(DF d, VF x) const {
    const DI di;
    const DU du;
    const auto bits = hn::BitCast(du, x);
    const auto sign = hn::And(hn::ShiftRight<24>(bits), hn::Set(du, 0x80u));
    const VF magnitude = hn::Min(hn::Abs(x), hn::Set(d, largest));
    // Subnormal codes lie one step of 2^(kLowest - kMantissa) apart. Adding 2^23 steps makes the
    // hardware round to whole steps.
    const VF shift =
        hn::BitCast(d, hn::Set(du, static_cast<uint32_t>(127 + 23 + kLowest - kMantissa) << 23));
    const auto subnormal =
        hn::Sub(hn::BitCast(du, hn::Add(magnitude, shift)), hn::BitCast(du, shift));
    constexpr int kDrop = 23 - kMantissa;
    const auto m = hn::BitCast(du, magnitude);
    const auto odd = hn::And(hn::ShiftRight<kDrop>(m), hn::Set(du, 1u));
    const auto rounded = hn::Add(hn::Add(m, hn::Set(du, (1u << (kDrop - 1)) - 1)), odd);
    const auto normal = hn::Sub(hn::ShiftRight<kDrop>(rounded),
                                hn::Set(du, static_cast<uint32_t>(127 + kLowest - 1) << kMantissa));
    const auto smallest = hn::BitCast(d, hn::Set(du, static_cast<uint32_t>(127 + kLowest) << 23));
    const auto is_small = hn::Lt(magnitude, smallest);
    auto code = hn::IfThenElse(hn::RebindMask(du, is_small), subnormal, normal);
    code = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(x)), hn::Set(du, 0x7fu), code);
    return hn::BitCast(di, hn::Or(code, sign));
  }
  HWY_INLINE VI WithoutSign(VI code) const { return hn::And(code, hn::Set(DI(), 0x7f)); }
};

struct Integer8 {
  using Stored = int8_t;
  float largest = 127, saturates_from = 127.5f;

  HWY_INLINE VI Round(DF d, VF x) const {
    const VF in_range = hn::Clamp(x, hn::Set(d, -largest), hn::Set(d, largest));
    return hn::ConvertTo(DI(), hn::Round(hn::IfThenZeroElse(hn::IsNaN(x), in_range)));
  }
  HWY_INLINE VI WithoutSign(VI code) const { return code; }
};

template <class Code>
void Quantise(const Code& code, const float* x, int64_t count, float scale,
              typename Code::Stored* to, RoundingCounts& counts) {
  const DF d;
  const DI di;
  const hn::Rebind<typename Code::Stored, DF> dc;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const VF divisor = hn::Set(d, scale), from = hn::Set(d, code.saturates_from);
  int64_t saturated = 0, vanished = 0, kept = 0;
  const auto vector = [&](const float* at, typename Code::Stored* codes) HWY_ATTR {
    const VF v = hn::Div(hn::LoadU(d, at), divisor);
    const VI c = code.Round(d, v);
    const auto zero = hn::RebindMask(d, hn::Eq(code.WithoutSign(c), hn::Zero(di)));
    const auto was_zero = hn::Eq(v, hn::Zero(d));
    saturated += static_cast<int64_t>(hn::CountTrue(d, hn::Ge(hn::Abs(v), from)));
    vanished += static_cast<int64_t>(hn::CountTrue(d, hn::AndNot(was_zero, zero)));
    kept += lanes - static_cast<int64_t>(hn::CountTrue(d, zero));
    hn::StoreU(hn::DemoteTo(dc, c), dc, codes);
  };
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) vector(x + i, to + i);
  if (i < count) {  // the vector is filled up with zeros, which are not counted
    float rest[hn::MaxLanes(DF())] = {};
    typename Code::Stored codes[hn::MaxLanes(DF())];
    std::copy(x + i, x + count, rest);
    vector(rest, codes);
    std::copy(codes, codes + (count - i), to + i);
  }
  counts += {saturated, vanished, kept};
}

void QuantiseE4M3(const float* x, int64_t count, float scale, uint8_t* to, RoundingCounts& counts) {
  // 464 lies halfway between 448 and 480 and rounds to 448, whose mantissa is even.
  Quantise(SmallFloat<3, -6>{448, std::nextafter(464.0f, 500.0f)}, x, count, scale, to, counts);
}
void QuantiseE5M2(const float* x, int64_t count, float scale, uint8_t* to, RoundingCounts& counts) {
  Quantise(SmallFloat<2, -14>{57344, 61440}, x, count, scale, to, counts);
}
void QuantiseI8(const float* x, int64_t count, float scale, int8_t* to, RoundingCounts& counts) {
  Quantise(Integer8(), x, count, scale, to, counts);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {

HWY_EXPORT(QuantiseE4M3);
HWY_EXPORT(QuantiseE5M2);
HWY_EXPORT(QuantiseI8);

void quantise(const float* x, int64_t count, float scale, Float8E4M3* codes,
              RoundingCounts& counts) {
  HWY_DYNAMIC_DISPATCH(QuantiseE4M3)(x, count, scale, &codes->bits, counts);
}

void quantise(const float* x, int64_t count, float scale, Float8E5M2* codes,
              RoundingCounts& counts) {
  HWY_DYNAMIC_DISPATCH(QuantiseE5M2)(x, count, scale, &codes->bits, counts);
}

void quantise(const float* x, int64_t count, float scale, int8_t* codes, RoundingCounts& counts) {
  HWY_DYNAMIC_DISPATCH(QuantiseI8)(x, count, scale, codes, counts);
}

}  // namespace attn
#endif  // HWY_ONCE
