// SPDX-License-Identifier: GPL-3.0-or-later
// BlockManager: whose K and V are in which block. It holds the block table of every sequence over
// two pools (device: what kernels read; swap: host memory), shares full blocks with equal prefixes,
// copies a shared block before it is written, and says which copies the engine has to make. It
// moves no data itself: what it returns as BlockMove must be done before the step's kernels run, in
// the order in which the calls returned it (a block may be the source of one move and the target of
// a later one).
//
// A sequence is named by its request's id. Tokens are counted as places in the cache: a table of n
// tokens has ceil(n / block_size) blocks, and behind them what append() took as lookahead.
// Everything that changes a block is told to OnBlockChange, in order. A call that cannot be carried
// out changes nothing (B5). Misuse (an unknown sequence, a second allocate, a swapped sequence
// where one on the device is meant) is a bug of the caller: std::logic_error. Engine thread.
//
// The null block: with a sliding window, block 0 of the device pool stands in tables where a block
// left the window, so that a kernel finds a valid index everywhere. It is never handed out, never
// freed, counted neither free nor used, and what it holds is never read. Without a window there is
// none and block 0 is one like the others. The swap pool has none: there blocks_left_window() says
// how many of a table's first entries mean nothing.
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
  int64_t block_size = 16;      // tokens per block, 1 to 2^31 - 1
  int64_t num_blocks = 1;       // of the device pool, at least 1; 2 with a window (the null block)
  int64_t num_swap_blocks = 0;  // of the swap pool; 0: nothing can be swapped out
  bool prefix_caching = false;
  // Share of the usable device blocks that an admission leaves available, [0, 1); rounded down to
  // blocks.
  double watermark = 0;
  std::optional<int64_t> sliding_window =
      {};  // keys a query sees, itself among them, >= 1; absent: all
  PrefixHash prefix_hash = default_prefix_hash;  // another one only in tests
};

// kLater: not now, but when others have given their blocks back. kNever: not with this cache.
enum class Room { kOk, kLater, kNever };
enum class PoolKind : uint8_t { kDevice, kSwap };

enum class BlockChangeKind : uint8_t {
  kAllocated,   // taken from the free list
  kShared,      // one more table holds it: a fork, or a prefix hit
  kReleased,    // one table fewer holds it; others still do
  kFreed,       // no table holds it: in the free list
  kCached,      // no table holds it, its content stays: evictable
  kEvicted,     // was evictable and lost its content to whoever allocates it next
  kCopied,      // copy-on-write: its content comes from `other`
  kHashed,      // full and found by its prefix from now on
  kWindowLeft,  // no query of the sequence sees it any more: the null block stands in its place
  kSwappedOut,  // its content goes to `other` of the swap pool
  kSwappedIn,   // its content comes from `other` of the swap pool
};

struct BlockChange {
  BlockChangeKind kind = BlockChangeKind::kAllocated;
  PoolKind pool = PoolKind::kDevice;
  int32_t block = -1;
  int32_t other = -1;      // the other block of a copy or swap
  uint32_t sequence = 0;   // on whose behalf
  int64_t logical = -1;    // position in its table; -1: none
  int32_t ref_count = 0;   // of the block, afterwards
  int64_t free_after = 0;  // blocks of the pool that can be handed out, afterwards
};
using OnBlockChange = std::function<void(const BlockChange&)>;

// Content goes from one block to another: within the device pool (copy-on-write) or between pools.
struct BlockMove {
  int32_t from = -1, to = -1;
  bool operator==(const BlockMove&) const = default;
};

class BlockManager {
 public:
  static constexpr int32_t kNullBlock = 0;  // only with a sliding window

  // Throws Error(kBadInput) when a number is out of range.
  explicit BlockManager(BlockManagerConfig config, OnBlockChange on_change = {});
  // The same books for another listener: what a search over states branches by.
  BlockManager(const BlockManager& other, OnBlockChange on_change);
  ~BlockManager();

  const BlockManagerConfig& config() const;
  const BlockPool& pool(PoolKind kind) const;
  int64_t num_available(PoolKind kind = PoolKind::kDevice) const;  // free + evictable
  int64_t num_usable(PoolKind kind = PoolKind::kDevice) const;     // all but the null block
  bool knows(uint32_t sequence) const;
  bool is_swapped(uint32_t sequence) const;

  // --- admission ---
  // Whether `tokens` (all known tokens of a sequence) find room. Prefix hits count as there. The
  // watermark (B4): kOk when num_available() - (blocks to take) >= watermark blocks, evictable hits
  // being taken too; kNever when even an empty cache has too few, the watermark counted. With a
  // window ask for the first chunk: the next ones find room where it left the window.
  Room can_allocate(std::span<const int32_t> tokens, uint64_t extra_key = 0) const;
  // A table for the first `num_tokens` of `tokens` (a chunk; at least as many as are cached), with
  // the longest chain of cached full blocks in front (B10), never all of `tokens`. Returns the
  // cached tokens, a multiple of block_size; nullopt when the available blocks do not suffice (the
  // watermark is only for can_allocate). extra_key: prefixes with different keys are never shared.
  std::optional<int64_t> allocate(uint32_t sequence, std::span<const int32_t> tokens,
                                  int64_t num_tokens, uint64_t extra_key = 0);
  // Cached tokens that allocate() would find now.
  int64_t cached_prefix(std::span<const int32_t> tokens, uint64_t extra_key = 0) const;

  // --- growth ---
  // Blocks that append() would take now, a copy of a shared partial last block among them.
  int64_t blocks_needed(uint32_t sequence, int64_t more_tokens, int64_t lookahead = 0) const;
  // Room for `more_tokens` and `lookahead` more after them; num_tokens() grows by more_tokens.
  // Takes ceil((n + more + lookahead) / block_size) - (blocks of the table) new ones (B3), and when
  // anything is to be written, a shared partial last block is copied first: the returned move (B7).
  // append(0) is fine: a step that was cancelled left its places taken. nullopt when the available
  // blocks do not suffice.
  std::optional<std::vector<BlockMove>> append(uint32_t sequence, int64_t more_tokens,
                                               int64_t lookahead = 0);
  // K and V of the first `num_computed` of `tokens` are in the cache: full blocks among them are
  // found by their prefix from now on. Where an equal block is known already, that one stays the
  // known one.
  void mark_computed(uint32_t sequence, std::span<const int32_t> tokens, int64_t num_computed);
  // The next query is at `next_position` <= num_tokens(): blocks that no query sees from there on
  // are released (B14). Without a window nothing happens.
  void release_window(uint32_t sequence, int64_t next_position);

  // --- sharing and end ---
  // The child holds the same blocks; none is taken (B6). Lookahead stays the parent's alone. What
  // is below num_tokens() is not written any more by either: fork when it is computed.
  void fork(uint32_t parent, uint32_t child);
  // Gives every block back, last first, on whichever pool it is. An unknown sequence has none.
  void free(uint32_t sequence);

  // --- swapping ---
  bool can_swap_out(uint32_t sequence) const;
  // Moves in table order, device -> swap and back. Whoever shares a block keeps it: the moved
  // sequence has its own copy from then on. Lookahead is given up and blocks that left the window
  // are not moved. nullopt when the other pool has too few blocks. What comes back is not known by
  // its prefix: mark_computed() may be called again.
  std::optional<std::vector<BlockMove>> swap_out(uint32_t sequence);
  // By the rule of can_allocate, for the blocks of num_tokens() + 1: the next token finds room too.
  Room can_swap_in(uint32_t sequence) const;
  std::optional<std::vector<BlockMove>> swap_in(uint32_t sequence);

  // --- tables ---
  int64_t num_tokens(uint32_t sequence) const;
  // Physical, by logical; of the pool it is on. Valid until the sequence's next change.
  std::span<const int32_t> blocks(uint32_t sequence) const;
  int64_t blocks_left_window(uint32_t sequence) const;  // so many first entries hold nothing
  int64_t slot(uint32_t sequence, int64_t position) const;

  // --- the prefix index ---
  struct PrefixNode {
    uint64_t hash = 0, parent = 0;  // parent 0: the first block of a prompt
    int32_t block = -1;
    int64_t depth = 0;  // blocks before it
    int32_t ref_count = 0;
    std::span<const int32_t> tokens;  // [block_size], while the manager is not changed
  };
  std::vector<PrefixNode> prefix_nodes() const;       // by depth, then block
  const PrefixIndex& prefix_index() const;            // empty without prefix caching
  PrefixIndex::NodeId known_as(int32_t block) const;  // the node that it holds; kRoot: none
  struct PrefixStats {
    // Of the allocate() calls that succeeded with prefix caching on, since the beginning.
    int64_t queried_tokens = 0, hit_tokens = 0;
    int64_t evicted_blocks = 0;
  };
  const PrefixStats& prefix_stats() const;

  // Throws std::logic_error that names the broken invariant (B1, B2, B8, B9, B14). O(blocks +
  // tables
  // + prefix index).
  void check_invariants() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace attn
