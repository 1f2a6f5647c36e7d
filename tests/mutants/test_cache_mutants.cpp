// SPDX-License-Identifier: GPL-3.0-or-later
// Switches on every seeded fault of the block manager (engine/cache/fault.h). The random walk and
// the search of tiny worlds must each notice every one; the output says which check failed. Also
// that a failing walk shrinks to the operations that it needs.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "engine/cache/fault.h"
#include "tests/engine/cache/block_manager_search.h"
#include "tests/support/shrink.h"

namespace attn::testing {
namespace {

class Seeded {
 public:
  explicit Seeded(cache_faults::Fault fault) { cache_faults::seeded = fault; }
  ~Seeded() { cache_faults::seeded = cache_faults::kNoFault; }
};

std::vector<Op> random_ops(Rng& rng, const WorldConfig& config, int count) {
  std::vector<Op> ops;
  for (int i = 0; i < count; ++i) ops.push_back(random_op(rng, config));
  return ops;
}

// Which search noticed the fault that is switched on, and by which check; empty: none did.
std::string noticed_by_search() {
  for (const SearchConfig& config : small_searches()) {
    const SearchResult result = search(config, 2'000);
    if (!result.failure.empty())
      return std::string("search (") + config.name + ", " + std::to_string(result.path.size()) +
             " operations): " + result.failure;
  }
  return "";
}

std::string noticed_by_walk() {
  Rng rng(1);
  for (int i = 0; i < 150; ++i) {
    const WorldConfig config = random_config(rng);
    const std::string failure = failure_of(config, random_ops(rng, config, 150));
    if (!failure.empty()) return "walk (" + std::to_string(i) + "): " + failure;
  }
  return "";
}

void expect_every_fault_is_noticed(std::string (*check)()) {
  EXPECT_EQ(check(), "");
  for (const cache_faults::NamedFault& fault : cache_faults::kFaults) {
    const Seeded seeded(fault.fault);
    const std::string noticed = check();
    EXPECT_NE(noticed, "") << fault.name << " lives";
    std::cout << fault.name << ": " << noticed << "\n";
  }
}

TEST(CacheMutants, ThereAreFortyFaultsOrMore) {
  EXPECT_GE(std::size(cache_faults::kFaults), 40u);
}

TEST(CacheMutants, TheWalkNoticesEveryFault) {
  expect_every_fault_is_noticed(noticed_by_walk);
}

TEST(CacheMutants, TheSearchNoticesEveryFault) {
  expect_every_fault_is_noticed(noticed_by_search);
}

TEST(CacheMutants, AFailingWalkShrinksToItsCore) {
  const Seeded seeded(cache_faults::kCopySkipped);
  Rng rng(7);
  const WorldConfig config{.manager = {.block_size = 2, .num_blocks = 12, .num_swap_blocks = 2},
                           .num_sequences = 4,
                           .max_tokens = 20};
  std::vector<Op> ops;
  std::string failure;
  while (failure.empty()) {
    ops = random_ops(rng, config, 300);
    failure = failure_of(config, ops, false);
  }
  const auto fails = [&](const std::vector<Op>& part) {
    return failure_of(config, part, false) == failure;
  };
  const std::vector<Op> fewest = shrink(ops, fails);
  EXPECT_TRUE(fails(fewest));
  // Needed: allocate a prompt that ends inside a block, compute its tokens, fork the sequence, and
  // append one more token.
  EXPECT_GE(fewest.size(), 4u) << to_string(fewest);
  EXPECT_LE(fewest.size(), 6u) << to_string(fewest);
  for (size_t i = 0; i < fewest.size(); ++i) {
    std::vector<Op> fewer = fewest;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(fails(fewer)) << "operation " << i << " is not needed\n" << to_string(fewest);
  }
  std::cout << ops.size() << " operations, shrunk to " << fewest.size() << ":\n"
            << to_string(fewest);
}

}  // namespace
}  // namespace attn::testing
