// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a block of a panel (weight_matrix.h) as f32 vectors, one struct per type of
// weights. Widen(block, use) calls use(i, v, weight) for number i of the block, from 0 on, and
// every vector v of the panel. Included once per Highway target.
#if defined(ATTN_MODEL_WEIGHTS_WIDEN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTN_MODEL_WEIGHTS_WIDEN_INL_H_
#undef ATTN_MODEL_WEIGHTS_WIDEN_INL_H_
#else
#define ATTN_MODEL_WEIGHTS_WIDEN_INL_H_
#endif

#include <cstdint>

#include "engine/model/weights/weight_matrix.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::CappedTag<float, 16>;
using DU = hn::RebindToUnsigned<DF>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VU = hn::Vec<DU>;
inline constexpr int64_t kLanes = hn::MaxLanes(DF());
inline constexpr int kVectors = static_cast<int>(kPanelRows / kLanes);  // of a panel

// Each row of a panel has an element at byte `offset` of its block. Returns where those of the rows
// of vector v begin.
HWY_INLINE const uint8_t* ElementsAt(const uint8_t* block, int64_t offset, int64_t element_bytes,
                                     int v) {
  return block + offset * kPanelRows + v * kLanes * element_bytes;
}
HWY_INLINE VF F16At(const uint8_t* block, int64_t offset, int v) {
  const hn::Rebind<uint16_t, DF> d16;
  const hn::Rebind<hwy::float16_t, DF> half;
  const auto* from = reinterpret_cast<const uint16_t*>(ElementsAt(block, offset, 2, v));
  return hn::PromoteTo(DF(), hn::BitCast(half, hn::LoadU(d16, from)));
}
HWY_INLINE VF I8At(const uint8_t* block, int64_t offset, int v) {
  const hn::Rebind<int8_t, DF> d8;
  const auto* from = reinterpret_cast<const int8_t*>(ElementsAt(block, offset, 1, v));
  return hn::ConvertTo(DF(), hn::PromoteTo(DI(), hn::LoadU(d8, from)));
}
HWY_INLINE VU U8At(const uint8_t* block, int64_t offset, int v) {
  const hn::Rebind<uint8_t, DF> d8;
  return hn::PromoteTo(DU(), hn::LoadU(d8, ElementsAt(block, offset, 1, v)));
}
HWY_INLINE VU WordsAt(const uint8_t* block, int64_t offset, int v) {
  const auto* from = reinterpret_cast<const uint32_t*>(ElementsAt(block, offset, 4, v));
  return hn::LoadU(DU(), from);
}

struct F32Weights {
  static constexpr int64_t kBlock = 1, kBlockBytes = 4;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) use(0, v, hn::BitCast(DF(), WordsAt(block, 0, v)));
  }
};

struct F16Weights {
  static constexpr int64_t kBlock = 1, kBlockBytes = 2;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) use(0, v, F16At(block, 0, v));
  }
};

// An element (see ElementsAt()) is a word of four bytes that holds two numbers.
struct BF16Weights {
  static constexpr int64_t kBlock = 2, kBlockBytes = 4;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    const DF d;
    const auto upper = hn::Set(DU(), 0xffff0000u);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v)
      use(0, v, hn::BitCast(d, hn::ShiftLeft<16>(WordsAt(block, 0, v))));
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v)
      use(1, v, hn::BitCast(d, hn::And(WordsAt(block, 0, v), upper)));
  }
};

struct Q8_0Weights {
  static constexpr int64_t kBlock = 32, kBlockBytes = 34;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    VF scale[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) scale[v] = F16At(block, 0, v);
    for (int64_t i = 0; i < kBlock; ++i)
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) use(i, v, hn::Mul(I8At(block, 2 + i, v), scale[v]));
  }
};

// The lowest four bits of each word, plus kLeast, as a float.
template <int kLeast>
class FourBits {
 public:
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  // A look-up in sixteen lanes uses the lowest four bits of a word and needs no mask.
  HWY_INLINE FourBits() : numbers_(hn::Iota(DF(), static_cast<float>(kLeast))) {}
  HWY_INLINE VF operator()(VU words) const {
    return VF{_mm512_permutexvar_ps(words.raw, numbers_.raw)};
  }

 private:
  const VF numbers_;
#else
  HWY_INLINE VF operator()(VU words) const {
    const auto quants = hn::BitCast(DI(), hn::And(words, hn::Set(DU(), 15u)));
    return hn::ConvertTo(DF(), hn::Add(quants, hn::Set(DI(), kLeast)));
  }
#endif
};

