// SPDX-License-Identifier: GPL-3.0-or-later
// BlockManager, rule by rule; the tests of B9 to B13 are in test_block_manager_prefix.cpp. The
// numbers in names of tests and in failure messages stand for these rules: B1 every block is free,
// used or evictable; B2 misuse is an error and the null block is never handed out; B3 a table has
// the blocks that its tokens need; B4 can_allocate and the watermark; B5 a refused call changes
// nothing; B6 a fork takes no block; B7 a shared partial block is copied before it is written; B8
// reference counts are the numbers of holding tables; B9 only full computed blocks are known by
// their prefix; B10 a hit is the longest known prefix but never the whole prompt; B11 order of
// eviction; B12 no sharing without prefix caching; B13 hash collisions are never shared; B14 blocks
// outside the sliding window are given back; B15 swapping. Arbitrary sequences of operations are
// left to the search and the walk beside this file.
#include "engine/cache/block_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "tests/engine/cache/block_manager_prompts.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;
using Moves = std::vector<BlockMove>;

std::string seen(const BlockManager& manager, std::initializer_list<uint32_t> sequences) {
  std::string text;
  for (const PoolKind kind : {PoolKind::kDevice, PoolKind::kSwap}) {
    const BlockPool& pool = manager.pool(kind);
    text += ::testing::PrintToString(
        std::vector<int64_t>{pool.num_free(), pool.num_evictable(), pool.oldest_evictable()});
    for (int32_t block = 0; block < pool.num_blocks(); ++block)
      text += " " + std::to_string(pool.ref_count(block));
  }
  for (const uint32_t id : sequences) {
    if (!manager.knows(id)) continue;
    text += ::testing::PrintToString(blocks_of(manager, id));
    text += " " + std::to_string(manager.num_tokens(id));
  }
  const BlockManager::PrefixStats& stats = manager.prefix_stats();
  return text + " " + std::to_string(stats.queried_tokens) + " " +
         std::to_string(stats.hit_tokens) + " " + std::to_string(stats.evicted_blocks);
}

TEST(BlockManager, B1EveryBlockIsFreeUsedOrEvictable) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 6, .num_swap_blocks = 3, .prefix_caching = true});
  const auto expect = [&](int64_t free, int64_t evictable, int64_t used) {
    const BlockPool& pool = manager.pool(PoolKind::kDevice);
    EXPECT_EQ(pool.num_free(), free);
    EXPECT_EQ(pool.num_evictable(), evictable);
    EXPECT_EQ(pool.num_used(), used);
    EXPECT_EQ(manager.num_available(), free + evictable);
    manager.check_invariants();
  };
  expect(6, 0, 0);
  compute(manager, 1, tokens(5));
  expect(3, 0, 3);
  ASSERT_TRUE(manager.swap_out(1));
  expect(4, 2, 0);
  EXPECT_EQ(manager.num_available(PoolKind::kSwap), 0);
  manager.free(1);
  expect(4, 2, 0);
  EXPECT_EQ(manager.num_available(PoolKind::kSwap), 3);
}

TEST(BlockManager, B2MisuseIsAnErrorAndTheNullBlockStays) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 4, .num_swap_blocks = 1, .sliding_window = 2});
  EXPECT_EQ(manager.num_usable(), 3);
  EXPECT_EQ(manager.num_available(), 3);
  admit(manager, 1, tokens(6));
  EXPECT_THAT(blocks_of(manager, 1), ElementsAre(1, 2, 3));  // never block 0
  EXPECT_THROW((void)manager.allocate(1, tokens(2), 2), std::logic_error);
  EXPECT_THROW((void)manager.allocate(2, {}, 0), std::logic_error);
  EXPECT_THROW((void)manager.allocate(2, tokens(2), 3), std::logic_error);
  EXPECT_THROW((void)manager.allocate(2, tokens(2), 0), std::logic_error);
  EXPECT_FALSE(manager.allocate(2, tokens(2), 2));
  manager.release_window(1, 6);
  EXPECT_THAT(blocks_of(manager, 1), ElementsAre(0, 0, 3));
  manager.free(1);
  EXPECT_EQ(manager.num_available(), 3);
  EXPECT_EQ(manager.pool(PoolKind::kDevice).ref_count(BlockManager::kNullBlock), 0);
  manager.free(1);  // a second free() is no error
  for (const auto& misuse : std::vector<std::function<void()>>{
           [&] { (void)manager.append(1, 1); }, [&] { (void)manager.blocks_needed(1, 1); },
           [&] { manager.mark_computed(1, tokens(2), 2); }, [&] { manager.release_window(1, 0); },
           [&] { manager.fork(1, 2); }, [&] { (void)manager.swap_out(1); },
           [&] { (void)manager.swap_in(1); }, [&] { (void)manager.num_tokens(1); },
           [&] { (void)manager.blocks(1); }, [&] { (void)manager.slot(1, 0); },
           [&] { (void)manager.is_swapped(1); }, [&] { (void)manager.can_swap_in(1); }}) {
    EXPECT_THROW(misuse(), std::logic_error);
  }
  manager.check_invariants();
}

