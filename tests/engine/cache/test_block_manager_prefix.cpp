// SPDX-License-Identifier: GPL-3.0-or-later
// BlockManager: which blocks are known by their prefix, hit and evicted (rules B9 to B13, listed in
// test_block_manager.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/cache/block_manager.h"
#include "tests/engine/cache/block_manager_prompts.h"

namespace attn::testing {
namespace {

using ::testing::ElementsAre;

TEST(BlockManagerPrefix, B9OnlyFullComputedBlocksAreKnownByTheirChain) {
  BlockManager manager(cached_config(8));
  const std::vector<int32_t> ids = tokens(7);
  admit(manager, 1, ids);
  EXPECT_TRUE(manager.prefix_nodes().empty());
  manager.mark_computed(1, ids, 1);
  EXPECT_TRUE(manager.prefix_nodes().empty());
  manager.mark_computed(1, ids, 5);
  const std::vector<BlockManager::PrefixNode> nodes = manager.prefix_nodes();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].parent, 0u);
  EXPECT_EQ(nodes[1].parent, nodes[0].hash);
  EXPECT_EQ(nodes[0].hash, default_prefix_hash(0, tokens(2), 0));
  EXPECT_EQ(nodes[1].hash, default_prefix_hash(nodes[0].hash, tokens(2, 102), 0));
  EXPECT_EQ(nodes[1].block, 1);
  EXPECT_EQ(nodes[1].depth, 1);
  EXPECT_EQ(nodes[1].ref_count, 1);
  EXPECT_THAT(nodes[1].tokens, ElementsAre(102, 103));
  manager.mark_computed(1, ids, 7);
  EXPECT_EQ(manager.prefix_nodes().size(), 3u);
  manager.fork(1, 2);
  ASSERT_TRUE(manager.append(2, 1));
  manager.mark_computed(2, joined(ids, {1}), 8);
  EXPECT_EQ(manager.prefix_nodes().size(), 4u);
  manager.check_invariants();
}

TEST(BlockManagerPrefix, B9TheFirstOfEqualBlocksStaysTheKnownOne) {
  BlockManager manager(cached_config(8));
  admit(manager, 1, tokens(4));
  admit(manager, 2, tokens(4));  // nothing is known yet
  manager.mark_computed(2, tokens(4), 4);
  manager.mark_computed(1, tokens(4), 4);
  EXPECT_THAT(blocks_of(manager, 2), ElementsAre(2, 3));
  EXPECT_EQ(compute(manager, 3, tokens(5)), 4);
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(2, 3, 4));
  manager.free(1);
  EXPECT_EQ(manager.pool(PoolKind::kDevice).num_evictable(), 0);
}

TEST(BlockManagerPrefix, B10HitsAreTheLongestChainButNeverThePrompt) {
  BlockManager manager(cached_config(16));
  compute(manager, 1, tokens(8));
  EXPECT_EQ(manager.cached_prefix(tokens(1)), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(2)), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(3)), 2);
  EXPECT_EQ(manager.cached_prefix(tokens(8)), 6);
  EXPECT_EQ(manager.cached_prefix(tokens(9)), 8);
  EXPECT_EQ(manager.cached_prefix(tokens(20)), 8);
  EXPECT_EQ(manager.cached_prefix(joined(tokens(4), tokens(9, 500))), 4);
  EXPECT_EQ(manager.cached_prefix(joined({1, 1}, tokens(9, 102))), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(20), 5), 0);  // another extra key
  EXPECT_EQ(manager.prefix_stats().hit_tokens, 0);     // cached_prefix() counts no hits
  EXPECT_EQ(compute(manager, 2, tokens(9)), 8);
  EXPECT_EQ(compute(manager, 3, tokens(9), 5), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(20), 5), 8);
  EXPECT_EQ(manager.prefix_stats().queried_tokens, 8 + 9 + 9);
  EXPECT_EQ(manager.prefix_stats().hit_tokens, 8);
}