// Calls use(i, v, weight) for the 2 * kBytes numbers from number `first` on. Their quants are in
// the kBytes bytes from byte `offset` of the block on: byte j has the quant of number first + j in
// its low four bits, and that of number first + kBytes + j in its high ones. weight = of(half, v,
// quant + kLeast), where half is 0 for the low bits and 1 for the high ones.
template <int kLeast, int64_t kBytes, class Of, class Use>
HWY_INLINE void WidenNibbles(const uint8_t* block, int64_t offset, int64_t first, Of&& of,
                             Use&& use) {
  const FourBits<kLeast> four_bits;
#pragma GCC unroll 2
  for (int half = 0; half < 2; ++half)
    for (int64_t i = 0; i < kBytes; i += 4) {
      VU words[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        words[v] = WordsAt(block, offset + i, v);
        if (half == 1) words[v] = hn::ShiftRight<4>(words[v]);
      }
#pragma GCC unroll 4
      for (int64_t j = 0; j < 4; ++j)
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          use(first + half * kBytes + i + j, v, of(half, v, four_bits(words[v])));
          words[v] = hn::ShiftRight<8>(words[v]);
        }
    }
}

struct Q4_0Weights {
  static constexpr int64_t kBlock = 32, kBlockBytes = 18;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    VF scale[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) scale[v] = F16At(block, 0, v);
    WidenNibbles<-8, 16>(
        block, 2, 0,
        [&](int /*half*/, int v, VF quant) HWY_ATTR { return hn::Mul(scale[v], quant); }, use);
  }
};

// In the types below, the product of a scale and a quant is exact, so it does not matter whether it
// is rounded before the minimum is added or taken away.

struct Q4_1Weights {
  static constexpr int64_t kBlock = 32, kBlockBytes = 20;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    VF scale[kVectors], minimum[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      scale[v] = F16At(block, 0, v);
      minimum[v] = F16At(block, 2, v);
    }
    WidenNibbles<0, 16>(
        block, 4, 0,
        [&](int /*half*/, int v, VF quant)
            HWY_ATTR { return hn::MulAdd(scale[v], quant, minimum[v]); },
        use);
  }
};

// Calls use(j, v, number) for bytes j = 0 to 3 of the words. The bytes are below 128; number is the
// byte minus kLess.
template <int kLess, class Use>
HWY_INLINE void ForBytes(VU (&words)[kVectors], Use&& use) {
#pragma GCC unroll 4
  for (int64_t j = 0; j < 4; ++j)
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      const auto quant = hn::BitCast(DI(), hn::And(words[v], hn::Set(DU(), 127u)));
      use(j, v, hn::ConvertTo(DF(), hn::Sub(quant, hn::Set(DI(), kLess))));
      words[v] = hn::ShiftRight<8>(words[v]);
    }
}
// Shifts every word right by `shift` bits, and keeps of every byte the bits of `mask`, which is
// below 256.
HWY_INLINE VU BitsOfBytes(VU words, int shift, uint32_t mask) {
  return hn::And(hn::ShiftRightSame(words, shift), hn::Set(DU(), mask * 0x01010101u));
}
HWY_INLINE VF Float(VU x) {
  return hn::ConvertTo(DF(), hn::BitCast(DI(), x));
}

struct Q5_1Weights {
  static constexpr int64_t kBlock = 32, kBlockBytes = 24;
  static constexpr int64_t kFifth = 4, kQuants = 8;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    VF scale[kVectors], minimum[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      scale[v] = F16At(block, 0, v);
      minimum[v] = F16At(block, 2, v);
    }
    for (int first = 0; first < 32; first += 4) {
      VU words[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        // Four neighbouring bits become bit 4 of four bytes.
        const VU four =
            hn::And(hn::ShiftRightSame(WordsAt(block, kFifth, v), first), hn::Set(DU(), 15u));
        const VU spread =
            hn::And(hn::Mul(four, hn::Set(DU(), 0x00204081u)), hn::Set(DU(), 0x01010101u));
        const VU quants = WordsAt(block, kQuants + first % 16, v);
        words[v] = hn::Or(BitsOfBytes(quants, first / 16 * 4, 15), hn::ShiftLeft<4>(spread));
      }
      ForBytes<0>(words, [&](int64_t j, int v, VF quant) HWY_ATTR {
        use(first + j, v, hn::MulAdd(scale[v], quant, minimum[v]));
      });
    }
  }
};