TEST(BlockManager, B2SequencesOnTheWrongPoolAreRefused) {
  BlockManager manager({.block_size = 2, .num_blocks = 4, .num_swap_blocks = 2});
  admit(manager, 1, tokens(3));
  EXPECT_THROW((void)manager.swap_in(1), std::logic_error);
  EXPECT_THROW((void)manager.append(1, -1), std::logic_error);
  EXPECT_THROW((void)manager.append(1, 0, -1), std::logic_error);
  EXPECT_THROW((void)manager.append(1, std::numeric_limits<int64_t>::max()), std::logic_error);
  EXPECT_THROW((void)manager.append(1, 1, std::numeric_limits<int64_t>::max() - 3),
               std::logic_error);
  EXPECT_FALSE(manager.append(1, int64_t{1} << 60));
  EXPECT_THROW(manager.mark_computed(1, tokens(3), 4), std::logic_error);
  EXPECT_THROW(manager.mark_computed(1, tokens(9), 4), std::logic_error);
  EXPECT_THROW(manager.release_window(1, 4), std::logic_error);
  EXPECT_THROW((void)manager.slot(1, 4), std::logic_error);
  EXPECT_THROW((void)manager.slot(1, -1), std::logic_error);
  ASSERT_TRUE(manager.swap_out(1));
  EXPECT_THROW((void)manager.append(1, 1), std::logic_error);
  EXPECT_THROW(manager.fork(1, 2), std::logic_error);
  EXPECT_THROW((void)manager.swap_out(1), std::logic_error);
  EXPECT_FALSE(manager.knows(2));
  manager.check_invariants();
}

TEST(BlockManager, B3AppendTakesExactlyTheBlocksThatAreMissing) {
  for (const int64_t block_size : {1, 2, 3, 5}) {
    for (int64_t n = 1; n < 8; ++n) {
      for (int64_t k = 0; k < 8; ++k) {
        for (int64_t lookahead = 0; lookahead < 6; ++lookahead) {
          BlockManager manager({.block_size = block_size, .num_blocks = 40});
          admit(manager, 1, tokens(n));
          const auto blocks = [&](int64_t count) { return (count + block_size - 1) / block_size; };
          const int64_t before = manager.num_available();
          const int64_t needed = blocks(n + k + lookahead) - blocks(n);
          EXPECT_EQ(manager.blocks_needed(1, k, lookahead), needed);
          EXPECT_EQ(manager.append(1, k, lookahead), Moves{});
          EXPECT_EQ(before - manager.num_available(), needed);
          EXPECT_EQ(manager.num_tokens(1), n + k);
          EXPECT_EQ(manager.blocks_needed(1, lookahead), 0);
          EXPECT_EQ(manager.blocks_needed(1, 0), 0);
          manager.check_invariants();
        }
      }
    }
  }
}

TEST(BlockManager, B3SlotsFollowTheBlocks) {
  BlockManager manager({.block_size = 3, .num_blocks = 4});
  admit(manager, 7, tokens(1));
  admit(manager, 8, tokens(2));
  ASSERT_TRUE(manager.append(7, 3));
  ASSERT_TRUE(manager.append(8, 2));
  EXPECT_THAT(blocks_of(manager, 8), ElementsAre(1, 3));
  EXPECT_EQ(manager.slot(8, 0), 3);
  EXPECT_EQ(manager.slot(8, 2), 5);
  EXPECT_EQ(manager.slot(8, 3), 9);
}

TEST(BlockManager, B4WatermarkIsExact) {
  for (int64_t watermark = 0; watermark < 10; ++watermark) {
    BlockManager manager(
        {.block_size = 2, .num_blocks = 10, .watermark = static_cast<double>(watermark) / 10});
    admit(manager, 1, tokens(6));  // 3 blocks; 7 are left
    for (int64_t blocks = 1; blocks <= 12; ++blocks) {
      const Room expected = 10 - blocks < watermark  ? Room::kNever
                            : 7 - blocks < watermark ? Room::kLater
                                                     : Room::kOk;
      EXPECT_EQ(manager.can_allocate(tokens(2 * blocks, 500)), expected) << watermark << blocks;
      EXPECT_EQ(manager.can_allocate(tokens(2 * blocks - 1, 500)), expected);
    }
  }
}

TEST(BlockManager, B4HitsAreNotTakenTwice) {
  BlockManager manager(cached_config(4));
  compute(manager, 1, tokens(6));
  // Hits in used blocks cost nothing: each of the next two prompts needs 1 new block.
  EXPECT_EQ(manager.can_allocate(tokens(6)), Room::kOk);
  EXPECT_EQ(manager.can_allocate(tokens(7)), Room::kOk);
  EXPECT_EQ(manager.can_allocate(tokens(6, 7)), Room::kLater);
  EXPECT_EQ(manager.can_allocate(tokens(9)), Room::kNever);
  manager.free(1);
  // The hits are evictable now. They count as available, but cannot serve as new blocks as well.
  EXPECT_EQ(manager.num_available(), 4);
  EXPECT_EQ(manager.can_allocate(tokens(8)), Room::kOk);
  admit(manager, 2, tokens(3, 900));
  EXPECT_EQ(manager.num_available(), 2);
  EXPECT_EQ(manager.cached_prefix(tokens(6)), 4);
  EXPECT_EQ(manager.can_allocate(tokens(4)), Room::kOk);
  EXPECT_EQ(manager.can_allocate(tokens(6)), Room::kLater);
}

TEST(BlockManager, B5WhatFailsChangesNothing) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 4, .num_swap_blocks = 1, .prefix_caching = true});
  compute(manager, 1, tokens(4));
  manager.free(1);
  compute(manager, 2, tokens(5, 700));
  const std::string before = seen(manager, {1, 2});
  int changes = 0;
  BlockManager copy(manager, [&](const BlockChange&) { ++changes; });
  EXPECT_EQ(copy.cached_prefix(tokens(6)), 2);
  EXPECT_FALSE(copy.allocate(3, tokens(6), 6));
  EXPECT_FALSE(copy.allocate(3, tokens(6), 3));
  EXPECT_FALSE(copy.allocate(3, tokens(5, 50), 5));
  EXPECT_FALSE(copy.append(2, 6));
  EXPECT_FALSE(copy.append(2, 1, 5));
  EXPECT_FALSE(copy.swap_out(2));
  EXPECT_EQ(seen(copy, {1, 2, 3}), before);
  EXPECT_EQ(changes, 0);
  EXPECT_FALSE(copy.knows(3));
  copy.check_invariants();
  EXPECT_TRUE(copy.allocate(3, tokens(6), 2));
}

TEST(BlockManager, B5AFailedCopyOrReturnChangesNothing) {
  BlockManager manager({.block_size = 2, .num_blocks = 2, .num_swap_blocks = 2});
  admit(manager, 1, tokens(3));
  manager.fork(1, 2);
  EXPECT_EQ(manager.blocks_needed(1, 1), 1);
  const std::string before = seen(manager, {1, 2});
  EXPECT_FALSE(manager.append(1, 1));
  EXPECT_EQ(seen(manager, {1, 2}), before);
  ASSERT_TRUE(manager.swap_out(1));
  const std::string swapped = seen(manager, {1, 2});
  EXPECT_FALSE(manager.swap_in(1));
  EXPECT_EQ(seen(manager, {1, 2}), swapped);
  manager.check_invariants();
}

TEST(BlockManager, B6ForkTakesNoBlock) {
  BlockManager manager({.block_size = 2, .num_blocks = 8});
  admit(manager, 1, tokens(5));
  ASSERT_TRUE(manager.append(1, 0, 4));  // two blocks of lookahead
  EXPECT_EQ(manager.num_available(), 3);
  manager.fork(1, 2);
  EXPECT_EQ(manager.num_available(), 3);
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(0, 1, 2));
  EXPECT_EQ(manager.num_tokens(2), 5);
  manager.check_invariants();
}

TEST(BlockManager, B7OnlyASharedPartialBlockIsCopied) {
  BlockManager manager({.block_size = 2, .num_blocks = 8});
  admit(manager, 1, tokens(3));
  manager.fork(1, 2);
  EXPECT_EQ(manager.append(1, 0), Moves{});  // no token is written
  EXPECT_EQ(manager.append(2, 1), (Moves{{.from = 1, .to = 2}}));
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(0, 2));
  EXPECT_EQ(manager.append(1, 1), Moves{});
  // Full last blocks: both sequences continue in new blocks of their own, without a copy.
  manager.fork(1, 3);
  EXPECT_EQ(manager.append(1, 1), Moves{});
  EXPECT_EQ(manager.append(3, 1), Moves{});
  EXPECT_THAT(blocks_of(manager, 1), ElementsAre(0, 1, 3));
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(0, 1, 4));
  manager.check_invariants();
}

TEST(BlockManager, B7LookaheadIsWrittenToo) {
  BlockManager manager({.block_size = 4, .num_blocks = 8});
  admit(manager, 1, tokens(3));
  manager.fork(1, 2);
  EXPECT_EQ(manager.blocks_needed(2, 0, 1), 1);
  EXPECT_EQ(manager.append(2, 0, 1), (Moves{{.from = 0, .to = 1}}));
}

TEST(BlockManager, B8ReferenceCountsAreTheTablesThatHoldTheBlock) {
  BlockManager manager(cached_config(8));
  compute(manager, 1, tokens(5));
  manager.fork(1, 2);
  EXPECT_EQ(admit(manager, 3, tokens(5)), 4);
  const BlockPool& pool = manager.pool(PoolKind::kDevice);
  EXPECT_EQ(pool.ref_count(0), 3);
  EXPECT_EQ(pool.ref_count(1), 3);
  EXPECT_EQ(pool.ref_count(2), 2);
  EXPECT_EQ(pool.ref_count(3), 1);
  manager.free(2);
  manager.free(1);
  EXPECT_EQ(pool.ref_count(0), 1);
  EXPECT_EQ(pool.ref_count(2), 0);
  EXPECT_FALSE(pool.is_evictable(0));
  manager.free(3);
  EXPECT_TRUE(pool.is_evictable(0) && pool.is_evictable(1));
  EXPECT_FALSE(pool.is_evictable(2));
  manager.check_invariants();
}

TEST(BlockManager, B14TheWindowLeavesItsBlocksAndOneMoreAtMost) {
  for (const int64_t block_size : {1, 2, 3, 4}) {
    for (int64_t window = 1; window < 10; ++window) {
      BlockManager manager({.block_size = block_size, .num_blocks = 30, .sliding_window = window});
      admit(manager, 1, tokens(1));
      const int64_t least = (window + block_size - 1) / block_size;
      for (int64_t position = 1; position < 40; ++position) {
        ASSERT_EQ(manager.append(1, 1), Moves{});
        manager.release_window(1, position);
        const std::vector<int32_t> blocks = blocks_of(manager, 1);
        const auto held = static_cast<int64_t>(blocks.size()) - manager.blocks_left_window(1);
        EXPECT_LE(held, least + 1);
        if (position + 1 >= window) {
          EXPECT_GE(held, least);
        }
        for (int64_t key = 0; key <= position; ++key) {
          const bool is_gone = blocks[static_cast<size_t>(key / block_size)] == 0;
          // A block leaves as a whole, when none of its keys is visible any more.
          const int64_t last_of_block = (key / block_size + 1) * block_size - 1;
          EXPECT_EQ(is_gone, last_of_block <= position - window) << key << " at " << position;
        }
        manager.check_invariants();
      }
    }
  }
}

