// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "engine/core/error.h"

namespace attn {
namespace {

size_t checked_block_count(int64_t num_blocks) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (num_blocks < 1 || num_blocks > kMost) {
    throw_bad_input({.what = "number of cache blocks is out of range",
                     .where = "num_blocks",
                     .found = fmt::format("{}", num_blocks),
                     .allowed = fmt::format("1 to {} blocks", kMost),
                     .advice = ""});
  }
  return static_cast<size_t>(num_blocks);
}

}  // namespace

BlockPool::BlockPool(int64_t num_blocks) : ref_counts_(checked_block_count(num_blocks), 0) {
  free_list_.reserve(ref_counts_.size());
  // Highest first, so that a new pool hands out 0, 1, 2, ...
  for (int64_t block = num_blocks - 1; block >= 0; --block) {
    free_list_.push_back(static_cast<int32_t>(block));
  }
}

int32_t BlockPool::allocate() {
  if (free_list_.empty()) {
    throw Error(ErrorCode::kFailed, {.what = "no free cache block is left",
                                     .where = "block pool",
                                     .found = fmt::format("0 of {} blocks free", num_blocks()),
                                     .allowed = "at least 1 free block",
                                     .advice = "Use more blocks or fewer sequences at a time"});
  }
  const int32_t block = free_list_.back();
  free_list_.pop_back();
  ref_counts_[static_cast<size_t>(block)] = 1;
  return block;
}

void BlockPool::add_ref(int32_t block) {
  ++used_count(block);
}

bool BlockPool::release(int32_t block) {
  int32_t& count = used_count(block);
  if (--count > 0) return false;
  free_list_.push_back(
      block);  // never grows past the reserved size: each block is in it at most once
  return true;
}

int32_t& BlockPool::used_count(int32_t block) {
  if (block < 0 || block >= num_blocks()) {
    throw std::logic_error(fmt::format("block {} is not one of {} blocks", block, num_blocks()));
  }
  int32_t& count = ref_counts_[static_cast<size_t>(block)];
  if (count == 0) throw std::logic_error(fmt::format("block {} is free and was used", block));
  return count;
}

void BlockPool::check_invariants() const {
  std::vector<bool> is_free(ref_counts_.size(), false);
  for (const int32_t block : free_list_) {
    if (block < 0 || block >= num_blocks()) {
      throw std::logic_error(fmt::format("B1: free list holds block {}", block));
    }
    if (is_free[static_cast<size_t>(block)]) {
      throw std::logic_error(fmt::format("B1: block {} is twice in the free list", block));
    }
    is_free[static_cast<size_t>(block)] = true;
  }
  for (size_t block = 0; block < ref_counts_.size(); ++block) {
    const int32_t count = ref_counts_[block];
    if (count < 0 || is_free[block] != (count == 0)) {
      throw std::logic_error(
          fmt::format("B8: block {} has reference count {} and is {}in the free list", block, count,
                      is_free[block] ? "" : "not "));
    }
  }
}

}  // namespace attn
