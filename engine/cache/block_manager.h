// SPDX-License-Identifier: GPL-3.0-or-later
// BlockManager: keeps the block table of every sequence over two pools (device: what kernels read;
// swap: host memory). A fork shares the blocks of its parent and, with prefix caching, tables share
// full blocks of equal prefixes; a shared block is copied before it is written. The manager moves
// no data itself: the caller must carry out the returned BlockMoves before the step's kernels run,
// in the order in which the calls returned them, or in another order with the same result.
//
// Tokens are counted as places in the cache: a table of n tokens has ceil(n / block_size) blocks,
// followed by the blocks that append() took as lookahead. OnBlockChange is called for the changes
// of blocks, in order. A call that cannot be carried out changes nothing. Misuse, such as a second
// allocate of a sequence, throws std::logic_error. Engine thread.
//
// The null block: with a sliding window, block 0 of the device pool replaces in a table each block
// that left the window. It is not handed out, and counts as neither free nor used. The swap pool
// has none; for a swapped sequence the first blocks_left_window() entries of its table have no
// meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/block_pool.h"
#include "engine/cache/prefix_index.h"

namespace attn {

struct BlockManagerConfig {
  int64_t block_size = 16;  // tokens per block, 1 to 2^31 - 1
  int64_t num_blocks = 1;  // blocks of the device pool, at least 1, or 2 with a window (null block)
  int64_t num_swap_blocks = 0;  // blocks of the swap pool; 0: nothing can be swapped out
  bool prefix_caching = false;
  // The share of the usable device blocks that must stay available for Room::kOk, [0, 1); rounded
  // down to whole blocks.
  double watermark = 0;
  // Keys that a query sees, including its own, >= 1; absent: all.
  std::optional<int64_t> sliding_window = {};
  PrefixHash prefix_hash = default_prefix_hash;  // another one only in tests
};

// kLater: not now, but possible when others have given their blocks back. kNever: never with this
// cache.
enum class Room { kOk, kLater, kNever };
enum class PoolKind : uint8_t { kDevice, kSwap };

enum class BlockChangeKind : uint8_t {
  kAllocated,   // taken from the free list
  kShared,      // one more table holds it: a fork, or a prefix hit
  kReleased,    // one table fewer holds it; others still do
  kFreed,       // no table holds it: in the free list
  kCached,      // no table holds it, but its content is kept: evictable
  kEvicted,     // was evictable; its content is given up for a new allocation
  kCopied,      // copy-on-write: its content comes from `other`
  kHashed,      // full and found by its prefix from now on
  kWindowLeft,  // no further query of the sequence sees it; the null block replaces it
  kSwappedOut,  // its content goes to `other` of the swap pool
  kSwappedIn,   // its content comes from `other` of the swap pool
};

struct BlockChange {
  BlockChangeKind kind = BlockChangeKind::kAllocated;
  PoolKind pool = PoolKind::kDevice;
  int32_t block = -1;
  int32_t other = -1;  // the other block of a copy or swap
  uint32_t sequence = 0;
  int64_t logical = -1;    // position in its table; -1: none
  int32_t ref_count = 0;   // tables that hold the block afterwards
  int64_t free_after = 0;  // blocks of the pool that can be handed out, afterwards
};
using OnBlockChange = std::function<void(const BlockChange&)>;

// A copy of one block's content to another block: within the device pool (copy-on-write) or between
// the pools.
struct BlockMove {
  int32_t from = -1, to = -1;
  bool operator==(const BlockMove&) const = default;
};

class BlockManager {
 public:
  static constexpr int32_t kNullBlock = 0;  // only with a sliding window

  // Throws Error(kBadInput) when a number is out of range.
  explicit BlockManager(BlockManagerConfig config, OnBlockChange on_change = {});
  // A copy of the state of `other` with another listener.
  BlockManager(const BlockManager& other, OnBlockChange on_change);
  ~BlockManager();

  const BlockManagerConfig& config() const;
  const BlockPool& pool(PoolKind kind) const;
  int64_t num_available(PoolKind kind = PoolKind::kDevice) const;  // free + evictable
  int64_t num_usable(PoolKind kind = PoolKind::kDevice) const;     // all but the null block
  bool knows(uint32_t sequence) const;
  bool is_swapped(uint32_t sequence) const;

