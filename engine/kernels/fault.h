// SPDX-License-Identifier: GPL-3.0-or-later
// Deliberate mistakes in the kernels, which tests/mutants must notice (engine/core/seeded_fault.h
// says how they are switched on).
#pragma once

#include "engine/core/seeded_fault.h"

#define ATTN_KERNEL_FAULTS(X)                                                                   \
  X(kDropsLastKey)      /* the newest key is not seen */                                        \
  X(kSeesOneAhead)      /* the key after the query is seen */                                   \
  X(kWindowOneWider)    /* query - w is seen */                                                 \
  X(kWindowOneNarrower) /* query - w + 1 is not seen */                                         \
  X(kAlibiSign)         /* far keys are favoured */                                             \
  X(kAlibiFromTile)     /* distance counted from the tile's first key */                        \
  X(kDistanceSign) /* relative bias: a key before the query takes the number of one after it */ \
  X(kBiasRowOfFirstHead) /* relative bias: all heads take the numbers of head 0 */              \
  X(kNoScale)            /* scale left out */                                                   \
  X(kScaleTwice)         /* scale applied twice */                                              \
  X(kNoSoftCap)          /* soft cap left out */                                                \
  X(kSoftCapNotRestored) /* tanh not multiplied by the cap */                                   \
  X(kSoftCapUnscaled)    /* soft cap on the product before the scale */                         \
  X(kTanhSign)           /* tanh of a large negative number is positive */                      \
  X(kNoSink)             /* the sink is left out of the sum */                                  \
  X(kSinkWithoutRescale) /* the output is not rescaled when the sink is the maximum */          \
  X(kMaxStartsAtZero)    /* all scores below 0: the maximum is 0, and far ones underflow */     \
  X(kNoRescale)          /* the old output is not rescaled when the maximum grows */            \
  X(kTileNotRescaled)    /* a tile with a smaller maximum is added without rescaling */         \
  X(kSumNotRescaled)     /* the old sum is not rescaled */                                      \
  X(kSumOfLastTile)      /* the sum forgets the tiles before */                                 \
  X(kHalfTheSum)         /* the second half of the 32 partial sums is lost */                   \
  X(kNotNormalised)      /* the output is not divided by the sum */                             \
  X(kLseWithoutMax)      /* log sum only */                                                     \
  X(kLseWithoutLog)      /* max + sum */                                                        \
  X(kEmptyRowLse)        /* an empty row has log-sum-exp 0 */                                   \
  X(kWrongKvHead)        /* query head h reads KV head h % Hkv */                               \
  X(kKeyScaleIgnored)    /* the scale of quantised keys is left out */                          \
  X(kValueScaleIgnored)                                                                         \
  X(kScalesSwapped)                                                                             \
  X(kSlotsSwapped)         /* neighbouring tokens swap their slots */                           \
  X(kValuesNotWritten)     /* only keys reach the cache */                                      \
  X(kHeadsSwappedInCache)  /* the KV heads are written in reverse order */                      \
  X(kLastStripLost)        /* columns beyond 64 get nothing */                                  \
  X(kLastRowRepeats)       /* the sixth row of a register group is the fifth */                 \
  X(kContextIgnored)       /* the first new token is given position 0 */                        \
  X(kQueryOfFirstRow)      /* every sequence begins at row 0 of the batch */                    \
  X(kTrailingKeysUnmasked) /* keys after the range, in its last vector, take part */            \
  X(kLeadingKeysUnmasked)  /* the same before the range */                                      \
  X(kUnseenTimesZero)      /* an unseen NaN is multiplied by its weight of 0 */                 \
  X(kBiasOfFirstRow)                                                                            \
  X(kBiasOfFirstHead)                                                                           \
  X(kMaskNotRead)        /* a dense mask is built, but the kernel does not look at it */        \
  X(kMaskOfFirstHead)    /* all heads read the mask of head 0 */                                \
  X(kMaskOneRowLate)     /* a row reads the mask of the row before it */                        \
  X(kMaskPaddingRead)    /* a padded mask is read as if it were not padded */                   \
  X(kCallsMerged)        /* a call takes the queries of one sequence, the keys of the first */  \
  X(kPaddingRowWritten)  /* pallas: padding rows get the slot of their prompt's first token */  \
  X(kWrongPageBuffer)    /* pallas: the pages of the next block are computed on */              \
  X(kCoresShareHeads)    /* pallas: both cores take the heads of core 0 */                      \
  X(kSplitFromFirst)     /* pallas: every call of a split batch begins at its first sequence */ \
  X(kAlibiFromFirstRow)  /* xformers: every call of a batch writes the rows of the first */     \
  X(kPackedMaskCausal)   /* xformers: the mask of an encoder's packed batch is a decoder's */   \
  X(kMaskOfOtherRule)    /* masks of another configuration's layers are used again */           \
  X(kMaskRebuilt)        /* every layer of a step builds its masks again */                     \
  X(kPaddingNotCut)      /* pallas: outputs are taken from the rows of the batch as it was */   \
  X(kEncoderCausal)      /* ENCODER: a token of an encoder does not see later ones */           \
  X(kEncoderFromFirst)   /* ENCODER: every sequence takes the tokens of the first */            \
  X(kWeightsNotRead)     /* math: the softmax is skipped */                                     \
  X(kScoresOfFirstHead)  /* math: all heads take the weights of head 0 */                       \
  X(kBiasScaled)         /* the bias is multiplied by the scale */                              \
  X(kOneLocalBlockFewer) /* block-sparse attention */                                           \
  X(kStrideOneOff)       /* a block is seen by the rule of the next block */                    \
  X(kHeadStepIgnored)    /* all heads see the same blocks */                                    \
  X(kExpCoefficient)     /* coefficient of f^2 in 2^f, 1% too small */                          \
  X(kDecodeOneBack)      /* the query's position is one too small */                            \
  X(kFirstTileSkipped)   /* decode begins at the second tile when there are several */          \
  X(kLastTileSkipped)    /* the merge stops before the last partial result */                   \
  X(kPartialMaxIgnored)  /* partial results are merged as if all had the first one's maximum */ \
  X(kHeadsShareFactors)  /* all heads of a group are merged by the first one's factors */       \
  X(kFirstPageForAll)    /* all 64 keys of a panel are read from its first page */              \
  X(kValuesOneLate)      /* after the first tile, keys get the value of the key before */       \
  X(kOddCoordinateFirst) /* the two halves of a 16-bit pair change places */                    \
  X(kSumOfRounded)       /* bf16 weights: the sum is that of the rounded ones */                \
  X(kRoundedTooFar)      /* bf16 weights: four bits fewer are kept */                           \
  X(kPartSumOfLastTile)  /* a task's partial result has the sum of its last tile only */        \
  X(kValuePairsSwapped)  /* bf16 weights in a unit: neighbouring keys swap their values */

ATTN_SEEDED_FAULTS_OF(kernel_faults, ATTN_KERNEL_FAULTS)

#define ATTN_FAULT(name) ATTN_IS_SEEDED(kernel_faults, name)
