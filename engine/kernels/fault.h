// SPDX-License-Identifier: GPL-3.0-or-later
// Deliberate mistakes in the kernels and the backends, which tests/mutants must notice
// (engine/core/seeded_fault.h says how they are switched on).
#pragma once

#include "engine/core/seeded_fault.h"

#define ATTN_KERNEL_FAULTS(X)                                                                      \
  X(kDropsLastKey)      /* a row does not see its last visible key */                              \
  X(kSeesOneAhead)      /* causal masks: the key after the query is seen */                        \
  X(kWindowOneWider)    /* key query - w is seen */                                                \
  X(kWindowOneNarrower) /* key query - w + 1 is not seen */                                        \
  X(kAlibiSign)         /* far keys are favoured */                                                \
  X(kAlibiFromTile)     /* ALiBi counts distances from the tile's first key */                     \
  X(kDistanceSign) /* relative bias: a key before the query takes the number of one after it */    \
  X(kBiasRowOfFirstHead) /* relative bias: all heads take the numbers of head 0 */                 \
  X(kNoScale)            /* the scale is left out */                                               \
  X(kScaleTwice)         /* the scale is applied twice */                                          \
  X(kNoSoftCap)          /* the soft cap is left out */                                            \
  X(kSoftCapNotRestored) /* tanh is not multiplied by the cap */                                   \
  X(kSoftCapUnscaled)    /* the soft cap is applied to q.k without the scale */                    \
  X(kTanhSign)           /* tanh of a large negative number is positive */                         \
  X(kNoSink)             /* the sink is left out of the sum */                                     \
  X(kSinkWithoutRescale) /* the output is not rescaled when the sink is the maximum */             \
  X(kMaxStartsAtZero) /* if all scores are below 0, the maximum is 0 and low scores underflow */   \
  X(kNoRescale)       /* the old output is not rescaled when the maximum grows */                  \
  X(kTileNotRescaled) /* a tile with a smaller maximum is added without rescaling */               \
  X(kSumNotRescaled)  /* the old sum is not rescaled */                                            \
  X(kSumOfLastTile)   /* the sum forgets the tiles before */                                       \
  X(kHalfTheSum)      /* the second half of the 32 partial sums is lost */                         \
  X(kNotNormalised)   /* the output is not divided by the sum */                                   \
  X(kLseWithoutMax)   /* the log-sum-exp is ln(sum), without the maximum */                        \
  X(kLseWithoutLog)   /* the log-sum-exp is maximum + sum, without ln */                           \
  X(kEmptyRowLse)     /* an empty row has log-sum-exp 0 */                                         \
  X(kWrongKvHead)     /* query head h reads KV head h % Hkv */                                     \
  X(kKeyScaleIgnored) /* the scale of quantised keys is left out */                                \
  X(kValueScaleIgnored)                                                                            \
  X(kScalesSwapped)                                                                                \
  X(kSlotsSwapped)         /* slots 2 i and 2 i + 1 are swapped */                                 \
  X(kValuesNotWritten)     /* only keys reach the cache */                                         \
  X(kHeadsSwappedInCache)  /* the KV heads are written in reverse order */                         \
  X(kLastStripLost)        /* output columns from 64 on stay 0 */                                  \
  X(kLastRowRepeats)       /* the sixth query row of a register group is a copy of the fifth */    \
  X(kContextIgnored)       /* the first new token is given position 0 */                           \
  X(kQueryOfFirstRow)      /* the queries of every sequence are read from row 0 of the batch on */ \
  X(kTrailingKeysUnmasked) /* unseen keys in the last group of 16 keys take part */                \
  X(kLeadingKeysUnmasked)  /* unseen keys in the first group of 16 keys take part */               \
  X(kUnseenTimesZero)      /* an unseen value of NaN is multiplied by its weight of 0 */           \
  X(kBiasOfFirstRow)                                                                               \
  X(kBiasOfFirstHead)                                                                              \
  X(kMaskNotRead)       /* a dense mask is built, but the kernel does not look at it */            \
  X(kMaskOfFirstHead)   /* all heads read the mask of head 0 */                                    \
  X(kMaskOneRowLate)    /* a row reads the mask of the row before it */                            \
  X(kMaskPaddingRead)   /* a padded mask is read as if it were not padded */                       \
  X(kCallsMerged)       /* torch_sdpa: every call takes the keys of the first sequence */          \
  X(kPaddingRowWritten) /* pallas: padding rows get the slot of their prompt's first token */      \
  X(kWrongPageBuffer)   /* pallas: a block is computed from the other page buffer */               \
  X(kCoresShareHeads)   /* pallas: both cores take the KV heads of core 0 */                       \
  X(kSplitFromFirst)    /* pallas: every call of a split batch begins at its first sequence */     \
  X(kAlibiFromFirstRow) /* xformers: with ALiBi every call reads and writes rows from row 0 on */  \
  X(kPackedMaskCausal)  /* xformers: the mask of an encoder's packed batch is causal */            \
  X(kMaskOfOtherRule)   /* masks of another configuration's layers are used again */               \
  X(kMaskRebuilt)       /* every layer of a step builds its masks again */                         \
  X(kPaddingNotCut)    /* pallas: outputs are read from the rows that they have without padding */ \
  X(kEncoderCausal)    /* ENCODER: a token of an encoder does not see later ones */                \
  X(kEncoderFromFirst) /* ENCODER: every sequence begins at row 0 of the batch */                  \
  X(kWeightsNotRead)   /* math: the values are multiplied by scores, not by weights */             \
  X(kScoresOfFirstHead)  /* math: all heads take the weights of head 0 */                          \
  X(kBiasScaled)         /* the bias is multiplied by the scale */                                 \
  X(kOneLocalBlockFewer) /* block-sparse attention: one local block fewer is seen */               \
  X(kStrideOneOff)       /* block-sparse attention: a block is seen by the rule of the next */     \
  X(kHeadStepIgnored)    /* block-sparse attention: all heads see the same blocks */               \
  X(kExpCoefficient)     /* the coefficient of f^2 in 2^f is 1% too small */                       \
  X(kDecodeOneBack)      /* the query's position is one too small */                               \
  X(kFirstTileSkipped)   /* a decode task that reaches beyond tile 0 skips its first tile */       \
  X(kLastTileSkipped)    /* the merge stops before the last partial result */                      \
  X(kPartialMaxIgnored)  /* partial results are merged as if all had the first one's maximum */    \
  X(kHeadsShareFactors)  /* all heads of a group are merged by the first one's factors */          \
  X(kFirstPageForAll)    /* all keys of a panel are read from the page of its first keys */        \
  X(kValuesOneLate)      /* after the first tile, keys get the value of the key before */          \
  X(kOddCoordinateFirst) /* the two coordinates of a pair change places */                         \
  X(kSumOfRounded)       /* bf16 weights: the sum is that of the rounded ones */                   \
  X(kRoundedTooFar)      /* bf16 weights: four bits fewer are kept */                              \
  X(kPartSumOfLastTile)  /* a task's partial result has the sum of its last tile only */           \
  X(kValuePairsSwapped)  /* bf16 weights in a unit: neighbouring keys swap their values */

ATTN_SEEDED_FAULTS_OF(kernel_faults, ATTN_KERNEL_FAULTS)

#define ATTN_FAULT(name) ATTN_IS_SEEDED(kernel_faults, name)
