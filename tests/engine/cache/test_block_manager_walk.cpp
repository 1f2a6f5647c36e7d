// SPDX-License-Identifier: GPL-3.0-or-later
// That BlockManager agrees with its model on random walks through worlds of random sizes. A failing
// walk is shrunk and printed as operations that can be pasted into a test. ATTN_WALK_SLOW: a
// million operations per seed.
#include <gtest/gtest.h>

#include "tests/engine/cache/block_manager_world.h"
#include "tests/support/shrink.h"

namespace attn::testing {
namespace {

#ifdef ATTN_WALK_SLOW
constexpr uint64_t kSeeds = 4;
constexpr int kWorlds = 2'000, kOperations = 500;
#else
constexpr uint64_t kSeeds = 2;
constexpr int kWorlds = 60, kOperations = 150;
#endif

class BlockManagerWalk : public ::testing::TestWithParam<uint64_t> {};

TEST_P(BlockManagerWalk, AgreesWithTheModel) {
  Rng rng(GetParam());
  for (int i = 0; i < kWorlds; ++i) {
    const WorldConfig config = random_config(rng);
    std::vector<Op> ops;
    for (int k = 0; k < kOperations; ++k) ops.push_back(random_op(rng, config));
    const std::string failure = failure_of(config, ops);
    if (failure.empty()) continue;
    const std::vector<Op> fewest =
        shrink(ops, [&](const std::vector<Op>& part) { return !failure_of(config, part).empty(); });
    FAIL() << "world " << i << ": " << failure << "\n"
           << to_string(config) << "\n"
           << to_string(fewest) << failure_of(config, fewest);
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, BlockManagerWalk, ::testing::Range<uint64_t>(0, kSeeds));

}  // namespace
}  // namespace attn::testing
