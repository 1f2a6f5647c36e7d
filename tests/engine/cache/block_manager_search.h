// SPDX-License-Identifier: GPL-3.0-or-later
// Every state that BlockManager can reach in a tiny world, by breadth-first search over all
// operations until no new state appears. A failing check comes with a shortest way to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/engine/cache/block_manager_world.h"

namespace attn::testing {

struct SearchConfig {
  const char* name = "";  // one word  // one word
  WorldConfig world;
  int64_t max_prompt = 5;                 // tokens
  std::vector<uint8_t> appends = {0, 1};  // tokens at a time
  std::vector<uint8_t> lookaheads = {0};
  std::vector<uint8_t> chunks = {0};  // see Op
  uint8_t num_keys = 1;
};

struct SearchResult {
  int64_t states = 0;
  int64_t operations = 0;  // carried out or refused, of all states
  int64_t depth = 0;       // of the last new state
  bool closed = false;     // no state was left out
  double seconds = 0;      // of the processor
  std::string failure;     // the check; empty: none
  std::vector<Op> path;    // to the failure
};

// At most `most_states` states; fails at once where a check does.
SearchResult search(const SearchConfig& config, int64_t most_states);
std::string to_string(const SearchConfig& config, const SearchResult& result);  // one line

// Small enough for every commit (about a second each); each feature is in one of them.
std::vector<SearchConfig> small_searches();
// 4 device and 2 swap blocks, 3 requests: minutes.
std::vector<SearchConfig> full_searches();

}  // namespace attn::testing
