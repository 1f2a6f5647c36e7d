// SPDX-License-Identifier: GPL-3.0-or-later
// BlockTable: one sequence's map from logical to physical blocks. Appending k tokens takes exactly
// ceil((n+k)/bs) - ceil(n/bs) blocks (B3); freeing goes in reverse order, so what the pool hands
// out next comes in the order it had here. Engine thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/cache/block_pool.h"

namespace attn {

class BlockTable {
 public:
  // Called after each allocation and free: (physical block, logical block).
  using OnBlock = std::function<void(int32_t block, int64_t logical)>;

  explicit BlockTable(int64_t block_size);  // tokens per block, at least 1

  int64_t block_size() const { return block_size_; }
  int64_t num_tokens() const { return num_tokens_; }
  std::span<const int32_t> blocks() const { return blocks_; }
  // Blocks that append(more_tokens) would take.
  int64_t blocks_needed(int64_t more_tokens) const;
  // Makes room for `more_tokens`. False, and nothing changed, when the pool has too few blocks
  // (B5).
  bool append(BlockPool& pool, int64_t more_tokens, const OnBlock& on_allocate = {});
  // Gives every block back, last first.
  void free(BlockPool& pool, const OnBlock& on_free = {});
  // Where the K and V of a position are stored; position in [0, num_tokens()).
  int64_t slot(int64_t position) const {
    return int64_t{blocks_[static_cast<size_t>(position / block_size_)]} * block_size_ +
           position % block_size_;
  }

 private:
  int64_t block_size_;
  int64_t num_tokens_ = 0;
  std::vector<int32_t> blocks_;
};

}  // namespace attn
