// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_manager_impl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "engine/cache/fault.h"
#include "engine/core/error.h"

namespace attn {
namespace {

BlockManagerConfig checked(BlockManagerConfig config) {
  const auto require = [](bool holds, const char* where, const std::string& found,
                          const char* allowed) {
    if (holds) return;
    throw_bad_input({.what = "a setting of the cache is out of range",
                     .where = where,
                     .found = found,
                     .allowed = allowed,
                     .advice = ""});
  };
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  require(config.block_size >= 1 && config.block_size <= kMost, "block_size",
          fmt::format("{}", config.block_size), "1 to 2147483647 tokens");
  require(config.num_swap_blocks >= 0 && config.num_swap_blocks <= kMost, "num_swap_blocks",
          fmt::format("{}", config.num_swap_blocks), "0 to 2147483647 blocks");
  require(config.watermark >= 0 && config.watermark < 1, "watermark",
          fmt::format("{}", config.watermark), "at least 0 and below 1");
  require(config.sliding_window.value_or(1) >= 1, "sliding_window",
          fmt::format("{}", config.sliding_window.value_or(1)), "at least 1 token");
  return config;
}

}  // namespace

BlockManager::Impl::Impl(BlockManagerConfig c, OnBlockChange listener)
    : config(checked(c)),
      on_change(std::move(listener)),
      pools{BlockPool(config.num_blocks,
                      config.sliding_window.has_value() && !ATTN_CACHE_FAULT(kNullBlockHandedOut)),
            config.num_swap_blocks > 0 ? BlockPool(config.num_swap_blocks) : BlockPool()},
      index(config.prefix_hash),
      node_of_block(static_cast<size_t>(config.num_blocks), kNoNode) {
  // 1e-6 is added because a share such as 0.29 of 100 is a little below 29 in binary.
  watermark_blocks = static_cast<int64_t>(
      std::floor(config.watermark * static_cast<double>(device().num_usable()) + 1e-6));
  if (ATTN_CACHE_FAULT(kWatermarkOneMore)) ++watermark_blocks;
  if (ATTN_CACHE_FAULT(kWatermarkOneLess)) --watermark_blocks;
  if (ATTN_CACHE_FAULT(kCachingAlwaysOn)) config.prefix_caching = true;
}

int64_t BlockManager::Impl::Growth::taken() const {
  return new_blocks + (copies_last && !ATTN_CACHE_FAULT(kCopyNotCounted) ? 1 : 0);
}

BlockManager::Impl::Sequence& BlockManager::Impl::find(uint32_t id) {
  const auto it = sequences.find(id);
  if (it == sequences.end())
    throw std::logic_error(fmt::format("sequence {} has no block table", id));
  return it->second;
}

BlockManager::Impl::Sequence& BlockManager::Impl::find_on_device(uint32_t id) {
  Sequence& sequence = find(id);
  if (sequence.swapped) throw std::logic_error(fmt::format("sequence {} is swapped out", id));
  return sequence;
}

BlockManager::Impl::Sequence& BlockManager::Impl::find_swapped(uint32_t id) {
  Sequence& sequence = find(id);
  if (!sequence.swapped) throw std::logic_error(fmt::format("sequence {} is not swapped out", id));
  return sequence;
}

BlockManager::Impl::Sequence& BlockManager::Impl::make_sequence(uint32_t id) {
  const auto [it, is_new] = sequences.try_emplace(id);
  if (!is_new) throw std::logic_error(fmt::format("sequence {} has a block table already", id));
  return it->second;
}

BlockManager::Impl::Hits BlockManager::Impl::find_hits(std::span<const int32_t> tokens,
                                                       uint64_t extra_key) const {
  if (tokens.empty()) throw std::logic_error("a sequence without tokens needs no cache");
  Hits hits;
  if (!config.prefix_caching) return hits;
  const auto block_size = static_cast<size_t>(config.block_size);
  // At least one token must be computed, because its logits are needed.
  size_t most = (tokens.size() - (ATTN_CACHE_FAULT(kHitCoversAll) ? 0 : 1)) / block_size;
  if (ATTN_CACHE_FAULT(kChainOfOne)) most = std::min<size_t>(most, 1);
  for (size_t i = 0; i < most; ++i) {
    const NodeId next =
        index.find(hits.last, tokens.subspan(i * block_size, block_size), extra_key);
    if (next == kNoNode || index.node(next).block < 0) break;
    hits.last = next;
    ++hits.blocks;
    hits.evictable += device().is_evictable(index.node(next).block) ? 1 : 0;
  }
  return hits;
}

BlockManager::Impl::Growth BlockManager::Impl::growth(const Sequence& sequence, int64_t more_tokens,
                                                      int64_t lookahead) const {
  const int64_t most =
      std::numeric_limits<int64_t>::max() - sequence.num_tokens - config.block_size;
  if (more_tokens < 0 || lookahead < 0 || more_tokens > most || lookahead > most - more_tokens) {
    throw std::logic_error(
        fmt::format("{} tokens and {} of lookahead cannot be appended", more_tokens, lookahead));
  }
  const int64_t places =
      sequence.num_tokens + more_tokens + (ATTN_CACHE_FAULT(kLookaheadForgotten) ? 0 : lookahead);
  const int64_t blocks =
      ATTN_CACHE_FAULT(kBlockTooEarly) ? places / config.block_size + 1 : blocks_for(places);
  Growth growth;
  // Earlier calls may have taken some of these blocks already, as lookahead.
  growth.new_blocks = std::max<int64_t>(0, blocks - static_cast<int64_t>(sequence.blocks.size()));
  const bool is_partial =
      sequence.num_tokens % config.block_size != 0 || ATTN_CACHE_FAULT(kFullBlockCopied);
  if (more_tokens + lookahead > 0 && is_partial && !ATTN_CACHE_FAULT(kCopySkipped)) {
    const int64_t last = (sequence.num_tokens - 1) / config.block_size;
    growth.copies_last = device().ref_count(sequence.blocks[static_cast<size_t>(last)]) > 1;
  }
  return growth;
}

Room BlockManager::Impl::room(int64_t blocks_in_all, int64_t blocks_to_take) const {
  const int64_t least = ATTN_CACHE_FAULT(kNeverWithoutWatermark) ? 0 : watermark_blocks;
  if (device().num_usable() - blocks_in_all < least) return Room::kNever;
  return device().num_available() - blocks_to_take >= watermark_blocks ? Room::kOk : Room::kLater;
}

int32_t BlockManager::Impl::take(PoolKind kind, uint32_t id, int64_t logical) {
  BlockPool& from = pool(kind);
  if (from.num_free() == 0) {
    const int32_t evicted = from.evict();
    if (!ATTN_CACHE_FAULT(kEvictedStaysKnown))
      index.take_block(std::exchange(node_of_block[static_cast<size_t>(evicted)], kNoNode));
    ++stats.evicted_blocks;
    tell(BlockChangeKind::kEvicted, kind, evicted, id, -1);
  }
  const int32_t block = from.allocate();
  tell(BlockChangeKind::kAllocated, kind, block, id, logical);
  return block;
}

void BlockManager::Impl::give_back(PoolKind kind, int32_t block, uint32_t id, int64_t logical) {
  const bool is_known =
      kind == PoolKind::kDevice && node_of_block[static_cast<size_t>(block)] != kNoNode;
  const bool keeps = is_known && !ATTN_CACHE_FAULT(kCachedIsFreed);
  const bool was_last = pool(kind).release(block, keeps && !ATTN_CACHE_FAULT(kNothingEvictable));
  if (is_known && was_last && ATTN_CACHE_FAULT(kNothingEvictable))
    index.take_block(std::exchange(node_of_block[static_cast<size_t>(block)], kNoNode));
  const BlockChangeKind change = !was_last  ? BlockChangeKind::kReleased
                                 : is_known ? BlockChangeKind::kCached
                                            : BlockChangeKind::kFreed;
  tell(change, kind, block, id, logical);
}

void BlockManager::Impl::give_back_all(PoolKind kind, const std::vector<int32_t>& blocks,
                                       int64_t first, uint32_t id) {
  const auto last = static_cast<int64_t>(blocks.size()) - 1;
  for (int64_t k = last; k >= first; --k) {
    const int64_t i = ATTN_CACHE_FAULT(kFreedFirstToLast) ? last - (k - first) : k;
    give_back(kind, blocks[static_cast<size_t>(i)], id, i);
  }
}

void BlockManager::Impl::forget_prefix(Sequence& sequence) {
  index.drop(std::exchange(sequence.standing_on, kNoNode));
  sequence.num_indexed = 0;
}

void BlockManager::Impl::tell(BlockChangeKind kind, PoolKind where, int32_t block, uint32_t id,
                              int64_t logical, int32_t other) const {
  if (!on_change) return;
  on_change({.kind = kind,
             .pool = where,
             .block = block,
             .other = other,
             .sequence = id,
             .logical = logical,
             .ref_count = pool(where).ref_count(block),
             .free_after = pool(where).num_available()});
}

void BlockManager::Impl::check_tables() const {
  const auto require = [](bool holds, const char* what, int64_t of) {
    if (!holds) throw std::logic_error(fmt::format("{} ({})", what, of));
  };
  std::array<std::vector<int32_t>, 2> holders{
      std::vector<int32_t>(static_cast<size_t>(pools[0].num_blocks()), 0),
      std::vector<int32_t>(static_cast<size_t>(pools[1].num_blocks()), 0)};
  for (const auto& [id, sequence] : sequences) {
    const auto size = static_cast<int64_t>(sequence.blocks.size());
    require(size >= blocks_for(sequence.num_tokens), "B3: a sequence has too few blocks", id);
    const int64_t left = sequence.left_window;
    require(left == 0 || config.sliding_window,
            "B14: blocks left the window, but the cache has no window", id);
    require(left * config.block_size <= sequence.num_tokens,
            "B14: a block left the window before it was full", id);
    for (int64_t i = 0; i < left; ++i)
      require(sequence.blocks[static_cast<size_t>(i)] == kNullBlock,
              "B14: a block that left the window is still in the table", id);
    for (int64_t i = left; i < size; ++i) {
      const int32_t block = sequence.blocks[static_cast<size_t>(i)];
      auto& counts = holders[sequence.swapped ? 1 : 0];
      require(block >= 0 && block < static_cast<int64_t>(counts.size()),
              "B8: a sequence holds a block that does not exist", id);
      ++counts[static_cast<size_t>(block)];
      if (sequence.swapped) continue;
      const NodeId known_as = node_of_block[static_cast<size_t>(block)];
      // Another sequence that holds the block may have made it known.
      require(known_as == kNoNode || (index.node(known_as).depth == i &&
                                      (i + 1) * config.block_size <= sequence.num_tokens),
              "B9: a block is indexed that is not full, or at a wrong depth", block);
    }
    require(sequence.standing_on == kNoNode
                ? sequence.num_indexed == 0
                : sequence.num_indexed == index.node(sequence.standing_on).depth + 1,
            "B9: a sequence's prefix has another depth than its indexed blocks", id);
  }
  for (size_t kind = 0; kind < pools.size(); ++kind) {
    for (size_t block = 0; block < holders[kind].size(); ++block)
      require(holders[kind][block] == pools[kind].ref_count(static_cast<int32_t>(block)),
              "B8: a block's reference count is not the number of its holders",
              static_cast<int64_t>(block));
  }
  for (int32_t block = 0; block < device().num_blocks(); ++block) {
    const NodeId node = node_of_block[static_cast<size_t>(block)];
    require(node == kNoNode || index.node(node).block == block, "B9: a block has no prefix", block);
    require(node != kNoNode || !device().is_evictable(block), "B9: evictable and unknown", block);
    require(node == kNoNode || device().ref_count(block) > 0 || device().is_evictable(block),
            "B9: a free block is known", block);
  }
  for (const PrefixIndex::Node& node : index.nodes()) {
    require(node.block < 0 || &index.node(node_of_block[static_cast<size_t>(node.block)]) == &node,
            "B9: two prefixes lie in one block", node.block);
  }
}

}  // namespace attn
