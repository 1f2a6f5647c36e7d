// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/block_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "engine/core/error.h"

namespace attn {
namespace {

using NodeId = PrefixIndex::NodeId;
constexpr NodeId kNoNode = PrefixIndex::kRoot;

struct Sequence {
  std::vector<int32_t> blocks;  // physical, by logical, of the pool it is on; lookahead behind
  int64_t num_tokens = 0;
  int64_t left_window = 0;  // so many first entries are the null block
  bool swapped = false;
  uint64_t extra_key = 0;
  // The prefix of its first num_indexed blocks, held in the index. Kept apart from the blocks: they
  // may have left the window, or be copies of others that are the known ones.
  NodeId standing_on = kNoNode;
  int64_t num_indexed = 0;
};

BlockManagerConfig checked(BlockManagerConfig config) {
  const auto require = [](bool holds, const char* where, const std::string& found,
                          const char* allowed) {
    if (holds) return;
    throw_bad_input({.what = "a number of the cache is out of range",
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

struct BlockManager::Impl {
  // The longest chain of known full blocks in front of some tokens.
  struct Hits {
    NodeId last = kNoNode;
    int64_t blocks = 0;
    int64_t evictable = 0;  // of them: held by no table
  };
  // What an append takes.
  struct Growth {
    int64_t new_blocks = 0;
    bool copies_last = false;
    int64_t taken() const { return new_blocks + (copies_last ? 1 : 0); }
  };

  Impl(BlockManagerConfig c, OnBlockChange listener)
      : config(checked(c)),
        on_change(std::move(listener)),
        pools{BlockPool(config.num_blocks, config.sliding_window.has_value()),
              config.num_swap_blocks > 0 ? BlockPool(config.num_swap_blocks) : BlockPool()},
        index(config.prefix_hash),
        node_of_block(static_cast<size_t>(config.num_blocks), kNoNode) {
    // A share such as 0.29 of 100 is a little below 29 in binary.
    watermark_blocks = static_cast<int64_t>(
        std::floor(config.watermark * static_cast<double>(device().num_usable()) + 1e-6));
  }

  BlockPool& device() { return pool(PoolKind::kDevice); }
  const BlockPool& device() const { return pool(PoolKind::kDevice); }
  BlockPool& pool(PoolKind kind) { return pools[static_cast<size_t>(kind)]; }
  const BlockPool& pool(PoolKind kind) const { return pools[static_cast<size_t>(kind)]; }

  Sequence& find(uint32_t id) {
    const auto it = sequences.find(id);
    if (it == sequences.end())
      throw std::logic_error(fmt::format("sequence {} has no block table", id));
    return it->second;
  }
  const Sequence& find(uint32_t id) const { return const_cast<Impl*>(this)->find(id); }
  Sequence& find_on_device(uint32_t id) {
    Sequence& sequence = find(id);
    if (sequence.swapped) throw std::logic_error(fmt::format("sequence {} is swapped out", id));
    return sequence;
  }
  Sequence& find_swapped(uint32_t id) {
    Sequence& sequence = find(id);
    if (!sequence.swapped)
      throw std::logic_error(fmt::format("sequence {} is not swapped out", id));
    return sequence;
  }
  Sequence& make_sequence(uint32_t id) {
    const auto [it, is_new] = sequences.try_emplace(id);
    if (!is_new) throw std::logic_error(fmt::format("sequence {} has a block table already", id));
    return it->second;
  }

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
  void forget_prefix(Sequence& sequence);
  void tell(BlockChangeKind kind, PoolKind where, int32_t block, uint32_t id, int64_t logical,
            int32_t other = -1) const;
  void check_tables() const;

  BlockManagerConfig config;
  OnBlockChange on_change;
  std::array<BlockPool, 2> pools;  // by PoolKind
  PrefixIndex index;
  std::vector<NodeId> node_of_block;  // of the device pool
  std::unordered_map<uint32_t, Sequence> sequences;
  PrefixStats stats;
  int64_t watermark_blocks = 0;
};

BlockManager::Impl::Hits BlockManager::Impl::find_hits(std::span<const int32_t> tokens,
                                                       uint64_t extra_key) const {
  if (tokens.empty()) throw std::logic_error("a sequence without tokens needs no cache");
  Hits hits;
  if (!config.prefix_caching) return hits;
  const auto block_size = static_cast<size_t>(config.block_size);
  // One token is always computed: its logits are wanted.
  const size_t most = (tokens.size() - 1) / block_size;
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
  const int64_t blocks = blocks_for(sequence.num_tokens + more_tokens + lookahead);
  Growth growth;
  // Lookahead of earlier calls may have taken them already.
  growth.new_blocks = std::max<int64_t>(0, blocks - static_cast<int64_t>(sequence.blocks.size()));
  if (more_tokens + lookahead > 0 && sequence.num_tokens % config.block_size != 0) {
    const int64_t last = sequence.num_tokens / config.block_size;
    growth.copies_last = device().ref_count(sequence.blocks[static_cast<size_t>(last)]) > 1;
  }
  return growth;
}

Room BlockManager::Impl::room(int64_t blocks_in_all, int64_t blocks_to_take) const {
  if (device().num_usable() - blocks_in_all < watermark_blocks) return Room::kNever;
  return device().num_available() - blocks_to_take >= watermark_blocks ? Room::kOk : Room::kLater;
}

int32_t BlockManager::Impl::take(PoolKind kind, uint32_t id, int64_t logical) {
  BlockPool& from = pool(kind);
  if (from.num_free() == 0) {
    const int32_t evicted = from.evict();
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
  const bool was_last = pool(kind).release(block, is_known);
  const BlockChangeKind change = !was_last  ? BlockChangeKind::kReleased
                                 : is_known ? BlockChangeKind::kCached
                                            : BlockChangeKind::kFreed;
  tell(change, kind, block, id, logical);
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
  const Impl::Hits hits = impl_->find_hits(tokens, extra_key);
  const int64_t blocks = impl_->blocks_for(static_cast<int64_t>(tokens.size()));
  return impl_->room(blocks, blocks - hits.blocks + hits.evictable);
}

std::optional<int64_t> BlockManager::allocate(uint32_t sequence, std::span<const int32_t> tokens,
                                              int64_t num_tokens, uint64_t extra_key) {
  const Impl::Hits hits = impl_->find_hits(tokens, extra_key);
  const auto known = static_cast<int64_t>(tokens.size());
  const int64_t cached = hits.blocks * impl_->config.block_size;
  if (num_tokens < std::max<int64_t>(1, cached) || num_tokens > known) {
    throw std::logic_error(fmt::format("a chunk of {} of {} tokens, {} of them cached, for {}",
                                       num_tokens, known, cached, sequence));
  }
  const int64_t blocks = impl_->blocks_for(num_tokens);
  if (knows(sequence)) impl_->make_sequence(sequence);  // throws
  if (blocks - hits.blocks > num_available() - hits.evictable) return std::nullopt;

  Sequence& made = impl_->make_sequence(sequence);
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
  // The hits first: what is held cannot be evicted for the rest of the same sequence (B11).
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

int64_t BlockManager::cached_prefix(std::span<const int32_t> tokens, uint64_t extra_key) const {
  return impl_->find_hits(tokens, extra_key).blocks * impl_->config.block_size;
}

int64_t BlockManager::blocks_needed(uint32_t sequence, int64_t more_tokens,
                                    int64_t lookahead) const {
  return impl_->growth(impl_->find_on_device(sequence), more_tokens, lookahead).taken();
}

std::optional<std::vector<BlockMove>> BlockManager::append(uint32_t sequence, int64_t more_tokens,
                                                           int64_t lookahead) {
  Sequence& grown = impl_->find_on_device(sequence);
  const Impl::Growth growth = impl_->growth(grown, more_tokens, lookahead);
  if (growth.taken() > num_available()) return std::nullopt;
  std::vector<BlockMove> moves;
  if (growth.copies_last) {
    const int64_t logical = grown.num_tokens / impl_->config.block_size;
    int32_t& last = grown.blocks[static_cast<size_t>(logical)];
    const int32_t shared = last;
    last = impl_->take(PoolKind::kDevice, sequence, logical);
    impl_->give_back(PoolKind::kDevice, shared, sequence, logical);
    impl_->tell(BlockChangeKind::kCopied, PoolKind::kDevice, last, sequence, logical, shared);
    moves.push_back({.from = shared, .to = last});
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
  Sequence& marked = impl_->find_on_device(sequence);
  if (num_computed < 0 || num_computed > static_cast<int64_t>(tokens.size()) ||
      num_computed > marked.num_tokens) {
    throw std::logic_error(fmt::format("{} computed tokens of {}, with room for {}, of {}",
                                       num_computed, tokens.size(), marked.num_tokens, sequence));
  }
  if (!impl_->config.prefix_caching) return;
  PrefixIndex& index = impl_->index;
  const int64_t block_size = impl_->config.block_size;
  for (int64_t i = marked.num_indexed; i < num_computed / block_size; ++i) {
    const auto first = static_cast<size_t>(i * block_size);
    const NodeId node =
        index.hold(marked.standing_on, tokens.subspan(first, static_cast<size_t>(block_size)),
                   marked.extra_key);
    index.drop(std::exchange(marked.standing_on, node));  // the child holds it
    marked.num_indexed = i + 1;
    if (i < marked.left_window) continue;
    const int32_t block = marked.blocks[static_cast<size_t>(i)];
    NodeId& known_as = impl_->node_of_block[static_cast<size_t>(block)];
    if (known_as != kNoNode && known_as != node)
      throw std::logic_error(fmt::format("B9: block {} holds other tokens already", block));
    if (index.node(node).block >= 0) continue;  // itself (shared), or an equal one
    index.set_block(node, block);
    known_as = node;
    impl_->tell(BlockChangeKind::kHashed, PoolKind::kDevice, block, sequence, i);
  }
}

void BlockManager::release_window(uint32_t sequence, int64_t next_position) {
  Sequence& sliding = impl_->find_on_device(sequence);
  if (next_position < 0 || next_position > sliding.num_tokens) {
    throw std::logic_error(fmt::format("the next of {} tokens of sequence {} cannot be {}",
                                       sliding.num_tokens, sequence, next_position));
  }
  if (!impl_->config.sliding_window) return;
  // The query sees keys next_position - window + 1 and later.
  const int64_t unseen = next_position - (*impl_->config.sliding_window - 1);
  const int64_t leave = unseen <= 0 ? 0 : unseen / impl_->config.block_size;
  // Last first, as in free(): of the cached ones the deeper is evicted first.
  for (int64_t i = leave - 1; i >= sliding.left_window; --i) {
    const int32_t block = std::exchange(sliding.blocks[static_cast<size_t>(i)], kNullBlock);
    impl_->give_back(PoolKind::kDevice, block, sequence, i);
    impl_->tell(BlockChangeKind::kWindowLeft, PoolKind::kDevice, block, sequence, i);
  }
  sliding.left_window = std::max(sliding.left_window, leave);
}

void BlockManager::fork(uint32_t parent, uint32_t child) {
  const Sequence& from = impl_->find_on_device(parent);
  Sequence copy = from;
  copy.blocks.resize(static_cast<size_t>(impl_->blocks_for(from.num_tokens)));
  Sequence& made = impl_->make_sequence(child);
  made = std::move(copy);
  impl_->index.hold(made.standing_on);
  for (size_t i = static_cast<size_t>(made.left_window); i < made.blocks.size(); ++i) {
    impl_->device().add_ref(made.blocks[i]);
    impl_->tell(BlockChangeKind::kShared, PoolKind::kDevice, made.blocks[i], child,
                static_cast<int64_t>(i));
  }
}

void BlockManager::free(uint32_t sequence) {
  const auto it = impl_->sequences.find(sequence);
  if (it == impl_->sequences.end()) return;
  Sequence& freed = it->second;
  const PoolKind kind = freed.swapped ? PoolKind::kSwap : PoolKind::kDevice;
  for (auto i = static_cast<int64_t>(freed.blocks.size()) - 1; i >= freed.left_window; --i)
    impl_->give_back(kind, freed.blocks[static_cast<size_t>(i)], sequence, i);
  impl_->forget_prefix(freed);
  impl_->sequences.erase(it);
}

bool BlockManager::can_swap_out(uint32_t sequence) const {
  const int64_t blocks = impl_->blocks_to_move(impl_->find_on_device(sequence));
  return blocks <= num_available(PoolKind::kSwap);
}

std::optional<std::vector<BlockMove>> BlockManager::swap_out(uint32_t sequence) {
  if (!can_swap_out(sequence)) return std::nullopt;
  Sequence& moved = impl_->find_on_device(sequence);
  const int64_t kept = moved.left_window + impl_->blocks_to_move(moved);
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
  for (auto i = static_cast<int64_t>(device_blocks.size()) - 1; i >= moved.left_window; --i)
    impl_->give_back(PoolKind::kDevice, device_blocks[static_cast<size_t>(i)], sequence, i);
  impl_->forget_prefix(moved);
  moved.swapped = true;
  return moves;
}

Room BlockManager::can_swap_in(uint32_t sequence) const {
  const Sequence& moved = impl_->find_swapped(sequence);
  const int64_t blocks = impl_->blocks_for(moved.num_tokens + 1) - moved.left_window;
  return impl_->room(blocks, blocks);
}

std::optional<std::vector<BlockMove>> BlockManager::swap_in(uint32_t sequence) {
  Sequence& moved = impl_->find_swapped(sequence);
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
  for (size_t i = swap_blocks.size(); i-- > first;)
    impl_->give_back(PoolKind::kSwap, swap_blocks[i], sequence, static_cast<int64_t>(i));
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
  const Sequence& held = impl_->find(sequence);
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
    require(left == 0 || config.sliding_window, "B14: blocks left a window that is not there", id);
    require(left * config.block_size <= sequence.num_tokens, "B14: unfilled blocks left", id);
    for (int64_t i = 0; i < left; ++i)
      require(sequence.blocks[static_cast<size_t>(i)] == kNullBlock, "B14: it is still there", id);
    for (int64_t i = left; i < size; ++i) {
      const int32_t block = sequence.blocks[static_cast<size_t>(i)];
      auto& counts = holders[sequence.swapped ? 1 : 0];
      require(block >= 0 && block < static_cast<int64_t>(counts.size()),
              "B8: a sequence holds a block that does not exist", id);
      ++counts[static_cast<size_t>(block)];
      if (sequence.swapped) continue;
      const NodeId known_as = node_of_block[static_cast<size_t>(block)];
      // Another holder of it may have made it known.
      require(known_as == kNoNode || (index.node(known_as).depth == i &&
                                      (i + 1) * config.block_size <= sequence.num_tokens),
              "B9: a block is known that is not full", block);
    }
    require(sequence.standing_on == kNoNode
                ? sequence.num_indexed == 0
                : sequence.num_indexed == index.node(sequence.standing_on).depth + 1,
            "B9: a sequence stands on another prefix than its own", id);
  }
  for (size_t kind = 0; kind < pools.size(); ++kind) {
    for (size_t block = 0; block < holders[kind].size(); ++block)
      require(holders[kind][block] == pools[kind].ref_count(static_cast<int32_t>(block)),
              "B8: tables and pool disagree about a block", static_cast<int64_t>(block));
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
