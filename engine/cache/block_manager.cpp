// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/cache/block_manager_impl.h"
#include "engine/cache/fault.h"

namespace attn {
namespace {

using NodeId = PrefixIndex::NodeId;
constexpr NodeId kNoNode = PrefixIndex::kRoot;

}  // namespace

BlockManager::BlockManager(BlockManagerConfig config, OnBlockChange on_change)
    : impl_(std::make_unique<Impl>(config, std::move(on_change))) {}

BlockManager::BlockManager(const BlockManager& other, OnBlockChange on_change)
    : impl_(std::make_unique<Impl>(*other.impl_)) {
  impl_->on_change = std::move(on_change);
}

BlockManager::~BlockManager() = default;

const BlockManagerConfig& BlockManager::config() const {
  return impl_->config;
}

const BlockPool& BlockManager::pool(PoolKind kind) const {
  return impl_->pool(kind);
}

int64_t BlockManager::num_available(PoolKind kind) const {
  return impl_->pool(kind).num_available();
}

int64_t BlockManager::num_usable(PoolKind kind) const {
  return impl_->pool(kind).num_usable();
}

bool BlockManager::knows(uint32_t sequence) const {
  return impl_->sequences.contains(sequence);
}

bool BlockManager::is_swapped(uint32_t sequence) const {
  return impl_->find(sequence).swapped;
}

Room BlockManager::can_allocate(std::span<const int32_t> tokens, uint64_t extra_key) const {
  return can_allocate(tokens, extra_key, 0);
}

Room BlockManager::can_allocate(std::span<const int32_t> tokens, uint64_t extra_key,
                                int64_t private_places) const {
  const Impl::Hits hits = tokens.empty() ? Impl::Hits{} : impl_->find_hits(tokens, extra_key);
  const int64_t blocks =
      impl_->blocks_for(static_cast<int64_t>(tokens.size())) + impl_->blocks_for(private_places);
  return impl_->room(blocks, blocks - hits.blocks + hits.evictable);
}

std::optional<int64_t> BlockManager::allocate(uint32_t sequence, std::span<const int32_t> tokens,
                                              int64_t num_tokens, uint64_t extra_key) {
  if (ATTN_CACHE_FAULT(kExtraKeyIgnored)) extra_key = 0;
  const Impl::Hits hits = impl_->find_hits(tokens, extra_key);
  const auto known = static_cast<int64_t>(tokens.size());
  const int64_t cached = hits.blocks * impl_->config.block_size;
  if (num_tokens < std::max<int64_t>(1, cached) || num_tokens > known) {
    throw std::logic_error(
        fmt::format("sequence {}: a chunk cannot have {} of {} tokens with {} cached", sequence,
                    num_tokens, known, cached));
  }
  const int64_t blocks = impl_->blocks_for(num_tokens);
  if (knows(sequence)) impl_->make_sequence(sequence);  // throws
  const int64_t kept = ATTN_CACHE_FAULT(kHitsCountedAvailable) ? 0 : hits.evictable;
  if (blocks - hits.blocks > num_available() - kept) {
    if (ATTN_CACHE_FAULT(kRefusedCounted)) impl_->stats.queried_tokens += known;
    if (ATTN_CACHE_FAULT(kNotRolledBack) && hits.last != kNoNode)
      impl_->device().add_ref(impl_->index.node(hits.last).block);
    return std::nullopt;
  }

  Impl::Sequence& made = impl_->make_sequence(sequence);
  made.num_tokens = num_tokens;
  made.extra_key = extra_key;
  made.standing_on = hits.last;
  made.num_indexed = hits.blocks;
  impl_->index.hold(hits.last);
  made.blocks.resize(static_cast<size_t>(blocks));
  for (NodeId id = hits.last; id != kNoNode; id = impl_->index.node(id).parent) {
    const PrefixIndex::Node& node = impl_->index.node(id);
    made.blocks[static_cast<size_t>(node.depth)] = node.block;
  }
  if (ATTN_CACHE_FAULT(kOwnPrefixEvicted) && hits.evictable > 0 && blocks > hits.blocks &&
      impl_->device().num_free() == 0) {
    const int32_t block = impl_->take(PoolKind::kDevice, sequence, hits.blocks);
    impl_->give_back(PoolKind::kDevice, block, sequence, hits.blocks);
  }
  // Hits are taken before new blocks, because taking a new block may evict one that no table holds.
  for (int64_t i = 0; i < blocks; ++i) {
    int32_t& block = made.blocks[static_cast<size_t>(i)];
    if (i < hits.blocks) {
      impl_->device().add_ref(block);
      impl_->tell(BlockChangeKind::kShared, PoolKind::kDevice, block, sequence, i);
    } else {
      block = impl_->take(PoolKind::kDevice, sequence, i);
    }
  }
  if (impl_->config.prefix_caching) {
    impl_->stats.queried_tokens += known;
    impl_->stats.hit_tokens += cached;
  }
  return cached;
}

bool BlockManager::allocate_private(uint32_t sequence, int64_t num_tokens) {
  if (num_tokens < 1) throw std::logic_error("a sequence without tokens needs no cache");
  const int64_t blocks = impl_->blocks_for(num_tokens);
  if (blocks > num_available()) return false;
  Impl::Sequence& made = impl_->make_sequence(sequence);
  made.num_tokens = num_tokens;
  made.standing_on = kNoNode;
  impl_->index.hold(kNoNode);
  for (int64_t i = 0; i < blocks; ++i)
    made.blocks.push_back(impl_->take(PoolKind::kDevice, sequence, i));
  return true;
}

int64_t BlockManager::cached_prefix(std::span<const int32_t> tokens, uint64_t extra_key) const {
  return impl_->find_hits(tokens, extra_key).blocks * impl_->config.block_size;
}

int64_t BlockManager::blocks_needed(uint32_t sequence, int64_t more_tokens,
                                    int64_t lookahead) const {
  return impl_->growth(impl_->find_on_device(sequence), more_tokens, lookahead).taken();
}

std::optional<std::vector<BlockMove>> BlockManager::append(uint32_t sequence, int64_t more_tokens,
                                                           int64_t lookahead) {
  Impl::Sequence& grown = impl_->find_on_device(sequence);
  const Impl::Growth growth = impl_->growth(grown, more_tokens, lookahead);
  if (growth.taken() > num_available()) return std::nullopt;
  std::vector<BlockMove> moves;
  if (growth.copies_last) {
    const int64_t logical = (grown.num_tokens - 1) / impl_->config.block_size;
    int32_t& last = grown.blocks[static_cast<size_t>(logical)];
    const int32_t shared = last;
    last = impl_->take(PoolKind::kDevice, sequence, logical);
    if (!ATTN_CACHE_FAULT(kCopiedNotReleased))
      impl_->give_back(PoolKind::kDevice, shared, sequence, logical);
    impl_->tell(BlockChangeKind::kCopied, PoolKind::kDevice, last, sequence, logical, shared);
    moves.push_back({.from = shared, .to = last});
    if (ATTN_CACHE_FAULT(kCopyReversed)) std::swap(moves.back().from, moves.back().to);
  }
  for (int64_t i = 0; i < growth.new_blocks; ++i) {
    const auto logical = static_cast<int64_t>(grown.blocks.size());
    grown.blocks.push_back(impl_->take(PoolKind::kDevice, sequence, logical));
  }
  grown.num_tokens += more_tokens;
  return moves;
}

void BlockManager::mark_computed(uint32_t sequence, std::span<const int32_t> tokens,
                                 int64_t num_computed) {
  Impl::Sequence& marked = impl_->find_on_device(sequence);
  if (num_computed < 0 || num_computed > static_cast<int64_t>(tokens.size()) ||
      num_computed > marked.num_tokens) {
    throw std::logic_error(
        fmt::format("sequence {}: {} of {} tokens cannot be computed, with room for {}", sequence,
                    num_computed, tokens.size(), marked.num_tokens));
  }
  if (!impl_->config.prefix_caching) return;
  PrefixIndex& index = impl_->index;
  const int64_t block_size = impl_->config.block_size;
  if (ATTN_CACHE_FAULT(kUncomputedHashed))
    num_computed = std::min(marked.num_tokens, static_cast<int64_t>(tokens.size()));
  const int64_t full =
      (num_computed + (ATTN_CACHE_FAULT(kPartialBlockHashed) ? block_size - 1 : 0)) / block_size;
  for (int64_t i = marked.num_indexed; i < full; ++i) {
    const std::span<const int32_t> rest = tokens.subspan(static_cast<size_t>(i * block_size));
    const NodeId node = index.hold(
        marked.standing_on, rest.first(std::min(rest.size(), static_cast<size_t>(block_size))),
        marked.extra_key);
    index.drop(std::exchange(marked.standing_on, node));  // its child holds it now
    marked.num_indexed = i + 1;
    if (i < marked.left_window) continue;
    const int32_t block = marked.blocks[static_cast<size_t>(i)];
    NodeId& known_as = impl_->node_of_block[static_cast<size_t>(block)];
    if (known_as != kNoNode && known_as != node)
      throw std::logic_error(
          fmt::format("B9: block {} is already indexed for other tokens", block));
    if (index.node(node).block >= 0 && ATTN_CACHE_FAULT(kNewestIsKnown)) {
      impl_->node_of_block[static_cast<size_t>(index.node(node).block)] = kNoNode;
      index.take_block(node);
    }
    if (index.node(node).block >= 0) continue;  // this one or an equal one is known
    index.set_block(node, block);
    known_as = node;
    impl_->tell(BlockChangeKind::kHashed, PoolKind::kDevice, block, sequence, i);
  }
}

void BlockManager::release_window(uint32_t sequence, int64_t next_position) {
  Impl::Sequence& sliding = impl_->find_on_device(sequence);
  if (next_position < 0 || next_position > sliding.num_tokens) {
    throw std::logic_error(fmt::format("sequence {}: the next position cannot be {} with {} tokens",
                                       sequence, next_position, sliding.num_tokens));
  }
  if (!impl_->config.sliding_window) return;
  // The next query sees keys next_position - window + 1 and later.
  int64_t unseen = next_position - (*impl_->config.sliding_window - 1);
  if (ATTN_CACHE_FAULT(kWindowOneEarly)) ++unseen;
  if (ATTN_CACHE_FAULT(kWindowOneLate)) --unseen;
  const int64_t leave = unseen <= 0 ? 0 : unseen / impl_->config.block_size;
  // Last first, as in free(): of cached blocks the deeper ones are then evicted first.
  for (int64_t k = leave - 1; k >= sliding.left_window; --k) {
    const int64_t i =
        ATTN_CACHE_FAULT(kWindowFirstToLast) ? leave - 1 - (k - sliding.left_window) : k;
    int32_t& entry = sliding.blocks[static_cast<size_t>(i)];
    const int32_t block = entry;
    if (!ATTN_CACHE_FAULT(kWindowEntryStays)) entry = kNullBlock;
    impl_->give_back(PoolKind::kDevice, block, sequence, i);
    impl_->tell(BlockChangeKind::kWindowLeft, PoolKind::kDevice, block, sequence, i);
  }
  sliding.left_window = std::max(sliding.left_window, leave);
}

void BlockManager::fork(uint32_t parent, uint32_t child) {
  const Impl::Sequence& from = impl_->find_on_device(parent);
  Impl::Sequence copy = from;
  if (!ATTN_CACHE_FAULT(kForkSharesLookahead))
    copy.blocks.resize(static_cast<size_t>(impl_->blocks_for(from.num_tokens)));
  Impl::Sequence& made = impl_->make_sequence(child);
  made = std::move(copy);
  impl_->index.hold(made.standing_on);
  for (size_t i = static_cast<size_t>(made.left_window); i < made.blocks.size(); ++i) {
    const bool is_last = i + 1 == made.blocks.size();
    if (!(ATTN_CACHE_FAULT(kForkNotCounted) && is_last)) impl_->device().add_ref(made.blocks[i]);
    if (ATTN_CACHE_FAULT(kForkCountedTwice) && is_last) impl_->device().add_ref(made.blocks[i]);
    impl_->tell(BlockChangeKind::kShared, PoolKind::kDevice, made.blocks[i], child,
                static_cast<int64_t>(i));
  }
}

void BlockManager::free(uint32_t sequence) {
  const auto it = impl_->sequences.find(sequence);
  if (it == impl_->sequences.end()) return;
  Impl::Sequence& freed = it->second;
  const PoolKind kind = freed.swapped ? PoolKind::kSwap : PoolKind::kDevice;
  if (ATTN_CACHE_FAULT(kLookaheadNotFreed))
    freed.blocks.resize(static_cast<size_t>(impl_->blocks_for(freed.num_tokens)));
  if (ATTN_CACHE_FAULT(kNullBlockFreed)) freed.left_window = 0;
  if (!(ATTN_CACHE_FAULT(kSwappedNotFreed) && freed.swapped))
    impl_->give_back_all(kind, freed.blocks, freed.left_window, sequence);
  impl_->forget_prefix(freed);
  impl_->sequences.erase(it);
}

bool BlockManager::can_swap_out(uint32_t sequence) const {
  const int64_t blocks = impl_->blocks_to_move(impl_->find_on_device(sequence));
  return blocks <= num_available(PoolKind::kSwap);
}

std::optional<std::vector<BlockMove>> BlockManager::swap_out(uint32_t sequence) {
  if (!can_swap_out(sequence)) return std::nullopt;
  Impl::Sequence& moved = impl_->find_on_device(sequence);
  const int64_t kept = ATTN_CACHE_FAULT(kLookaheadMoved)
                           ? static_cast<int64_t>(moved.blocks.size())
                           : moved.left_window + impl_->blocks_to_move(moved);
  const std::vector<int32_t> device_blocks = moved.blocks;
  moved.blocks.resize(static_cast<size_t>(kept));
  std::vector<BlockMove> moves;
  for (int64_t i = moved.left_window; i < kept; ++i) {
    int32_t& block = moved.blocks[static_cast<size_t>(i)];
    const int32_t from = block;
    block = impl_->take(PoolKind::kSwap, sequence, i);
    impl_->tell(BlockChangeKind::kSwappedOut, PoolKind::kDevice, from, sequence, i, block);
    moves.push_back({.from = from, .to = block});
  }
  if (ATTN_CACHE_FAULT(kSwapOutReversed))
    std::reverse(moved.blocks.begin() + moved.left_window, moved.blocks.end());
  if (!ATTN_CACHE_FAULT(kSwapOutKeepsBlocks))
    impl_->give_back_all(PoolKind::kDevice, device_blocks, moved.left_window, sequence);
  if (!ATTN_CACHE_FAULT(kPrefixKeptInSwap)) impl_->forget_prefix(moved);
  moved.swapped = true;
  return moves;
}

Room BlockManager::can_swap_in(uint32_t sequence) const {
  return can_swap_in({&sequence, 1});
}

Room BlockManager::can_swap_in(std::span<const uint32_t> sequences) const {
  int64_t blocks = 0, next = ATTN_CACHE_FAULT(kNextTokenForgotten) ? 0 : 1;
  for (const uint32_t sequence : sequences) {
    const Impl::Sequence& moved = impl_->find_swapped(sequence);
    blocks += impl_->blocks_for(moved.num_tokens + next) - moved.left_window;
    next = 0;
  }
  return impl_->room(blocks, blocks);
}

std::optional<std::vector<BlockMove>> BlockManager::swap_in(uint32_t sequence) {
  Impl::Sequence& moved = impl_->find_swapped(sequence);
  if (impl_->blocks_to_move(moved) > num_available()) return std::nullopt;
  const std::vector<int32_t> swap_blocks = moved.blocks;
  const auto first = static_cast<size_t>(moved.left_window);
  std::vector<BlockMove> moves;
  for (size_t i = first; i < swap_blocks.size(); ++i) {
    const auto logical = static_cast<int64_t>(i);
    moved.blocks[i] = impl_->take(PoolKind::kDevice, sequence, logical);
    impl_->tell(BlockChangeKind::kSwappedIn, PoolKind::kDevice, moved.blocks[i], sequence, logical,
                swap_blocks[i]);
    moves.push_back({.from = swap_blocks[i], .to = moved.blocks[i]});
  }
  if (ATTN_CACHE_FAULT(kSwapInReversed))
    std::reverse(moved.blocks.begin() + moved.left_window, moved.blocks.end());
  if (!ATTN_CACHE_FAULT(kSwapInKeepsBlocks))
    impl_->give_back_all(PoolKind::kSwap, swap_blocks, moved.left_window, sequence);
  moved.swapped = false;
  return moves;
}

int64_t BlockManager::num_tokens(uint32_t sequence) const {
  return impl_->find(sequence).num_tokens;
}

std::span<const int32_t> BlockManager::blocks(uint32_t sequence) const {
  return impl_->find(sequence).blocks;
}

int64_t BlockManager::blocks_left_window(uint32_t sequence) const {
  return impl_->find(sequence).left_window;
}

int64_t BlockManager::slot(uint32_t sequence, int64_t position) const {
  const Impl::Sequence& held = impl_->find(sequence);
  const int64_t block_size = impl_->config.block_size;
  const auto logical = static_cast<size_t>(position / block_size);
  if (position < 0 || logical >= held.blocks.size()) {
    throw std::logic_error(
        fmt::format("position {} of sequence {} has no slot", position, sequence));
  }
  return int64_t{held.blocks[logical]} * block_size + position % block_size;
}

std::vector<BlockManager::PrefixNode> BlockManager::prefix_nodes() const {
  std::vector<PrefixNode> nodes;
  for (const PrefixIndex::Node& node : impl_->index.nodes()) {
    if (node.block < 0) continue;
    const NodeId parent = node.parent;
    nodes.push_back({.hash = node.hash,
                     .parent = parent == kNoNode ? 0 : impl_->index.node(parent).hash,
                     .block = node.block,
                     .depth = node.depth,
                     .ref_count = impl_->device().ref_count(node.block),
                     .tokens = node.tokens});
  }
  std::sort(nodes.begin(), nodes.end(), [](const PrefixNode& a, const PrefixNode& b) {
    return std::pair(a.depth, a.block) < std::pair(b.depth, b.block);
  });
  return nodes;
}

const PrefixIndex& BlockManager::prefix_index() const {
  return impl_->index;
}

PrefixIndex::NodeId BlockManager::known_as(int32_t block) const {
  return impl_->node_of_block[static_cast<size_t>(block)];
}

const BlockManager::PrefixStats& BlockManager::prefix_stats() const {
  return impl_->stats;
}

void BlockManager::check_invariants() const {
  for (const BlockPool& pool : impl_->pools) pool.check_invariants();
  impl_->check_tables();
  std::vector<int64_t> standing(impl_->index.nodes().size(), 0);
  for (const auto& [id, sequence] : impl_->sequences)
    if (sequence.standing_on != kNoNode) ++standing[static_cast<size_t>(sequence.standing_on)];
  impl_->index.check_invariants(standing);
}

}  // namespace attn