// Scales and minima of the runs of 32 numbers of Q4_K and Q5_K.
struct KScales {
  static constexpr int64_t kScales = 4;
  static HWY_INLINE void Of(const uint8_t* block, int64_t run, int v, VF& scale, VF& minimum) {
    VU of_scale, of_minimum;
    SixBits(block, run, v, of_scale, of_minimum);
    scale = hn::Mul(F16At(block, 0, v), Float(of_scale));
    minimum = hn::Mul(F16At(block, 2, v), Float(of_minimum));
  }

 private:
  // The scale and the minimum of a run, six bits each. Those of runs 0 to 3 are in bytes 0 to 7,
  // one in each. Those of the other runs have four bits in bytes 8 to 11, and two bits in the upper
  // bits of bytes 0 to 7.
  static HWY_INLINE void SixBits(const uint8_t* block, int64_t run, int v, VU& scale, VU& minimum) {
    const auto six = hn::Set(DU(), 63u);
    const auto byte = [&](int64_t i) HWY_ATTR { return U8At(block, kScales + i, v); };
    if (run < 4) {
      scale = hn::And(byte(run), six);
      minimum = hn::And(byte(run + 4), six);
      return;
    }
    const auto upper = [&](int64_t i)
                           HWY_ATTR { return hn::ShiftLeft<4>(hn::ShiftRight<6>(byte(i))); };
    const auto both = byte(run + 4);
    scale = hn::Or(hn::And(both, hn::Set(DU(), 15u)), upper(run - 4));
    minimum = hn::Or(hn::ShiftRight<4>(both), upper(run));
  }
};

struct Q4_KWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 144;
  static constexpr int64_t kQuants = 16;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    for (int64_t pair = 0; pair < 4; ++pair) {  // of runs of 32 numbers
      VF scale[2][kVectors], minimum[2][kVectors];
#pragma GCC unroll 2
      for (int64_t half = 0; half < 2; ++half)
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v)
          KScales::Of(block, 2 * pair + half, v, scale[half][v], minimum[half][v]);
      WidenNibbles<0, 32>(
          block, kQuants + 32 * pair, 64 * pair,
          [&](int half, int v, VF quant)
              HWY_ATTR { return hn::MulSub(scale[half][v], quant, minimum[half][v]); },
          use);
    }
  }
};

struct Q5_KWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 176;
  static constexpr int64_t kFifth = 16, kQuants = 48;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    for (int run = 0; run < 8; ++run) {
      VF scale[kVectors], minimum[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) KScales::Of(block, run, v, scale[v], minimum[v]);
      for (int64_t i = 0; i < 32; i += 4) {
        VU words[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          const VU quants = WordsAt(block, kQuants + run / 2 * 32 + i, v);
          const VU fifth = BitsOfBytes(WordsAt(block, kFifth + i, v), run, 1);
          words[v] = hn::Or(BitsOfBytes(quants, run % 2 * 4, 15), hn::ShiftLeft<4>(fifth));
        }
        ForBytes<0>(words, [&](int64_t j, int v, VF quant) HWY_ATTR {
          use(32 * run + i + j, v, hn::MulSub(scale[v], quant, minimum[v]));
        });
      }
    }
  }
};

// Runs of 16 numbers. Four runs (0, 2, 4 and 6; 1, 3, 5 and 7; and so on) share 16 bytes, with two
// bits for each number.
struct Q2_KWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 84;
  static constexpr int64_t kQuants = 16, kScale = 80, kMinimum = 82;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    for (int run = 0; run < 16; ++run) {
      VF scale[kVectors], minimum[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const VU both = U8At(block, run, v);
        scale[v] = hn::Mul(F16At(block, kScale, v), Float(hn::And(both, hn::Set(DU(), 15u))));
        minimum[v] = hn::Mul(F16At(block, kMinimum, v), Float(hn::ShiftRight<4>(both)));
      }
      for (int64_t i = 0; i < 16; i += 4) {
        VU words[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v)
          words[v] = BitsOfBytes(WordsAt(block, kQuants + run / 8 * 32 + run % 2 * 16 + i, v),
                                 run % 8 / 2 * 2, 3);
        ForBytes<0>(words, [&](int64_t j, int v, VF quant) HWY_ATTR {
          use(16 * run + i + j, v, hn::MulSub(scale[v], quant, minimum[v]));
        });
      }
    }
  }
};

