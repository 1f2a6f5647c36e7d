// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults of the scheduler, which tests switch on (engine/core/seeded_fault.h).
#pragma once

#include "engine/core/seeded_fault.h"

#define ATTN_SCHEDULER_FAULTS(X)                                                             \
  X(kBudgetOfDecodesFree)     /* decodes use no budget */                                    \
  X(kBudgetCountedTwice)      /* tokens of prefills use twice their budget */                \
  X(kCachedTokensCounted)     /* cached tokens use budget */                                 \
  X(kChunkNotRounded)         /* chunks end anywhere with prefix caching, too */             \
  X(kChunkRoundedToNothing)   /* a chunk that reaches no block boundary is left out */       \
  X(kChunkSamples)            /* a chunk before the last one samples tokens */               \
  X(kDecodeStarved)           /* chunks are planned before decodes */                        \
  X(kPolicyMixes)             /* prefill_first decodes beside prefills */                    \
  X(kSeatsOneMore)            /* one sequence more than the limits */                        \
  X(kSeatsOfForksForgotten)   /* samples and beams count as one sequence */                  \
  X(kQueueOvertaken)          /* a request that fits overtakes one that does not */          \
  X(kPriorityIgnored)         /* first come, first served for all */                         \
  X(kPriorityReversed)        /* the larger priority goes first */                           \
  X(kArrivalIgnored)          /* requests arrive before their time */                        \
  X(kArrivalsInOrderOfAdd)    /* the order is that of ids, not of arrivals */                \
  X(kVictimOldest)            /* the first of the line is preempted */                       \
  X(kPreemptsTooEarly)        /* preempts although the block needed is there */              \
  X(kPreemptedToTheBack)      /* a preempted request queues up again */                      \
  X(kAdmitsWhilePreempting)   /* waiting requests are admitted after a preemption */         \
  X(kAdmissionsBeforeSwapIns) /* waiting ones are admitted before swap-ins */                \
  X(kSwapRoomIgnored)         /* swaps out into a full pool */                               \
  X(kSwapLosesTokens)         /* a swapped sequence is computed again */                     \
  X(kRecomputeKeepsComputed)  /* freed blocks count as computed */                           \
  X(kWatermarkWhenAlone)      /* the watermark applies when nothing runs */                  \
  X(kComesBackForItsPrompt)   /* a recomputation needs room for its prompt only */           \
  X(kCopiesLost)              /* copy-on-write is not in the plan */                         \
  X(kMarksUncomputed)         /* a chunk makes its whole prompt known to the prefix index */ \
  X(kDiscardAdvances)         /* a cancelled step counts as computed */                      \
  X(kWindowEarly)             /* blocks leave the window too early */                        \
  X(kForkSharesSeed)          /* all samples draw the same numbers */                        \
  X(kForkSharesToken)         /* all samples begin with the first one's token */             \
  X(kForkLosesTimes)          /* a fork has none of its parent's times */                    \
  X(kAbortLeavesForks)        /* samples outlive their request */                            \
  X(kAbortLeavesBlocks)       /* a swapped request keeps its blocks */                       \
  X(kSearchPreemptedByBeam)   /* one beam is preempted without the others */                 \
  X(kBeamTiesHighToken)       /* among equals the higher token id wins */                    \
  X(kBeamTakesAnyStop)        /* also stop tokens below the best beam_width */               \
  X(kBeamKeepsOldScore)       /* log-probabilities of tokens are not summed */               \
  X(kLengthPenaltyIgnored)    /* hypotheses are ranked by log-probability */                 \
  X(kSearchEndsEarly)         /* a search ends while a better one is possible */             \
  X(kBeamsNotRanked)          /* hypotheses keep the order in which they ended */            \
  X(kOneTokenMore)            /* one token more than max_tokens */                           \
  X(kStopTokenIgnored)                                                                       \
  X(kQueueTimeOfLastAdmission) /* scheduled_ns moves with every admission */

ATTN_SEEDED_FAULTS_OF(scheduler_faults, ATTN_SCHEDULER_FAULTS)
#define ATTN_SCHEDULER_FAULT(name) ATTN_IS_SEEDED(scheduler_faults, name)