TEST(BlockManagerPrefix, B11TheOldestGoesFirstAndOfASequenceTheDeepest) {
  BlockManager manager(cached_config(6));
  compute(manager, 1, tokens(4));
  compute(manager, 2, tokens(4, 500));
  manager.free(2);
  manager.free(1);
  EXPECT_EQ(manager.pool(PoolKind::kDevice).num_evictable(), 4);
  admit(manager, 3, tokens(4, 900));
  EXPECT_EQ(manager.prefix_stats().evicted_blocks, 0);
  ASSERT_TRUE(manager.append(3, 2));
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(4, 5, 3));
  EXPECT_EQ(manager.cached_prefix(tokens(5, 500)), 2);
  ASSERT_TRUE(manager.append(3, 4));
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(4, 5, 3, 2, 1));
  EXPECT_EQ(manager.cached_prefix(tokens(5, 500)), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(5)), 2);
  EXPECT_EQ(manager.prefix_stats().evicted_blocks, 3);
  manager.check_invariants();
}

TEST(BlockManagerPrefix, B11UseMakesABlockYoungAgain) {
  BlockManager manager(cached_config(3));
  compute(manager, 1, tokens(2));
  compute(manager, 2, tokens(2, 500));
  manager.free(1);
  manager.free(2);
  EXPECT_EQ(compute(manager, 3, tokens(3)), 2);
  manager.free(3);
  admit(manager, 4, tokens(4, 900));
  EXPECT_EQ(manager.cached_prefix(tokens(3)), 2);
  EXPECT_EQ(manager.cached_prefix(tokens(3, 500)), 0);
}

TEST(BlockManagerPrefix, B11ARequestNeverEvictsItsOwnPrefix) {
  BlockManager manager(cached_config(4));
  compute(manager, 1, tokens(4));
  manager.free(1);
  compute(manager, 2, tokens(4, 500));
  manager.free(2);
  EXPECT_EQ(compute(manager, 3, tokens(8)), 4);
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(0, 1, 3, 2));
  EXPECT_EQ(manager.cached_prefix(tokens(5, 500)), 0);
}

TEST(BlockManagerPrefix, B11AnEvictedParentHidesItsChildrenUntilItIsComputedAgain) {
  BlockManager manager(cached_config(5));
  admit(manager, 1, tokens(2));
  admit(manager, 2, tokens(4));
  manager.mark_computed(1, tokens(2), 2);
  manager.mark_computed(2, tokens(4), 4);
  manager.free(1);
  admit(manager, 3, tokens(5, 900));
  EXPECT_EQ(manager.prefix_stats().evicted_blocks, 1);
  EXPECT_EQ(manager.cached_prefix(tokens(5)), 0);
  manager.free(3);
  manager.check_invariants();
  compute(manager, 4, tokens(2));
  EXPECT_EQ(manager.cached_prefix(tokens(5)), 4);
}

TEST(BlockManagerPrefix, B12WithoutCachingNothingIsShared) {
  BlockManager manager({.block_size = 2, .num_blocks = 8});
  compute(manager, 1, tokens(4));
  EXPECT_EQ(compute(manager, 2, tokens(5)), 0);
  EXPECT_TRUE(manager.prefix_nodes().empty());
  manager.free(1);
  EXPECT_EQ(manager.pool(PoolKind::kDevice).num_evictable(), 0);
  EXPECT_EQ(manager.prefix_stats().queried_tokens, 0);
}

TEST(BlockManagerPrefix, B13ACollisionIsNeverShared) {
  BlockManagerConfig config = cached_config(16);
  config.prefix_hash = [](uint64_t, std::span<const int32_t>, uint64_t) -> uint64_t { return 7; };
  BlockManager manager(config);
  compute(manager, 1, tokens(4));
  compute(manager, 2, joined({1, 1}, tokens(2, 102)));
  EXPECT_EQ(manager.prefix_nodes().size(), 4u);
  EXPECT_EQ(manager.cached_prefix(tokens(5)), 4);
  EXPECT_EQ(manager.cached_prefix(joined({1, 1}, tokens(3, 102))), 4);
  EXPECT_EQ(manager.cached_prefix(joined({1, 2}, tokens(3, 102))), 0);
  EXPECT_EQ(manager.cached_prefix(tokens(5), 1), 0);
  EXPECT_EQ(compute(manager, 3, joined({1, 1}, tokens(3, 102))), 4);
  EXPECT_THAT(blocks_of(manager, 3), ElementsAre(2, 3, 4));
  for (const uint32_t id : {2u, 1u, 3u}) manager.free(id);
  manager.check_invariants();
  admit(manager, 4, tokens(31, 900));  // evicts all known blocks
  EXPECT_TRUE(manager.prefix_nodes().empty());
  manager.check_invariants();
}

}  // namespace
}  // namespace attn::testing