// As Q2_K without minima. The third bits of the quants are in the first 32 bytes; a scale has six
// bits, in two places.
struct Q3_KWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 110;
  static constexpr int64_t kQuants = 32, kScales = 96, kScale = 108;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    for (int run = 0; run < 16; ++run) {
      VF scale[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const VU low = BitsOfBytes(U8At(block, kScales + run % 8, v), run / 8 * 4, 15);
        const VU high = BitsOfBytes(U8At(block, kScales + 8 + run % 4, v), run / 4 * 2, 3);
        const VF six = Float(hn::Or(low, hn::ShiftLeft<4>(high)));
        scale[v] = hn::Mul(F16At(block, kScale, v), hn::Sub(six, hn::Set(DF(), 32.0f)));
      }
      for (int64_t i = 0; i < 16; i += 4) {
        VU words[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          const VU quants = WordsAt(block, kQuants + run / 8 * 32 + run % 2 * 16 + i, v);
          const VU third = BitsOfBytes(WordsAt(block, run % 2 * 16 + i, v), run / 2, 1);
          words[v] = hn::Or(BitsOfBytes(quants, run % 8 / 2 * 2, 3), hn::ShiftLeft<2>(third));
        }
        ForBytes<4>(words, [&](int64_t j, int v, VF quant)
                               HWY_ATTR { use(16 * run + i + j, v, hn::Mul(scale[v], quant)); });
      }
    }
  }
};

// For each word, the number whose index is in its lowest four bits.
HWY_INLINE VF LookUp(VU words, const float* numbers) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return VF{_mm512_permutexvar_ps(words.raw, hn::Load(DF(), numbers).raw)};
#else
  return hn::GatherIndex(DF(), numbers, hn::BitCast(DI(), hn::And(words, hn::Set(DU(), 15u))));
#endif
}

// Four bits choose one of 16 levels.
struct IQ4_XSWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 136;
  static constexpr int64_t kHighScales = 2, kLowScales = 4, kQuants = 8;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    HWY_ALIGN static constexpr float kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                    1,    13,   25,  38,  53,  69,  89,  113};
    for (int run = 0; run < 8; ++run) {
      VF scale[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        const VU low = BitsOfBytes(U8At(block, kLowScales + run / 2, v), run % 2 * 4, 15);
        const VU high = BitsOfBytes(U8At(block, kHighScales + run / 4, v), run % 4 * 2, 3);
        const VF six = Float(hn::Or(low, hn::ShiftLeft<4>(high)));
        scale[v] = hn::Mul(F16At(block, 0, v), hn::Sub(six, hn::Set(DF(), 32.0f)));
      }
      for (int64_t i = 0; i < 32; i += 4) {
        VU words[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v)
          words[v] = hn::ShiftRightSame(WordsAt(block, kQuants + run * 16 + i % 16, v),
                                        static_cast<int>(i / 16 * 4));
#pragma GCC unroll 4
        for (int64_t j = 0; j < 4; ++j)
#pragma GCC unroll 16
          for (int v = 0; v < kVectors; ++v) {
            use(32 * run + i + j, v, hn::Mul(scale[v], LookUp(words[v], kLevels)));
            words[v] = hn::ShiftRight<8>(words[v]);
          }
      }
    }
  }
};

struct Q6_KWeights {
  static constexpr int64_t kBlock = 256, kBlockBytes = 210;
  static constexpr int64_t kHigh = 128, kScales = 192, kScale = 208;
  template <class Use>
  static HWY_INLINE void Widen(const uint8_t* block, Use&& use) {
    for (int64_t run = 0; run < 16; ++run) {
      const int64_t half = run / 8, part = run % 8 / 2, first = run % 2 * 16;
      const int64_t low_bytes = 64 * half + 32 * (part % 2) + first;
      const int64_t high_bytes = kHigh + 32 * half + first;
      const int low_shift = static_cast<int>(part / 2 * 4), high_shift = static_cast<int>(part * 2);
      VF scale[kVectors];
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v)
        scale[v] = hn::Mul(F16At(block, kScale, v), I8At(block, kScales + run, v));
      for (int64_t i = 0; i < 16; i += 4) {
        VU words[kVectors];
#pragma GCC unroll 16
        for (int v = 0; v < kVectors; ++v) {
          const VU low = hn::ShiftRightSame(WordsAt(block, low_bytes + i, v), low_shift);
          const VU high = hn::ShiftRightSame(WordsAt(block, high_bytes + i, v), high_shift);
          words[v] = hn::Or(hn::And(low, hn::Set(DU(), 0x0f0f0f0fu)),
                            hn::ShiftLeft<4>(hn::And(high, hn::Set(DU(), 0x03030303u))));
        }
        ForBytes<32>(words, [&](int64_t j, int v, VF quant)
                                HWY_ATTR { use(16 * run + i + j, v, hn::Mul(scale[v], quant)); });
      }
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