  // --- admission ---
  // Whether `tokens` (all known tokens of a sequence) find room now. kOk: the watermark remains
  // available when the new blocks and the evictable prefix hits are taken. kNever: the blocks and
  // the watermark do not fit even in an empty cache.
  Room can_allocate(std::span<const int32_t> tokens, uint64_t extra_key = 0) const;
  // can_allocate() for `tokens` together with allocate_private() of `private_places` places.
  Room can_allocate(std::span<const int32_t> tokens, uint64_t extra_key,
                    int64_t private_places) const;
  // Makes a table for the first `num_tokens` of `tokens`. It begins with the longest chain of
  // cached full blocks that hold the first tokens; at least one of `tokens` is left to be computed.
  // Returns the number of cached tokens, which num_tokens must reach; nullopt when the available
  // blocks do not suffice. extra_key: prefixes with different keys are not shared.
  std::optional<int64_t> allocate(uint32_t sequence, std::span<const int32_t> tokens,
                                  int64_t num_tokens, uint64_t extra_key = 0);
  // Makes a table of `num_tokens` places without a prefix lookup, for content that depends on more
  // than the tokens before it, such as an encoder's keys. mark_computed() must not be called for
  // it. False when the available blocks do not suffice.
  bool allocate_private(uint32_t sequence, int64_t num_tokens);
  // The number of cached tokens that allocate() would find now.
  int64_t cached_prefix(std::span<const int32_t> tokens, uint64_t extra_key = 0) const;

  // --- growth ---
  // The number of blocks that append() would take now, with one for the copy of a shared partial
  // last block.
  int64_t blocks_needed(uint32_t sequence, int64_t more_tokens, int64_t lookahead = 0) const;
  // Makes room for `more_tokens` and for `lookahead` places after them; num_tokens() grows by
  // more_tokens. If either is above 0 and the partial last block is shared, that block is copied
  // first: this is the returned move. nullopt when the available blocks do not suffice.
  std::optional<std::vector<BlockMove>> append(uint32_t sequence, int64_t more_tokens,
                                               int64_t lookahead = 0);
  // Says that K and V of the first `num_computed` of `tokens` are in the cache. With prefix
  // caching, full blocks among them that the table still holds become known by their prefix. If an
  // equal block is known already, that one stays the known one.
  void mark_computed(uint32_t sequence, std::span<const int32_t> tokens, int64_t num_computed);
  // Says that the next query is at `next_position` <= num_tokens(): blocks that no query sees from
  // there on are released, and the null block replaces them. Does nothing without a window.
  void release_window(uint32_t sequence, int64_t next_position);

  // --- sharing and end ---
  // Makes `child` hold the blocks of `parent`, without its lookahead. Neither may write below
  // num_tokens() any more, so fork only when all tokens are computed.
  void fork(uint32_t parent, uint32_t child);
  // Gives the blocks of a sequence back, the last one first. Does nothing for an unknown sequence.
  void free(uint32_t sequence);

  // --- swapping ---
  bool can_swap_out(uint32_t sequence) const;
  // swap_out() moves a sequence from the device to the swap pool, swap_in() moves it back; moves
  // are in table order. The moved sequence has copies of the blocks that it shared. Lookahead is
  // given up, and blocks that left the window are not moved. nullopt when the other pool has too
  // few blocks. Blocks that come back are known by their prefix only after mark_computed().
  std::optional<std::vector<BlockMove>> swap_out(uint32_t sequence);
  // Whether the sequence and a next token find room: as can_allocate(), but without prefix hits.
  Room can_swap_in(uint32_t sequence) const;
  // can_swap_in() for sequences that come back together. Only the first one needs room for a next
  // token.
  Room can_swap_in(std::span<const uint32_t> sequences) const;
  std::optional<std::vector<BlockMove>> swap_in(uint32_t sequence);

  // --- tables ---
  int64_t num_tokens(uint32_t sequence) const;
  // The physical block of each logical one, in the pool that holds the sequence. Valid until the
  // sequence changes.
  std::span<const int32_t> blocks(uint32_t sequence) const;
  // The number of entries at the front of the table that left the window.
  int64_t blocks_left_window(uint32_t sequence) const;
  int64_t slot(uint32_t sequence, int64_t position) const;

  // --- the prefix index ---
  struct PrefixNode {
    uint64_t hash = 0, parent = 0;  // parent 0: the first block of a prompt
    int32_t block = -1;
    int64_t depth = 0;  // blocks before it
    int32_t ref_count = 0;
    std::span<const int32_t> tokens;  // [block_size], valid until the manager changes
  };
  std::vector<PrefixNode> prefix_nodes() const;       // nodes with a block, by depth, then block
  const PrefixIndex& prefix_index() const;            // empty without prefix caching
  PrefixIndex::NodeId known_as(int32_t block) const;  // the node of a device block; kRoot: none
  struct PrefixStats {
    // Totals of all allocate() calls that succeeded with prefix caching on.
    int64_t queried_tokens = 0, hit_tokens = 0;
    int64_t evicted_blocks = 0;  // by calls of any kind
  };
  const PrefixStats& prefix_stats() const;

  // Throws a std::logic_error that names the invariant if one is broken. O(blocks + tables + prefix
  // index).
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn
