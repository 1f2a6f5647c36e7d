// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPool: which physical blocks are free, and how many tables hold each used one. Invariant B1:
// free + used = total after every operation and a block is in the free list at most once. Engine
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn {

class BlockPool {
 public:
  // num_blocks in [1, 2^31 - 1]; throws Error(kBadInput).
  explicit BlockPool(int64_t num_blocks);

  int64_t num_blocks() const { return static_cast<int64_t>(ref_counts_.size()); }
  int64_t num_free() const { return static_cast<int64_t>(free_list_.size()); }
  int64_t num_used() const { return num_blocks() - num_free(); }
  int32_t ref_count(int32_t block) const { return ref_counts_[static_cast<size_t>(block)]; }

  // A block with reference count 1. Throws Error(kFailed) on an empty pool (B2): callers ask
  // num_free() first.
  int32_t allocate();
  void add_ref(int32_t block);
  // Returns true when the count reached 0 and the block went back to the free list. A block that is
  // free or not of this pool is a bug of the caller: std::logic_error (B2), as in add_ref.
  bool release(int32_t block);
  // Throws std::logic_error when an invariant is broken. O(blocks).
  void check_invariants() const;

 private:
  int32_t& used_count(
      int32_t block);  // its reference count; throws when the block is free or out of range

  std::vector<int32_t> ref_counts_;
  std::vector<int32_t> free_list_;  // a stack: the last freed block is the next one handed out
};

}  // namespace attn
