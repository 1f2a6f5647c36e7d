// SPDX-License-Identifier: GPL-3.0-or-later
// Breadth-first search of the states that BlockManager can reach in a tiny world. A failing check
// comes with the operations that lead to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/engine/cache/block_manager_world.h"

namespace attn::testing {

struct SearchConfig {
  const char* name = "";  // a name of one word
  WorldConfig world;
  int64_t max_prompt = 5;  // tokens
  std::vector<uint8_t> appends = {0, 1};
  std::vector<uint8_t> lookaheads = {0};
  std::vector<uint8_t> chunks = {0};
  uint8_t num_keys = 1;
};

struct SearchResult {
  int64_t states = 0;
  int64_t operations = 0;
  int64_t depth = 0;
  bool closed = false;  // no state was left to be expanded
  double seconds = 0;   // processor time
  std::string failure;  // the failing check; empty: none
  std::vector<Op> path;
};

// Stops at the first failing check, and after about `most_states` states.
SearchResult search(const SearchConfig& config, int64_t most_states);
std::string to_string(const SearchConfig& config, const SearchResult& result);  // one line of text

// The searches of the tests that are not slow, and of the mutants (tests/mutants).
std::vector<SearchConfig> small_searches();
// The searches of the slow tests (ATTN_SEARCH_SLOW).
std::vector<SearchConfig> full_searches();

}  // namespace attn::testing
