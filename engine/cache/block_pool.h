// SPDX-License-Identifier: GPL-3.0-or-later
// BlockPool: knows which physical blocks are free, and how many tables hold each used one. An
// evictable block is held by no table, but its content is kept: add_ref() brings it back to use,
// and evict() takes the one that was released longest ago. Engine thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace attn {

class BlockPool {
 public:
  // A pool without blocks.
  BlockPool() = default;
  // num_blocks in [1, 2^31 - 1], at least 2 with a null block (block 0, which is never handed out);
  // throws Error(kBadInput).
  explicit BlockPool(int64_t num_blocks, bool has_null_block = false);

  int64_t num_blocks() const { return static_cast<int64_t>(blocks_.size()); }
  int64_t num_usable() const { return num_blocks() - (has_null_block_ ? 1 : 0); }
  int64_t num_free() const { return static_cast<int64_t>(free_list_.size()); }
  int64_t num_evictable() const { return num_evictable_; }
  int64_t num_available() const { return num_free() + num_evictable(); }
  int64_t num_used() const { return num_usable() - num_available(); }
  bool has_null_block() const { return has_null_block_; }
  int32_t ref_count(int32_t block) const { return blocks_[static_cast<size_t>(block)].ref_count; }
  bool is_evictable(int32_t block) const { return blocks_[static_cast<size_t>(block)].evictable; }
  // The block that evict() would take next; -1: none is evictable.
  int32_t oldest_evictable() const { return oldest_; }

  // Hands out a free block, with reference count 1. Throws Error(kFailed) when none is free.
  int32_t allocate();
  // Counts one more table that holds the block. Throws std::logic_error unless a table already
  // holds it or it is evictable.
  void add_ref(int32_t block);
  // Counts one table fewer. Returns true if the count reached 0: the block then went to the free
  // list or, with `keep_content`, to the end of the evictable list. Throws std::logic_error if no
  // table holds the block.
  bool release(int32_t block, bool keep_content = false);
  // Moves the oldest evictable block to the free list, where it is the next one handed out, and
  // returns it. Throws std::logic_error when there is none.
  int32_t evict();
  // Throws std::logic_error when an invariant is broken. O(blocks).
  void check_invariants() const;

 private:
  struct Block {
    int32_t ref_count = 0;
    bool evictable = false;
    int32_t older = -1, newer = -1;  // neighbours in the evictable list
  };
  Block& at(int32_t block);  // throws when it is out of range or the null block
  void unlink(int32_t block);

  std::vector<Block> blocks_;
  std::vector<int32_t> free_list_;  // a stack: the last freed block is the next one handed out
  int32_t oldest_ = -1, newest_ = -1;
  int64_t num_evictable_ = 0;
  bool has_null_block_ = false;
};

}  // namespace attn
