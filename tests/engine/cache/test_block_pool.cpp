// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

TEST(BlockPool, HandsOutBlocksFromTheStart) {
  BlockPool pool(3);
  EXPECT_EQ(pool.num_blocks(), 3);
  EXPECT_EQ(pool.num_free(), 3);
  EXPECT_EQ(pool.allocate(), 0);
  EXPECT_EQ(pool.allocate(), 1);
  EXPECT_EQ(pool.num_used(), 2);
  EXPECT_EQ(pool.ref_count(0), 1);
  EXPECT_EQ(pool.ref_count(2), 0);
  pool.check_invariants();
}

TEST(BlockPool, LastFreedIsNextHandedOut) {
  BlockPool pool(4);
  for (int i = 0; i < 4; ++i) pool.allocate();
  EXPECT_TRUE(pool.release(2));
  EXPECT_TRUE(pool.release(0));
  EXPECT_EQ(pool.allocate(), 0);
  EXPECT_EQ(pool.allocate(), 2);
}

TEST(BlockPool, SharedBlockIsFreeOnlyAfterTheLastRelease) {
  BlockPool pool(2);
  const int32_t block = pool.allocate();
  pool.add_ref(block);
  pool.add_ref(block);
  EXPECT_EQ(pool.ref_count(block), 3);
  EXPECT_FALSE(pool.release(block));
  EXPECT_FALSE(pool.release(block));
  EXPECT_EQ(pool.num_free(), 1);
  EXPECT_TRUE(pool.release(block));
  EXPECT_EQ(pool.num_free(), 2);
  pool.check_invariants();
}

TEST(BlockPool, EmptyPoolIsAnErrorWithItsNumbers) {
  BlockPool pool(2);
  pool.allocate();
  pool.allocate();
  try {
    pool.allocate();
    FAIL() << "an empty pool handed out a block";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailed);
    EXPECT_EQ(error.parts().found, "0 of 2 blocks free");
  }
  EXPECT_EQ(pool.num_free(), 0);
  pool.check_invariants();
}

TEST(BlockPool, DoubleFreeAndForeignBlocksThrowAndChangeNothing) {
  BlockPool pool(2);
  const int32_t block = pool.allocate();
  pool.release(block);
  EXPECT_THROW(pool.release(block), std::logic_error);
  EXPECT_THROW(pool.add_ref(block), std::logic_error);
  EXPECT_THROW(pool.release(-1), std::logic_error);
  EXPECT_THROW(pool.release(2), std::logic_error);
  EXPECT_THROW(pool.add_ref(2), std::logic_error);
  EXPECT_EQ(pool.num_free(), 2);
  pool.check_invariants();
}

TEST(BlockPool, SizeIsChecked) {
  for (const int64_t blocks : {int64_t{0}, int64_t{-1}, int64_t{1} << 31, INT64_MAX, INT64_MIN}) {
    EXPECT_THROW(BlockPool{blocks}, Error) << blocks;
  }
}

TEST(BlockPool, EvictableBlocksComeBackOrGoOldestFirst) {
  BlockPool pool(4);
  for (int i = 0; i < 4; ++i) pool.allocate();
  EXPECT_EQ(pool.oldest_evictable(), -1);
  for (const int32_t block : {2, 0, 3, 1}) EXPECT_TRUE(pool.release(block, true));
  EXPECT_EQ(pool.num_free(), 0);
  EXPECT_EQ(pool.num_evictable(), 4);
  EXPECT_EQ(pool.num_available(), 4);
  EXPECT_EQ(pool.num_used(), 0);
  EXPECT_THROW(pool.allocate(), Error);  // allocate() does not evict
  pool.add_ref(0);
  EXPECT_FALSE(pool.is_evictable(0));
  EXPECT_EQ(pool.ref_count(0), 1);
  pool.check_invariants();
  EXPECT_EQ(pool.evict(), 2);
  EXPECT_EQ(pool.allocate(), 2);
  EXPECT_TRUE(pool.release(0, true));
  EXPECT_EQ(pool.evict(), 3);
  EXPECT_EQ(pool.evict(), 1);
  EXPECT_EQ(pool.evict(), 0);
  EXPECT_THROW(pool.evict(), std::logic_error);
  EXPECT_EQ(pool.allocate(), 0);
  EXPECT_THROW(pool.add_ref(1), std::logic_error);
  pool.check_invariants();
}

