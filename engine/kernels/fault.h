// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults: deliberate mistakes, one at a time, in builds with ATTN_SEEDED_FAULTS only. The
// tests of the kernels are worth what they notice: with each of these switched on, agreement with
// the reference must fail (tests/mutants). Every other build sees `false` and no code.
#pragma once

// The faults, by what goes wrong.
#define ATTN_FAULTS(X)                                                                          \
  X(kDropsLastKey)       /* the newest key is not seen */                                       \
  X(kSeesOneAhead)       /* the key after the query is seen */                                  \
  X(kWindowOneWider)     /* query - w is seen */                                                \
  X(kWindowOneNarrower)  /* query - w + 1 is not seen */                                        \
  X(kAlibiSign)          /* far keys are favoured */                                            \
  X(kAlibiFromTile)      /* distance counted from the tile's first key */                       \
  X(kNoScale)            /* scale left out */                                                   \
  X(kScaleTwice)         /* scale applied twice */                                              \
  X(kNoSoftCap)          /* soft cap left out */                                                \
  X(kSoftCapNotRestored) /* tanh not multiplied by the cap */                                   \
  X(kSoftCapUnscaled)    /* soft cap on the product before the scale */                         \
  X(kTanhSign)           /* tanh of a large negative number is positive */                      \
  X(kNoSink)             /* the sink is left out of the sum */                                  \
  X(kSinkWithoutRescale) /* the output keeps its size when the sink is the maximum */           \
  X(kMaxStartsAtZero)    /* all scores below 0: the maximum is 0, and far ones underflow */     \
  X(kNoRescale)          /* the old output is not rescaled when the maximum grows */            \
  X(kTileNotRescaled)    /* a later, smaller tile enters with its own maximum */                \
  X(kSumNotRescaled)     /* the old sum is not rescaled */                                      \
  X(kSumOfLastTile)      /* the sum forgets the tiles before */                                 \
  X(kHalfTheSum)         /* the odd half of the 32 sums is lost */                              \
  X(kNotNormalised)      /* the output is not divided by the sum */                             \
  X(kLseWithoutMax)      /* log sum only */                                                     \
  X(kLseWithoutLog)      /* max + sum */                                                        \
  X(kEmptyRowLse)        /* an empty row has log-sum-exp 0 */                                   \
  X(kWrongKvHead)        /* query head h reads KV head h % Hkv */                               \
  X(kKeyScaleIgnored)    /* scale of a quantised cache */                                       \
  X(kValueScaleIgnored)                                                                         \
  X(kScalesSwapped)                                                                             \
  X(kSlotsSwapped)         /* neighbours change slots */                                        \
  X(kValuesNotWritten)     /* only keys reach the cache */                                      \
  X(kHeadsSwappedInCache)  /* KV head 0 is written where 1 belongs and the other way round */   \
  X(kLastStripLost)        /* columns beyond 64 get nothing */                                  \
  X(kLastRowRepeats)       /* the sixth row of a register group is the fifth */                 \
  X(kContextIgnored)       /* the first new token stands at position 0 */                       \
  X(kQueryOfFirstRow)      /* every sequence begins at row 0 of the batch */                    \
  X(kTrailingKeysUnmasked) /* keys after the range, in its last vector, take part */            \
  X(kLeadingKeysUnmasked)  /* the same before the range */                                      \
  X(kUnseenTimesZero)      /* an unseen NaN is multiplied by its weight of 0 */                 \
  X(kBiasOfFirstRow)                                                                            \
  X(kBiasOfFirstHead)                                                                           \
  X(kBiasScaled)         /* the bias is multiplied by the scale */                              \
  X(kOneLocalBlockFewer) /* block-sparse attention */                                           \
  X(kStrideOneOff)       /* the vertical stride without its + 1 */                              \
  X(kHeadStepIgnored)    /* all heads see the same blocks */                                    \
  X(kExpCoefficient)     /* r^3 / 6 wrong by a hundredth */                                     \
  X(kDecodeOneBack)      /* the query stands one position earlier */                            \
  X(kFirstTileSkipped)   /* decode begins at the second tile when there are several */          \
  X(kLastTileSkipped)    /* the merge stops before the last partial result */                   \
  X(kPartialMaxIgnored)  /* partial results are merged as if all had the first one's maximum */ \
  X(kHeadsShareFactors)  /* all heads of a group are merged by the first one's factors */       \
  X(kFirstPageForAll)    /* keys are read from the first page of each 64 */                     \
  X(kValuesOneLate)      /* a value row belongs to the key before */                            \
  X(kOddCoordinateFirst) /* the two halves of a 16-bit pair change places */

#ifdef ATTN_SEEDED_FAULTS
namespace attn {
enum class Fault {
  kNone,
#define ATTN_FAULT_NAME(name) name,
  ATTN_FAULTS(ATTN_FAULT_NAME)
#undef ATTN_FAULT_NAME
};
inline Fault seeded_fault = Fault::kNone;  // set by tests/mutants
}  // namespace attn
#define ATTN_FAULT(name) (::attn::seeded_fault == ::attn::Fault::name)
#else
#define ATTN_FAULT(name) false
#endif