TEST(BlockManager, B14WhatLeftTheWindowIsStillFound) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 9, .prefix_caching = true, .sliding_window = 2});
  compute(manager, 1, tokens(8));
  manager.release_window(1, 8);
  EXPECT_EQ(manager.blocks_left_window(1), 3);
  EXPECT_EQ(manager.pool(PoolKind::kDevice).num_evictable(), 3);
  // The deepest of the three blocks.
  EXPECT_EQ(manager.pool(PoolKind::kDevice).oldest_evictable(), 3);
  ASSERT_TRUE(manager.append(1, 2));
  manager.mark_computed(1, tokens(10), 10);
  EXPECT_EQ(manager.cached_prefix(tokens(11)), 10);
  EXPECT_EQ(compute(manager, 2, tokens(11)), 10);
  manager.free(1);
  manager.release_window(2, 11);
  manager.free(2);
  manager.check_invariants();
}

TEST(BlockManager, B15SwappingMovesInTableOrderAndBack) {
  BlockManager manager({.block_size = 2, .num_blocks = 5, .num_swap_blocks = 4});
  admit(manager, 1, tokens(2));
  admit(manager, 2, tokens(5));
  manager.free(1);
  ASSERT_TRUE(manager.append(2, 0, 2));
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(1, 2, 3, 0));
  EXPECT_TRUE(manager.can_swap_out(2));
  EXPECT_EQ(manager.swap_out(2), (Moves{{1, 0}, {2, 1}, {3, 2}}));
  EXPECT_TRUE(manager.is_swapped(2));
  EXPECT_EQ(manager.num_tokens(2), 5);
  EXPECT_EQ(manager.num_available(), 5);
  EXPECT_EQ(manager.num_available(PoolKind::kSwap), 1);
  EXPECT_EQ(manager.can_swap_in(2), Room::kOk);
  admit(manager, 3, tokens(6));
  EXPECT_EQ(manager.can_swap_in(2), Room::kLater);
  manager.free(3);
  const auto moves = manager.swap_in(2);
  ASSERT_TRUE(moves);
  EXPECT_THAT(*moves, ElementsAre(BlockMove{0, 1}, BlockMove{1, 2}, BlockMove{2, 3}));
  EXPECT_EQ(manager.num_available(), 2);
  EXPECT_EQ(manager.num_available(PoolKind::kSwap), 4);
  manager.check_invariants();
}

TEST(BlockManager, B15SharersKeepTheirBlocksAndKnownOnesStayKnown) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 8, .num_swap_blocks = 8, .prefix_caching = true});
  compute(manager, 1, tokens(5));
  manager.fork(1, 2);
  ASSERT_TRUE(manager.swap_out(1));
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(0, 1, 2));
  EXPECT_EQ(manager.pool(PoolKind::kDevice).ref_count(0), 1);
  manager.free(2);
  EXPECT_EQ(manager.cached_prefix(tokens(5)), 4);
  ASSERT_TRUE(manager.swap_in(1));
  manager.mark_computed(1, tokens(5), 5);
  EXPECT_EQ(manager.prefix_nodes().size(), 2u);
  manager.check_invariants();
}

TEST(BlockManager, B15NeverWhenEvenAnEmptyCacheIsTooSmall) {
  BlockManager manager({.block_size = 2, .num_blocks = 3, .num_swap_blocks = 4, .watermark = 0.34});
  admit(manager, 1, tokens(4));
  ASSERT_TRUE(manager.append(1, 1));
  ASSERT_TRUE(manager.swap_out(1));
  EXPECT_EQ(manager.can_swap_in(1), Room::kNever);
  manager.free(1);
  EXPECT_EQ(manager.num_available(PoolKind::kSwap), 4);
  EXPECT_FALSE(manager.knows(1));
}

TEST(BlockManager, B15WhatLeftTheWindowIsNotMoved) {
  BlockManager manager(
      {.block_size = 2, .num_blocks = 6, .num_swap_blocks = 2, .sliding_window = 3});
  admit(manager, 1, tokens(7));
  EXPECT_FALSE(manager.can_swap_out(1));
  manager.release_window(1, 7);
  EXPECT_EQ(manager.swap_out(1), (Moves{{3, 0}, {4, 1}}));
  EXPECT_EQ(manager.blocks_left_window(1), 2);
  ASSERT_TRUE(manager.swap_in(1));
  EXPECT_EQ(blocks_of(manager, 1)[1], BlockManager::kNullBlock);
  EXPECT_EQ(manager.num_available(), 3);
  manager.check_invariants();
}