TEST(BlockPool, ASharedBlockIsKeptByItsLastRelease) {
  BlockPool pool(1);
  pool.allocate();
  pool.add_ref(0);
  EXPECT_FALSE(pool.release(0, true));
  EXPECT_EQ(pool.num_evictable(), 0);
  EXPECT_TRUE(pool.release(0, true));
  EXPECT_EQ(pool.num_evictable(), 1);
  EXPECT_THROW(pool.release(0, true), std::logic_error);
}

TEST(BlockPool, TheNullBlockIsNobodys) {
  BlockPool pool(3, true);
  EXPECT_EQ(pool.num_blocks(), 3);
  EXPECT_EQ(pool.num_usable(), 2);
  EXPECT_EQ(pool.num_free(), 2);
  EXPECT_EQ(pool.allocate(), 1);
  EXPECT_EQ(pool.allocate(), 2);
  EXPECT_EQ(pool.num_used(), 2);
  EXPECT_THROW(pool.allocate(), Error);
  EXPECT_THROW(pool.add_ref(0), std::logic_error);
  EXPECT_THROW(pool.release(0), std::logic_error);
  pool.check_invariants();
  EXPECT_THROW(BlockPool(1, true), Error);
}

TEST(BlockPool, APoolMayBeWithoutBlocks) {
  BlockPool pool;
  EXPECT_EQ(pool.num_blocks(), 0);
  EXPECT_EQ(pool.num_available(), 0);
  EXPECT_THROW(pool.allocate(), Error);
  pool.check_invariants();
}

TEST(BlockPoolWalk, AgreesWithASimpleModel) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const auto num_blocks = static_cast<int64_t>(1 + rng.below(12));
    BlockPool pool(num_blocks);
    std::map<int32_t, int32_t> used;
    std::vector<int32_t> freed;
    for (int operation = 0; operation < 300; ++operation) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", operation " << operation);
      const auto block = static_cast<int32_t>(rng.below(static_cast<uint64_t>(num_blocks)));
      switch (rng.below(4)) {
        case 0:
        case 1: {
          if (static_cast<int64_t>(used.size()) == num_blocks) {
            EXPECT_THROW(pool.allocate(), Error);
            break;
          }
          const int32_t taken = pool.allocate();
          ASSERT_FALSE(used.contains(taken));
          if (!freed.empty()) {
            ASSERT_EQ(taken, freed.back());
            freed.pop_back();
          }
          used[taken] = 1;
          break;
        }
        case 2:
          if (used.contains(block)) {
            pool.add_ref(block);
            ++used[block];
          } else {
            EXPECT_THROW(pool.add_ref(block), std::logic_error);
          }
          break;
        default:
          if (!used.contains(block)) {
            EXPECT_THROW(pool.release(block), std::logic_error);
          } else if (--used[block] == 0) {
            EXPECT_TRUE(pool.release(block));
            used.erase(block);
            freed.push_back(block);
          } else {
            EXPECT_FALSE(pool.release(block));
          }
      }
      ASSERT_EQ(pool.num_used(), static_cast<int64_t>(used.size()));
      ASSERT_EQ(pool.num_free() + pool.num_used(), num_blocks);
      for (int32_t id = 0; id < num_blocks; ++id) {
        ASSERT_EQ(pool.ref_count(id), used.contains(id) ? used[id] : 0);
      }
      pool.check_invariants();
    }
  }
}

}  // namespace
}  // namespace attn
