// SPDX-License-Identifier: GPL-3.0-or-later
// BlockManager in every state of tiny worlds. ATTN_SEARCH_SLOW: the full ones.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/engine/cache/block_manager_search.h"

namespace attn::testing {
namespace {

void expect_closed(const SearchConfig& config, int64_t most_states) {
  const SearchResult result = search(config, most_states);
  std::cout << to_string(config, result) << "\n";
  EXPECT_EQ(result.failure, "") << to_string(config.world) << "\n" << to_string(result.path);
  EXPECT_TRUE(result.closed);
}

#ifdef ATTN_SEARCH_SLOW
TEST(BlockManagerSearch, FullWorldsToClosure) {
  for (const SearchConfig& config : full_searches()) expect_closed(config, 200'000'000);
}
#else
TEST(BlockManagerSearch, SmallWorldsToClosure) {
  for (const SearchConfig& config : small_searches()) expect_closed(config, 1'000'000);
}
#endif

}  // namespace
}  // namespace attn::testing
