// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/core/rng.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::vector<int32_t> blocks_of(const BlockTable& table) {
  return {table.blocks().begin(), table.blocks().end()};
}

TEST(BlockTable, TakesABlockOnlyWhenTheLastIsFull) {
  BlockPool pool(4);
  BlockTable table(2);
  EXPECT_EQ(table.blocks_needed(1), 1);
  EXPECT_TRUE(table.append(pool, 1));
  EXPECT_EQ(table.blocks_needed(1), 0);
  EXPECT_TRUE(table.append(pool, 1));
  EXPECT_THAT(blocks_of(table), ElementsAre(0));
  EXPECT_EQ(table.blocks_needed(1), 1);
  EXPECT_EQ(table.blocks_needed(5), 3);
  EXPECT_TRUE(table.append(pool, 5));
  EXPECT_THAT(blocks_of(table), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(table.num_tokens(), 7);
}

TEST(BlockTable, SlotsFollowTheBlocks) {
  BlockPool pool(4);
  BlockTable other(3), table(3);
  ASSERT_TRUE(other.append(pool, 1));
  ASSERT_TRUE(table.append(pool, 2));
  ASSERT_TRUE(other.append(pool, 3));
  ASSERT_TRUE(table.append(pool, 2));
  EXPECT_THAT(blocks_of(table), ElementsAre(1, 3));
  EXPECT_EQ(table.slot(0), 3);
  EXPECT_EQ(table.slot(2), 5);
  EXPECT_EQ(table.slot(3), 9);
}

TEST(BlockTable, FreesLastFirstAndGetsTheSameBlocksBack) {
  BlockPool pool(5);
  BlockTable table(1);
  ASSERT_TRUE(table.append(pool, 3));
  std::vector<std::pair<int32_t, int64_t>> freed;
  table.free(pool, [&](int32_t block, int64_t logical) { freed.emplace_back(block, logical); });
  EXPECT_THAT(freed, ElementsAre(Pair(2, 2), Pair(1, 1), Pair(0, 0)));
  EXPECT_EQ(table.num_tokens(), 0);
  EXPECT_TRUE(table.blocks().empty());
  EXPECT_EQ(pool.num_free(), 5);
  ASSERT_TRUE(table.append(pool, 4));
  EXPECT_THAT(blocks_of(table), ElementsAre(0, 1, 2, 3));
}

TEST(BlockTable, FailedAppendChangesNothing) {
  BlockPool pool(3);
  BlockTable table(2);
  ASSERT_TRUE(table.append(pool, 3));
  bool called = false;
  EXPECT_FALSE(table.append(pool, 4, [&](int32_t, int64_t) { called = true; }));
  EXPECT_FALSE(called);
  EXPECT_EQ(table.num_tokens(), 3);
  EXPECT_EQ(table.blocks().size(), 2u);
  EXPECT_EQ(pool.num_free(), 1);
  EXPECT_TRUE(table.append(pool, 3));
}

TEST(BlockTable, TellsEachBlockAsItIsTaken) {
  BlockPool pool(4);
  BlockTable table(2);
  ASSERT_TRUE(table.append(pool, 2));
  std::vector<std::pair<int32_t, int64_t>> taken;
  std::vector<int64_t> free_then;
  ASSERT_TRUE(table.append(pool, 4, [&](int32_t block, int64_t logical) {
    taken.emplace_back(block, logical);
    free_then.push_back(pool.num_free());
  }));
  EXPECT_THAT(taken, ElementsAre(Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(free_then, ElementsAre(2, 1));
}

TEST(BlockTable, NonsenseIsRefused) {
  BlockPool pool(1);
  EXPECT_THROW(BlockTable{0}, std::logic_error);
  BlockTable table(16);
  EXPECT_THROW(table.append(pool, -1), std::logic_error);
  EXPECT_THROW(table.append(pool, INT64_MAX), std::logic_error);
  EXPECT_TRUE(table.append(pool, 0));
  EXPECT_TRUE(table.blocks().empty());
}

// Several tables on one pool: exact block counts (B3), nothing shared, nothing lost (B1), failures
// without effect (B5), and every slot belongs to one position of one table.
TEST(BlockTableWalk, AgreesWithTokenCounts) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const auto block_size = static_cast<int64_t>(1 + rng.below(5));
    const auto num_blocks = static_cast<int64_t>(1 + rng.below(20));
    BlockPool pool(num_blocks);
    std::vector<BlockTable> tables(1 + rng.below(5), BlockTable(block_size));
    std::vector<int64_t> tokens(tables.size(), 0);
    const auto blocks_for = [&](int64_t count) { return (count + block_size - 1) / block_size; };
    for (int operation = 0; operation < 200; ++operation) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", operation " << operation);
      const size_t i = rng.below(tables.size());
      if (rng.below(5) == 0) {
        tables[i].free(pool);
        tokens[i] = 0;
      } else {
        const auto more = static_cast<int64_t>(rng.below(static_cast<uint64_t>(3 * block_size)));
        const int64_t needed = blocks_for(tokens[i] + more) - blocks_for(tokens[i]);
        ASSERT_EQ(tables[i].blocks_needed(more), needed);
        const bool fits = needed <= pool.num_free();
        const std::vector<int32_t> before = blocks_of(tables[i]);
        const int64_t free_before = pool.num_free();
        ASSERT_EQ(tables[i].append(pool, more), fits);
        if (fits) {
          tokens[i] += more;
          ASSERT_EQ(pool.num_free(), free_before - needed);
        } else {
          ASSERT_EQ(blocks_of(tables[i]), before);
          ASSERT_EQ(pool.num_free(), free_before);
        }
      }
      pool.check_invariants();
      std::set<int64_t> slots;
      int64_t held = 0, stored = 0;
      for (size_t t = 0; t < tables.size(); ++t) {
        ASSERT_EQ(tables[t].num_tokens(), tokens[t]);
        ASSERT_EQ(static_cast<int64_t>(tables[t].blocks().size()), blocks_for(tokens[t]));
        held += blocks_for(tokens[t]);
        stored += tokens[t];
        for (int64_t position = 0; position < tokens[t]; ++position)
          slots.insert(tables[t].slot(position));
      }
      ASSERT_EQ(held, pool.num_used());
      ASSERT_EQ(static_cast<int64_t>(slots.size()), stored);
      if (!slots.empty()) {
        ASSERT_GE(*slots.begin(), 0);
        ASSERT_LT(*slots.rbegin(), num_blocks * block_size);
      }
    }
    for (BlockTable& table : tables) table.free(pool);
    ASSERT_EQ(pool.num_free(), num_blocks);
  }
}

}  // namespace
}  // namespace attn
