// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_table.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace attn {

BlockTable::BlockTable(int64_t block_size) : block_size_(block_size) {
  if (block_size < 1) throw std::logic_error(fmt::format("block size {} is below 1", block_size));
}

int64_t BlockTable::blocks_needed(int64_t more_tokens) const {
  if (more_tokens < 0 ||
      more_tokens > std::numeric_limits<int64_t>::max() - num_tokens_ - block_size_) {
    throw std::logic_error(fmt::format("{} tokens cannot be appended", more_tokens));
  }
  const int64_t blocks = (num_tokens_ + more_tokens + block_size_ - 1) / block_size_;
  return blocks - static_cast<int64_t>(blocks_.size());
}

bool BlockTable::append(BlockPool& pool, int64_t more_tokens, const OnBlock& on_allocate) {
  const int64_t needed = blocks_needed(more_tokens);
  if (needed > pool.num_free()) return false;
  blocks_.reserve(blocks_.size() + static_cast<size_t>(needed));
  for (int64_t i = 0; i < needed; ++i) {
    blocks_.push_back(pool.allocate());
    if (on_allocate) on_allocate(blocks_.back(), static_cast<int64_t>(blocks_.size()) - 1);
  }
  num_tokens_ += more_tokens;
  return true;
}

void BlockTable::free(BlockPool& pool, const OnBlock& on_free) {
  num_tokens_ = 0;
  while (!blocks_.empty()) {
    const int32_t block = blocks_.back();
    blocks_.pop_back();
    pool.release(block);
    if (on_free) on_free(block, static_cast<int64_t>(blocks_.size()));
  }
}

}  // namespace attn
