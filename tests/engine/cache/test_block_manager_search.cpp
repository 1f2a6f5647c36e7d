// SPDX-License-Identifier: GPL-3.0-or-later
// That BlockManager agrees with its model in every state that can be reached in tiny worlds
// (block_manager_search.h). ATTN_SEARCH_SLOW selects the full searches.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "tests/engine/cache/block_manager_search.h"

namespace attn::testing {

static void PrintTo(const SearchConfig& config, std::ostream* out) {
  *out << config.name;
}

namespace {

class BlockManagerSearch : public ::testing::TestWithParam<SearchConfig> {};

TEST_P(BlockManagerSearch, EveryStateHolds) {
  const SearchConfig& config = GetParam();
  const SearchResult result = search(config, 100'000'000);
  std::cout << to_string(config, result) << "\n";
  EXPECT_EQ(result.failure, "") << to_string(config.world) << "\n" << to_string(result.path);
  EXPECT_TRUE(result.closed);
  EXPECT_GT(result.states, 1000);
}

#ifdef ATTN_SEARCH_SLOW
constexpr auto* kSearches = full_searches;
#else
constexpr auto* kSearches = small_searches;
#endif
std::string name_of(const ::testing::TestParamInfo<SearchConfig>& world) {
  return world.param.name;
}
INSTANTIATE_TEST_SUITE_P(Worlds, BlockManagerSearch, ::testing::ValuesIn(kSearches()), name_of);

}  // namespace
}  // namespace attn::testing
