// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind BlockManager. Engine thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/cache/block_manager.h"

namespace attn {

struct BlockManager::Impl {
  using NodeId = PrefixIndex::NodeId;
  static constexpr NodeId kNoNode = PrefixIndex::kRoot;

  struct Sequence {
    std::vector<int32_t> blocks;  // physical block of each logical one, then lookahead
    int64_t num_tokens = 0;
    int64_t left_window = 0;
    bool swapped = false;
    uint64_t extra_key = 0;
    // The index node of the prefix of the first num_indexed blocks. The sequence holds this node.
    NodeId standing_on = kNoNode;
    int64_t num_indexed = 0;
  };
  // The longest chain of known full blocks that some tokens begin with; it leaves a token over.
  struct Hits {
    NodeId last = kNoNode;
    int64_t blocks = 0;
    int64_t evictable = 0;  // how many of them no table holds
  };
  struct Growth {
    int64_t new_blocks = 0;
    bool copies_last = false;
    int64_t taken() const;
  };

  Impl(BlockManagerConfig config, OnBlockChange on_change);

  BlockPool& device() { return pool(PoolKind::kDevice); }
  const BlockPool& device() const { return pool(PoolKind::kDevice); }
  BlockPool& pool(PoolKind kind) { return pools[static_cast<size_t>(kind)]; }
  const BlockPool& pool(PoolKind kind) const { return pools[static_cast<size_t>(kind)]; }

  // Throw std::logic_error when there is no such sequence; find_on_device() and find_swapped() also
  // when it is in the other pool.
  Sequence& find(uint32_t id);
  const Sequence& find(uint32_t id) const { return const_cast<Impl*>(this)->find(id); }
  Sequence& find_on_device(uint32_t id);
  Sequence& find_swapped(uint32_t id);
  Sequence& make_sequence(uint32_t id);  // std::logic_error when there is one

  int64_t blocks_for(int64_t tokens) const {
    return (tokens + config.block_size - 1) / config.block_size;
  }
  // Blocks with content to move: not those that left the window, not lookahead.
  int64_t blocks_to_move(const Sequence& sequence) const {
    return blocks_for(sequence.num_tokens) - sequence.left_window;
  }

  Hits find_hits(std::span<const int32_t> tokens, uint64_t extra_key) const;
  Growth growth(const Sequence& sequence, int64_t more_tokens, int64_t lookahead) const;
  Room room(int64_t blocks_in_all, int64_t blocks_to_take) const;

  int32_t take(PoolKind kind, uint32_t id, int64_t logical);
  void give_back(PoolKind kind, int32_t block, uint32_t id, int64_t logical);
  void give_back_all(PoolKind kind, const std::vector<int32_t>& blocks, int64_t first, uint32_t id);
  void forget_prefix(Sequence& sequence);
  void tell(BlockChangeKind kind, PoolKind where, int32_t block, uint32_t id, int64_t logical,
            int32_t other = -1) const;
  void check_tables() const;

  BlockManagerConfig config;
  OnBlockChange on_change;
  std::array<BlockPool, 2> pools;  // index: PoolKind
  PrefixIndex index;
  std::vector<NodeId> node_of_block;  // index: block of the device pool
  std::unordered_map<uint32_t, Sequence> sequences;
  PrefixStats stats;
  int64_t watermark_blocks = 0;
};

}  // namespace attn
