// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_pool.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "engine/cache/fault.h"
#include "engine/core/error.h"

namespace attn {
namespace {

size_t checked_block_count(int64_t num_blocks, bool has_null_block) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  const int64_t least = has_null_block ? 2 : 1;
  if (num_blocks < least || num_blocks > kMost) {
    throw_bad_input({.what = "number of cache blocks is out of range",
                     .where = "num_blocks",
                     .found = fmt::format("{}", num_blocks),
                     .allowed = fmt::format("{} to {} blocks", least, kMost),
                     .advice = ""});
  }
  return static_cast<size_t>(num_blocks);
}

}  // namespace

BlockPool::BlockPool(int64_t num_blocks, bool has_null_block)
    : blocks_(checked_block_count(num_blocks, has_null_block)), has_null_block_(has_null_block) {
  free_list_.reserve(blocks_.size());
  // Highest first, so that a new pool hands out its lowest block first.
  for (int64_t block = num_blocks - 1; block >= (has_null_block ? 1 : 0); --block) {
    free_list_.push_back(static_cast<int32_t>(block));
  }
}

int32_t BlockPool::allocate() {
  if (free_list_.empty()) {
    throw Error(ErrorCode::kFailed,
                {.what = "no free cache block is left",
                 .where = "block pool",
                 .found = fmt::format("0 of {} blocks free", num_blocks()),
                 .allowed = "at least 1 free block",
                 .advice = "Use more blocks, or run fewer sequences at the same time"});
  }
  const int32_t block = free_list_.back();
  free_list_.pop_back();
  blocks_[static_cast<size_t>(block)].ref_count = 1;
  return block;
}

void BlockPool::add_ref(int32_t block) {
  Block& b = at(block);
  if (b.evictable) {
    if (!ATTN_CACHE_FAULT(kUsedStaysEvictable)) unlink(block);
  } else if (b.ref_count == 0) {
    throw std::logic_error(fmt::format("B2: block {} is free and was shared", block));
  }
  ++b.ref_count;
}

bool BlockPool::release(int32_t block, bool keep_content) {
  Block& b = at(block);
  if (b.ref_count == 0) throw std::logic_error(fmt::format("B2: block {} was freed twice", block));
  if (--b.ref_count > 0) return false;
  if (!keep_content) {
    free_list_.push_back(block);
    return true;
  }
  b.evictable = true;
  b.older = newest_;
  b.newer = -1;
  (newest_ < 0 ? oldest_ : blocks_[static_cast<size_t>(newest_)].newer) = block;
  newest_ = block;
  ++num_evictable_;
  return true;
}

int32_t BlockPool::evict() {
  if (oldest_ < 0) throw std::logic_error("B2: no block is evictable");
  const int32_t block = ATTN_CACHE_FAULT(kEvictsNewest) ? newest_ : oldest_;
  unlink(block);
  free_list_.push_back(block);
  return block;
}

void BlockPool::unlink(int32_t block) {
  Block& b = blocks_[static_cast<size_t>(block)];
  (b.older < 0 ? oldest_ : blocks_[static_cast<size_t>(b.older)].newer) = b.newer;
  (b.newer < 0 ? newest_ : blocks_[static_cast<size_t>(b.newer)].older) = b.older;
  b.older = b.newer = -1;
  b.evictable = false;
  --num_evictable_;
}

BlockPool::Block& BlockPool::at(int32_t block) {
  if (block < (has_null_block_ ? 1 : 0) || block >= num_blocks()) {
    throw std::logic_error(fmt::format("B2: block {} is not one of the blocks {} to {}", block,
                                       has_null_block_ ? 1 : 0, num_blocks() - 1));
  }
  return blocks_[static_cast<size_t>(block)];
}

void BlockPool::check_invariants() const {
  const auto broken = [](const char* rule, int32_t block, const char* what) {
    throw std::logic_error(fmt::format("{}: block {} {}", rule, block, what));
  };
  std::vector<bool> listed(blocks_.size(), false);
  const auto list_once = [&](int32_t block, const char* list) {
    if (block < 0 || block >= num_blocks()) broken("B1", block, "is in a list and does not exist");
    if (listed[static_cast<size_t>(block)]) broken("B1", block, list);
    listed[static_cast<size_t>(block)] = true;
  };
  for (const int32_t block : free_list_) {
    list_once(block, "is twice in the free list");
    if (is_evictable(block)) broken("B1", block, "is free and evictable");
  }
  int64_t evictable = 0;
  for (int32_t block = oldest_, older = -1; block >= 0; block = blocks_[size_t(block)].newer) {
    list_once(block, "is in two lists, or twice in the evictable one");
    if (!is_evictable(block)) broken("B1", block, "is in the evictable list by mistake");
    if (blocks_[size_t(block)].older != older)
      broken("B1", block, "is linked to another block than the one before it");
    older = block;
    ++evictable;
  }
  if (evictable != num_evictable_)
    broken("B1", oldest_, "begins an evictable list of the wrong length");
  for (int32_t block = 0; block < num_blocks(); ++block) {
    const int32_t count = ref_count(block);
    const bool is_null = has_null_block_ && block == 0;
    if (is_null && (count != 0 || listed[0]))
      broken("B2", block, "is the null block, but has holders or is in a list");
    if (!is_null && (count < 0 || listed[static_cast<size_t>(block)] != (count == 0))) {
      throw std::logic_error(
          fmt::format("B8: block {} has reference count {} and is {}in the free or evictable list",
                      block, count, listed[static_cast<size_t>(block)] ? "" : "not "));
    }
  }
}

}  // namespace attn
