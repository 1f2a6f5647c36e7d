// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults of the scheduler (engine/core/seeded_fault.h).
#pragma once

#include "engine/core/seeded_fault.h"

// The faults, by what goes wrong.
#define ATTN_SCHEDULER_FAULTS(X)                                                             \
  X(kBudgetOfDecodesFree)     /* decodes use no budget */                                    \
  X(kBudgetCountedTwice)      /* a chunk uses its tokens twice */                            \
  X(kCachedTokensCounted)     /* cached tokens use budget */                                 \
  X(kChunkNotRounded)         /* with prefix caching too */                                  \
  X(kChunkRoundedToNothing)   /* a chunk below a block is none */                            \
  X(kChunkSamples)            /* a chunk before the last one samples */                      \
  X(kDecodeStarved)           /* chunks go first */                                          \
  X(kPolicyMixes)             /* prefill_first decodes beside prefills */                    \
  X(kSeatsOneMore)            /* one sequence more than max_num_seqs */                      \
  X(kSeatsOfForksForgotten)   /* n samples take one place */                                 \
  X(kQueueOvertaken)          /* who fits goes before who waits for blocks */                \
  X(kPriorityIgnored)         /* first come, first served for all */                         \
  X(kPriorityReversed)        /* larger first */                                             \
  X(kArrivalIgnored)          /* the future is here */                                       \
  X(kArrivalsInOrderOfAdd)    /* not of time */                                              \
  X(kVictimOldest)            /* the first of the line is preempted */                       \
  X(kPreemptsTooEarly)        /* for a block that is there */                                \
  X(kPreemptedToTheBack)      /* a preempted request queues up again */                      \
  X(kAdmitsWhilePreempting)   /* the blocks of a victim go to a newcomer */                  \
  X(kAdmissionsBeforeSwapIns) /* SWAPPED waits for WAITING */                                \
  X(kSwapRoomIgnored)         /* swaps out into a full pool */                               \
  X(kSwapLosesTokens)         /* a swapped sequence computes from the start */               \
  X(kRecomputeKeepsComputed)  /* freed blocks count as computed */                           \
  X(kWatermarkWhenAlone)      /* the watermark holds back the only request there is */       \
  X(kComesBackForItsPrompt)   /* a recomputation needs room for its prompt only */           \
  X(kCopiesLost)              /* copy-on-write is not in the plan */                         \
  X(kMarksUncomputed)         /* a chunk makes its whole prompt known to the prefix index */ \
  X(kDiscardAdvances)         /* a cancelled step counts as computed */                      \
  X(kWindowEarly)             /* the window is released for one query too far */             \
  X(kForkSharesSeed)          /* all samples draw the same numbers */                        \
  X(kForkSharesToken)         /* all samples begin with the first one's token */             \
  X(kForkLosesTimes)          /* a fork was never queued */                                  \
  X(kAbortLeavesForks)        /* samples outlive their request */                            \
  X(kAbortLeavesBlocks)       /* of a swapped request */                                     \
  X(kSearchPreemptedByBeam)   /* a search loses one beam */                                  \
  X(kBeamTiesHighToken)       /* among equals the higher token id */                         \
  X(kBeamTakesAnyStop)        /* hypotheses from below the best beam_width */                \
  X(kBeamKeepsOldScore)       /* log-probabilities do not add up */                          \
  X(kLengthPenaltyIgnored)    /* hypotheses by log-probability alone */                      \
  X(kSearchEndsEarly)         /* a better hypothesis was still possible */                   \
  X(kBeamsNotRanked)          /* in the order in which they ended */                         \
  X(kOneTokenMore)            /* than max_tokens */                                          \
  X(kStopTokenIgnored)                                                                       \
  X(kQueueTimeOfLastAdmission) /* scheduled_ns moves with every admission */

ATTN_SEEDED_FAULTS_OF(scheduler_faults, ATTN_SCHEDULER_FAULTS)
#define ATTN_SCHEDULER_FAULT(name) ATTN_IS_SEEDED(scheduler_faults, name)
