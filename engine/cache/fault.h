// SPDX-License-Identifier: GPL-3.0-or-later
// Seeded faults of the block manager, its pools and its prefix index (engine/core/seeded_fault.h).
#pragma once

#include "engine/core/seeded_fault.h"

#define ATTN_CACHE_FAULTS(X)                                                               \
  X(kHitCoversAll)      /* no token of the prompt is left to compute */                    \
  X(kChainOfOne)        /* only the first block of a prompt is found */                    \
  X(kCachingAlwaysOn)   /* prefixes are shared where caching is off */                     \
  X(kHashWithoutParent) /* the hash of a block is that of its tokens alone */              \
  X(kCollisionAccepted) /* tokens are not compared */                                      \
  X(kParentNotCompared) /* a prefix is taken for any with the same hash and last tokens */ \
  X(kExtraKeyIgnored)                                                                      \
  X(kPartialBlockHashed)   /* a block is known before it is full */                        \
  X(kUncomputedHashed)     /* a block is known before its tokens are computed */           \
  X(kNewestIsKnown)        /* of equal blocks the last one is known */                     \
  X(kHitsCountedAvailable) /* evictable hits count as available, too */                    \
  X(kOwnPrefixEvicted)     /* new blocks are taken before the hits are */                  \
  X(kNotRolledBack)        /* a refused allocation keeps its hits */                       \
  X(kRefusedCounted)       /* a refused allocation is in the statistics */                 \
  X(kCopySkipped)          /* a shared partial block is written */                         \
  X(kFullBlockCopied)      /* a shared full last block is copied */                        \
  X(kCopyNotCounted)       /* the block for a copy is not counted */                       \
  X(kCopyReversed)         /* the move goes from new block to old */                       \
  X(kCopiedNotReleased)    /* the block that was copied stays held */                      \
  X(kLookaheadForgotten)                                                                   \
  X(kBlockTooEarly)    /* a full last block takes an empty block, too */                   \
  X(kForkCountedTwice) /* the last block of a fork is counted twice */                     \
  X(kForkNotCounted)   /* the last block of a fork is not counted */                       \
  X(kForkSharesLookahead)                                                                  \
  X(kFreedFirstToLast)                                                                     \
  X(kLookaheadNotFreed)                                                                    \
  X(kSwappedNotFreed)                                                                      \
  X(kEvictsNewest)                                                                         \
  X(kEvictedStaysKnown)                                                                    \
  X(kCachedIsFreed)      /* a known block goes to the free list and stays known */         \
  X(kNothingEvictable)   /* a block without a table is forgotten */                        \
  X(kUsedStaysEvictable) /* a hit stays in the evictable list */                           \
  X(kWatermarkOneMore)                                                                     \
  X(kWatermarkOneLess)                                                                     \
  X(kNeverWithoutWatermark) /* kLater for what only the watermark keeps out forever */     \
  X(kNullBlockHandedOut)                                                                   \
  X(kNullBlockFreed)                                                                       \
  X(kWindowOneEarly) /* a block leaves while its last key is still seen */                 \
  X(kWindowOneLate)                                                                        \
  X(kWindowFirstToLast) /* blocks near the front are evicted first */                      \
  X(kWindowEntryStays)  /* the released block stays in the table */                        \
  X(kSwapOutReversed)                                                                      \
  X(kSwapInReversed)                                                                       \
  X(kSwapOutKeepsBlocks)                                                                   \
  X(kSwapInKeepsBlocks)                                                                    \
  X(kLookaheadMoved)     /* blocks without content go to the swap pool */                  \
  X(kPrefixKeptInSwap)   /* blocks that come back count as known */                        \
  X(kNextTokenForgotten) /* a sequence comes back without room for its next token */

ATTN_SEEDED_FAULTS_OF(cache_faults, ATTN_CACHE_FAULTS)
#define ATTN_CACHE_FAULT(name) ATTN_IS_SEEDED(cache_faults, name)
