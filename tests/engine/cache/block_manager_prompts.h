// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of BlockManager: token lists, the blocks of a sequence, functions that admit or compute
// a prompt, and a config.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/cache/block_manager.h"

namespace attn::testing {

// The tokens first, first + 1, ...
inline std::vector<int32_t> tokens(int64_t count, int32_t first = 100) {
  std::vector<int32_t> ids(static_cast<size_t>(count));
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = first + static_cast<int32_t>(i);
  return ids;
}

inline std::vector<int32_t> joined(std::vector<int32_t> a, const std::vector<int32_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline std::vector<int32_t> blocks_of(const BlockManager& manager, uint32_t sequence) {
  const auto blocks = manager.blocks(sequence);
  return {blocks.begin(), blocks.end()};
}

inline int64_t admit(BlockManager& manager, uint32_t sequence, const std::vector<int32_t>& ids,
                     uint64_t key = 0) {
  const auto count = static_cast<int64_t>(ids.size());
  const std::optional<int64_t> cached = manager.allocate(sequence, ids, count, key);
  EXPECT_TRUE(cached.has_value());
  return cached.value_or(-1);
}

inline int64_t compute(BlockManager& manager, uint32_t sequence, const std::vector<int32_t>& ids,
                       uint64_t key = 0) {
  const int64_t cached = admit(manager, sequence, ids, key);
  manager.mark_computed(sequence, ids, static_cast<int64_t>(ids.size()));
  manager.check_invariants();
  return cached;
}

inline BlockManagerConfig cached_config(int64_t num_blocks) {
  return {.block_size = 2, .num_blocks = num_blocks, .prefix_caching = true};
}

}  // namespace attn::testing