TEST(BlockManager, GivesOutWhatItGotBackInTheSameOrder) {
  BlockManager manager({.block_size = 1, .num_blocks = 5});
  admit(manager, 1, tokens(3));
  manager.free(1);
  admit(manager, 2, tokens(4));
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(0, 1, 2, 3));
}

TEST(BlockManager, TellsEveryChangeInOrder) {
  std::vector<std::string> told;
  BlockManager manager(
      {.block_size = 2, .num_blocks = 4, .num_swap_blocks = 2, .prefix_caching = true},
      [&](const BlockChange& c) {
        constexpr const char* kNames[] = {"allocated", "shared",      "released",  "freed",
                                          "cached",    "evicted",     "copied",    "hashed",
                                          "left",      "swapped out", "swapped in"};
        told.push_back(std::string(kNames[static_cast<int>(c.kind)]) +
                       (c.pool == PoolKind::kSwap ? " S" : " ") + std::to_string(c.block) +
                       " refs " + std::to_string(c.ref_count) + " free " +
                       std::to_string(c.free_after) +
                       (c.other < 0 ? "" : " other " + std::to_string(c.other)));
      });
  const auto since = [&] { return std::exchange(told, {}); };
  compute(manager, 1, tokens(3));
  EXPECT_THAT(since(), ElementsAre("allocated 0 refs 1 free 3", "allocated 1 refs 1 free 2",
                                   "hashed 0 refs 1 free 2"));
  manager.fork(1, 2);
  EXPECT_THAT(since(), ElementsAre("shared 0 refs 2 free 2", "shared 1 refs 2 free 2"));
  ASSERT_TRUE(manager.append(2, 1));
  EXPECT_THAT(since(), ElementsAre("allocated 2 refs 1 free 1", "released 1 refs 1 free 1",
                                   "copied 2 refs 1 free 1 other 1"));
  manager.free(2);
  EXPECT_THAT(since(), ElementsAre("freed 2 refs 0 free 2", "released 0 refs 1 free 2"));
  ASSERT_TRUE(manager.swap_out(1));
  EXPECT_THAT(since(),
              ElementsAre("allocated S0 refs 1 free 1", "swapped out 0 refs 1 free 2 other 0",
                          "allocated S1 refs 1 free 0", "swapped out 1 refs 1 free 2 other 1",
                          "freed 1 refs 0 free 3", "cached 0 refs 0 free 4"));
  admit(manager, 3, tokens(8, 900));
  EXPECT_THAT(since(), ElementsAre("allocated 1 refs 1 free 3", "allocated 2 refs 1 free 2",
                                   "allocated 3 refs 1 free 1", "evicted 0 refs 0 free 1",
                                   "allocated 0 refs 1 free 0"));
}

TEST(BlockManager, NumbersAreChecked) {
  const BlockManagerConfig good;
  EXPECT_NO_THROW(BlockManager{good});
  const auto expect_bad = [&](const char* where, auto change) {
    BlockManagerConfig config = good;
    change(config);
    try {
      const BlockManager manager(config);
      ADD_FAILURE() << where << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      EXPECT_EQ(error.parts().where, where);
    }
  };
  expect_bad("block_size", [](BlockManagerConfig& c) { c.block_size = 0; });
  expect_bad("block_size", [](BlockManagerConfig& c) { c.block_size = int64_t{1} << 31; });
  expect_bad("num_blocks", [](BlockManagerConfig& c) { c.num_blocks = 0; });
  expect_bad("num_blocks", [](BlockManagerConfig& c) { c.sliding_window = 5; });
  expect_bad("num_swap_blocks", [](BlockManagerConfig& c) { c.num_swap_blocks = -1; });
  expect_bad("watermark", [](BlockManagerConfig& c) { c.watermark = 1; });
  expect_bad("watermark", [](BlockManagerConfig& c) { c.watermark = -0.1; });
  expect_bad("watermark", [](BlockManagerConfig& c) { c.watermark = std::nan(""); });
  expect_bad("sliding_window", [](BlockManagerConfig& c) { c.sliding_window = 0; });
}

}  // namespace
}  // namespace attn::testing
