// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cache/block_manager_world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attn::testing {
namespace {

template <typename Because>
void require(bool holds, const char* check, const Because& because) {
  if (!holds) throw World::Failure{fmt::format("{}: {}", check, because())};
}

void require(bool holds, const char* check) {
  if (!holds) throw World::Failure{check};
}

int64_t usable_blocks(const BlockManagerConfig& config) {
  return config.num_blocks - (config.sliding_window ? 1 : 0);
}

WorldConfig with_watermark(WorldConfig config) {
  config.manager.watermark = static_cast<double>(config.watermark_blocks) /
                             static_cast<double>(usable_blocks(config.manager));
  return config;
}

}  // namespace

struct World::Listener {
  std::vector<BlockChange> changes;
  std::array<std::vector<int32_t>, 2> counts;
  OnBlockChange function() {
    return [this](const BlockChange& change) { changes.push_back(change); };
  }
};

World::World(const WorldConfig& config)
    : config_(with_watermark(config)),
      listener_(std::make_shared<Listener>()),
      manager_(std::make_unique<BlockManager>(config_.manager, listener_->function())),
      model_(config_.manager, config_.watermark_blocks) {
  const std::array<int64_t, 2> blocks{config_.manager.num_blocks, config_.manager.num_swap_blocks};
  for (size_t kind = 0; kind < 2; ++kind) {
    listener_->counts[kind].resize(static_cast<size_t>(blocks[kind]), 0);
    memory_[kind].resize(static_cast<size_t>(blocks[kind] * config_.manager.block_size));
  }
}

World::World(const World& other)
    : config_(other.config_),
      listener_(std::make_shared<Listener>(*other.listener_)),
      manager_(std::make_unique<BlockManager>(*other.manager_, listener_->function())),
      model_(other.model_),
      texts_(other.texts_),
      memory_(other.memory_) {}

Prefix& World::at(PoolKind kind, int64_t slot) {
  std::vector<Prefix>& pool = memory_[static_cast<size_t>(kind)];
  require(slot >= 0 && slot < static_cast<int64_t>(pool.size()), "B8: a slot does not exist");
  return pool[static_cast<size_t>(slot)];
}

const Prefix& World::at(PoolKind kind, int64_t slot) const {
  return const_cast<World*>(this)->at(kind, slot);
}

World::Outcome World::apply(const Op& op) {
  listener_->changes.clear();
  try {
    const Outcome outcome = run(op);
    if (outcome != Outcome::kSkipped) check_step(outcome == Outcome::kDone);
    return outcome;
  } catch (const std::exception& error) {
    throw Failure{fmt::format("throws: {}", error.what())};
  }
}

World::Outcome World::run(const Op& op) {
  const uint32_t id = op.sequence;
  if (op.kind == OpKind::kAllocate) return allocate(op);
  if (!has(id)) return Outcome::kSkipped;
  if (op.kind == OpKind::kFree) {
    model_.free(id);
    manager_->free(id);
    texts_.erase(id);
    return Outcome::kDone;
  }
  const BlockManagerModel::Table& table = model_.tables().at(id);
  const Text& text = texts_.at(id);
  if (table.swapped != (op.kind == OpKind::kSwapIn)) return Outcome::kSkipped;
  switch (op.kind) {
    case OpKind::kAppend:
      return append(op);
    case OpKind::kCompute:
      return compute(op);
    case OpKind::kMark:
      manager_->mark_computed(id, text.tokens.ids(), text.computed);
      model_.mark_computed(id, text.tokens, text.computed);
      return Outcome::kDone;
    case OpKind::kReleaseWindow:
      if (!config_.manager.sliding_window) return Outcome::kSkipped;
      manager_->release_window(id, text.computed);
      model_.release_window(id, text.computed);
      check_window(id);
      return Outcome::kDone;
    case OpKind::kFork: {
      const bool is_new = op.other < config_.num_sequences && !has(op.other);
      if (!is_new || text.computed != table.tokens) return Outcome::kSkipped;
      const int64_t available = manager_->num_available();
      manager_->fork(id, op.other);
      model_.fork(id, op.other);
      texts_[op.other] = text;
      require(manager_->num_available() == available, "B6: a fork took a block");
      return Outcome::kDone;
    }
    default:
      return swap(op);
  }
}

World::Outcome World::allocate(const Op& op) {
  const uint32_t id = op.sequence;
  if (id >= config_.num_sequences || has(id) || op.count < 1 || op.count > config_.max_tokens)
    return Outcome::kSkipped;
  const Prefix tokens = Prefix{op.tokens, 0, op.key}.first(op.count);
  const int64_t cached = model_.cached_prefix(tokens);
  const int64_t chunk = op.chunk == 0 ? op.count : std::min<int64_t>(op.count, cached + op.chunk);
  const auto expected = model_.allocate(id, tokens, chunk);
  const auto found = manager_->allocate(id, tokens.ids(), chunk, static_cast<uint64_t>(op.key));
  require(found.value_or(0) < op.count, "B10: a hit covers the whole prompt");
  require(config_.manager.prefix_caching || found.value_or(0) == 0, "B12: a hit without caching");
  require(found == expected, "agrees: allocate", [&] {
    return fmt::format("{} cached tokens, expected {}", found.value_or(-1), expected.value_or(-1));
  });
  if (!found) return Outcome::kRefused;
  texts_[id] = {tokens, *found};
  move({}, PoolKind::kDevice, PoolKind::kDevice);
  return Outcome::kDone;
}

World::Outcome World::append(const Op& op) {
  const uint32_t id = op.sequence;
  const int64_t end = model_.tables().at(id).tokens + op.count;
  if (end > config_.max_tokens) return Outcome::kSkipped;
  const auto expected = model_.append(id, op.count, op.lookahead);
  const auto found = manager_->append(id, op.count, op.lookahead);
  require(found == expected, "agrees: append", [&] {
    return fmt::format("{} moves, expected {}", found ? static_cast<int>(found->size()) : -1,
                       expected ? static_cast<int>(expected->size()) : -1);
  });
  if (!found) return Outcome::kRefused;
  Prefix& tokens = texts_.at(id).tokens;
  for (int32_t i = 0; tokens.length < end; ++i) tokens.push(op.tokens >> i & 1);
  move(*found, PoolKind::kDevice, PoolKind::kDevice);
  return Outcome::kDone;
}

World::Outcome World::compute(const Op& op) {
  const uint32_t id = op.sequence;
  Text& text = texts_.at(id);
  const int64_t end = model_.tables().at(id).tokens;
  if (text.computed == end) return Outcome::kSkipped;
  const BlockPool& pool = manager_->pool(PoolKind::kDevice);
  for (; text.computed < end; ++text.computed) {
    const int64_t slot = manager_->slot(id, text.computed);
    const auto block = static_cast<int32_t>(slot / config_.manager.block_size);
    require(!config_.manager.sliding_window || block != BlockManager::kNullBlock,
            "B2: the null block is written");
    require(pool.ref_count(block) == 1, "B7: a shared block is written");
    for (const auto& [prefix, known] : model_.known())
      require(known != block, "B9: a block is known before it is full");
    at(PoolKind::kDevice, slot) = text.tokens.first(text.computed + 1);
  }
  manager_->mark_computed(id, text.tokens.ids(), text.computed);
  model_.mark_computed(id, text.tokens, text.computed);
  return Outcome::kDone;
}

World::Outcome World::swap(const Op& op) {
  const uint32_t id = op.sequence;
  const bool out = op.kind == OpKind::kSwapOut;
  const PoolKind from = out ? PoolKind::kDevice : PoolKind::kSwap;
  const PoolKind to = out ? PoolKind::kSwap : PoolKind::kDevice;
  const int64_t before = manager_->num_available(to);
  const int64_t before_from = manager_->num_available(from);
  const auto expected = out ? model_.swap_out(id) : model_.swap_in(id);
  const auto found = out ? manager_->swap_out(id) : manager_->swap_in(id);
  const char* const name = out ? "agrees: swap_out" : "agrees: swap_in";
  require(found.has_value() == expected.has_value(), name);
  if (!found) return Outcome::kRefused;
  require(before - manager_->num_available(to) == static_cast<int64_t>(found->size()),
          "B15: another number of blocks taken than moved");
  require(out || manager_->num_available(from) - before_from == static_cast<int64_t>(found->size()),
          "B15: another number of blocks given back than moved");
  move(*found, from, to);
  check_contents();
  require(found == expected, name);
  return Outcome::kDone;
}

void World::move(const std::vector<BlockMove>& moves, PoolKind from, PoolKind to) {
  std::vector<BlockMove> told;
  const int64_t size = config_.manager.block_size;
  for (const BlockChange& change : listener_->changes) {
    if (change.kind == BlockChangeKind::kAllocated) {
      for (int64_t i = 0; i < size; ++i) at(change.pool, change.block * size + i) = {};
    } else if (change.kind == BlockChangeKind::kCopied ||
               change.kind == BlockChangeKind::kSwappedIn) {
      told.push_back({.from = change.other, .to = change.block});
    } else if (change.kind == BlockChangeKind::kSwappedOut) {
      told.push_back({.from = change.block, .to = change.other});
    }
  }
  require(told == moves, "told: other moves than are to be made");
  for (const BlockMove& m : moves) {
    for (int64_t i = 0; i < size; ++i) at(to, m.to * size + i) = at(from, m.from * size + i);
  }
}

void World::check_step(bool changed) const {
  require(changed || listener_->changes.empty(), "B5: a refused call changed something");
  check_contents();
  check_tables();
  check_pools();
  check_known();
  check_events();
}

void World::check_events() const {
  auto& counts = listener_->counts;
  for (const BlockChange& change : listener_->changes) {
    auto& of_pool = counts[static_cast<size_t>(change.pool)];
    int32_t& count = of_pool.at(static_cast<size_t>(change.block));
    switch (change.kind) {
      case BlockChangeKind::kAllocated:
        require(count == 0, "told: a used block is allocated");
        ++count;
        break;
      case BlockChangeKind::kShared:
        ++count;
        break;
      case BlockChangeKind::kReleased:
        require(--count > 0, "told: released and held by nobody");
        break;
      case BlockChangeKind::kFreed:
      case BlockChangeKind::kCached:
        require(--count == 0, "told: freed and still held");
        break;
      default:
        break;
    }
    const auto used = std::count_if(of_pool.begin(), of_pool.end(), [](int32_t c) { return c; });
    require(change.ref_count == count, "told: reference count");
    require(change.free_after == manager_->num_usable(change.pool) - used, "told: blocks left");
  }
  for (size_t kind = 0; kind < 2; ++kind) {
    for (size_t block = 0; block < counts[kind].size(); ++block)
      require(
          counts[kind][block] ==
              manager_->pool(static_cast<PoolKind>(kind)).ref_count(static_cast<int32_t>(block)),
          "told: the changes add up to other counts");
  }
}

// Every computed position that the next query reads must hold the sequence's own prefix.
void World::check_contents() const {
  const int64_t window = config_.manager.sliding_window.value_or(Prefix::kLongest + 1);
  for (const auto& [id, text] : texts_) {
    const PoolKind kind = manager_->is_swapped(id) ? PoolKind::kSwap : PoolKind::kDevice;
    for (int64_t p = std::max<int64_t>(0, text.computed - window + 1); p < text.computed; ++p) {
      require(p / config_.manager.block_size >= manager_->blocks_left_window(id),
              "B14: a block left the window that is seen");
      require(at(kind, manager_->slot(id, p)) == text.tokens.first(p + 1),
              "contents: a sequence reads what is not its own",
              [&, i = id] { return fmt::format("sequence {}, position {}", i, p); });
    }
  }
}

void World::check_tables() const {
  for (uint32_t id = 0; id < static_cast<uint32_t>(config_.num_sequences); ++id) {
    require(manager_->knows(id) == has(id), "agrees: which sequences there are");
    if (!has(id)) continue;
    const BlockManagerModel::Table& table = model_.tables().at(id);
    require(manager_->is_swapped(id) == table.swapped, "agrees: which are swapped out");
    require(manager_->num_tokens(id) == table.tokens, "B3: number of tokens");
    require(manager_->blocks_left_window(id) == model_.left_window(id), "B14: blocks that left");
    const auto blocks = manager_->blocks(id);
    require(blocks.size() == table.blocks.size(), "B3: number of blocks");
    for (size_t i = 0; i < blocks.size(); ++i) {
      const int32_t expected =
          table.blocks[i] == BlockManagerModel::kLeft ? BlockManager::kNullBlock : table.blocks[i];
      require(blocks[i] == expected, "agrees: table", [&, name = id] {
        return fmt::format("sequence {}: {}, expected {}", name,
                           std::vector<int32_t>(blocks.begin(), blocks.end()), table.blocks);
      });
    }
  }
}

// After release_window() a sequence holds, up to the block of the next query, at most one block
// more than the window needs, and not fewer than it needs if the next query's window is full.
void World::check_window(uint32_t id) const {
  const int64_t window = *config_.manager.sliding_window;
  const int64_t size = config_.manager.block_size;
  const int64_t next = texts_.at(id).computed;
  const int64_t held = next / size + 1 - manager_->blocks_left_window(id);
  const int64_t least = (window + size - 1) / size;
  require(next + 1 < window || held >= least, "B14: fewer blocks than the window needs");
  require(held <= least + 1, "B14: more blocks than the window needs");
}

void World::check_pools() const {
  for (const PoolKind kind : {PoolKind::kDevice, PoolKind::kSwap}) {
    const BlockPool& pool = manager_->pool(kind);
    const bool is_device = kind == PoolKind::kDevice;
    int64_t used = 0;
    for (int32_t block = 0; block < pool.num_blocks(); ++block) {
      require(pool.ref_count(block) == model_.holders(kind, block), "B8: reference count",
              [&] { return fmt::format("of block {}", block); });
      used += pool.ref_count(block) > 0;
    }
    const int64_t null_blocks = is_device && config_.manager.sliding_window ? 1 : 0;
    require(pool.num_free() + pool.num_evictable() + used + null_blocks == pool.num_blocks(),
            "B1: free + used + evictable");
    const std::vector<BlockManagerModel::Evictable> evictable =
        is_device ? model_.evictable() : std::vector<BlockManagerModel::Evictable>();
    require(pool.num_evictable() == static_cast<int64_t>(evictable.size()), "B8: evictable blocks");
    for (const auto& e : evictable) require(pool.is_evictable(e.block), "B8: evictable block");
    require(pool.oldest_evictable() == (evictable.empty() ? -1 : evictable.front().block),
            "B11: another block would be evicted next");
  }
}

void World::check_known() const {
  const std::vector<BlockManager::PrefixNode> nodes = manager_->prefix_nodes();
  require(nodes.size() == model_.known().size(), "B9: number of known blocks",
          [&] { return fmt::format("{}, expected {}", nodes.size(), model_.known().size()); });
  const auto size = static_cast<size_t>(config_.manager.block_size);
  for (const auto& [prefix, block] : model_.known()) {
    const auto node = std::find_if(nodes.begin(), nodes.end(),
                                   [b = block](const auto& n) { return n.block == b; });
    require(node != nodes.end(), "B9: a known block is not in the index");
    const std::vector<int32_t> ids = prefix.ids();
    uint64_t hash = 0, parent = 0;
    for (size_t begin = 0; begin < ids.size(); begin += size) {
      parent =
          std::exchange(hash, config_.manager.prefix_hash(hash, std::span(ids).subspan(begin, size),
                                                          static_cast<uint64_t>(prefix.key)));
    }
    require(node->hash == hash && node->parent == parent, "B9: the hash is not that of the chain");
    require(node->depth == static_cast<int64_t>(ids.size() / size) - 1, "B9: depth");
    require(std::equal(node->tokens.begin(), node->tokens.end(), ids.end() - node->tokens.size(),
                       ids.end()),
            "B9: tokens");
    require(node->ref_count == model_.holders(PoolKind::kDevice, block), "B9: count of a node");
    for (size_t i = 0; i < size; ++i) {
      const int64_t slot = int64_t{block} * config_.manager.block_size + static_cast<int64_t>(i);
      require(at(PoolKind::kDevice, slot) ==
                  prefix.first(static_cast<int64_t>(ids.size() - size + i) + 1),
              "contents: a known block holds something else");
    }
  }
  const BlockManager::PrefixStats& found = manager_->prefix_stats();
  const BlockManager::PrefixStats& expected = model_.stats();
  require(found.queried_tokens == expected.queried_tokens &&
              found.hit_tokens == expected.hit_tokens &&
              found.evicted_blocks == expected.evicted_blocks,
          "agrees: prefix_stats");
}

void World::check_queries() const {
  try {
    manager_->check_invariants();
    std::vector<Prefix> prompts;
    for (int64_t length = 1; length <= config_.max_tokens; ++length)
      prompts.push_back(Prefix().first(length));
    const auto add = [&](Prefix prompt) {
      prompts.push_back(prompt);
      for (const int32_t token : {0, 1}) {
        Prefix longer = prompt;
        if (longer.length < Prefix::kLongest) longer.push(token);
        prompts.push_back(longer);
      }
      prompt.key = 1 - prompt.key;
      prompts.push_back(prompt);
    };
    for (const auto& [id, text] : texts_) add(text.tokens);
    for (const auto& [prefix, block] : model_.known()) add(prefix);
    for (const Prefix& prompt : prompts) {
      const auto key = static_cast<uint64_t>(prompt.key);
      const int64_t cached = manager_->cached_prefix(prompt.ids(), key);
      require(cached < prompt.length, "B10: a hit covers the whole prompt");
      require(cached == model_.cached_prefix(prompt), "B10: cached_prefix");
      require(manager_->can_allocate(prompt.ids(), key) == model_.can_allocate(prompt),
              "B4: can_allocate", [&] { return fmt::format("{}", prompt.ids()); });
    }
    for (const auto& [id, table] : model_.tables()) {
      if (table.swapped) {
        require(manager_->can_swap_in(id) == model_.can_swap_in(id), "B15: can_swap_in");
        continue;
      }
      require(manager_->can_swap_out(id) == model_.can_swap_out(id), "B15: can_swap_out");
      for (const int64_t more : {int64_t{0}, int64_t{1}, config_.manager.block_size + 1}) {
        for (const int64_t lookahead : {int64_t{0}, int64_t{1}, config_.manager.block_size})
          require(manager_->blocks_needed(id, more, lookahead) ==
                      model_.blocks_needed(id, more, lookahead),
                  "B3: blocks_needed");
      }
    }
  } catch (const std::exception& error) {
    throw Failure{fmt::format("throws: {}", error.what())};
  }
}

std::string World::canonical() const {
  // The numbers of sequences and the names of the two tokens do not matter, so the smallest text
  // over all choices is taken.
  std::vector<uint32_t> order;
  for (const auto& [id, text] : texts_) order.push_back(id);
  std::string smallest = canonical(order, false);
  do {
    for (const bool flipped : {false, true})
      smallest = std::min(smallest, canonical(order, flipped));
  } while (std::next_permutation(order.begin(), order.end()));
  return smallest;
}

std::string World::canonical(const std::vector<uint32_t>& order, bool flipped) const {
  std::string text;
  const auto put = [&](int64_t number) { text.push_back(static_cast<char>(number)); };
  const auto put_prefix = [&](const Prefix& prefix) {
    put(prefix.length);
    put(prefix.key);
    const uint64_t bits =
        flipped ? (~prefix.bits & ((uint64_t{1} << prefix.length) - 1)) : prefix.bits;
    for (int32_t shift = 0; shift < prefix.length; shift += 8)
      put(static_cast<int64_t>(bits >> shift & 0xff));
  };
  put(static_cast<int64_t>(order.size()));
  std::array<std::map<int32_t, int64_t>, 2> names;
  std::map<int32_t, bool> is_known;
  for (const auto& [prefix, block] : model_.known()) is_known[block] = true;
  for (const uint32_t id : order) {
    const BlockManagerModel::Table& table = model_.tables().at(id);
    put_prefix(texts_.at(id).tokens);
    put(texts_.at(id).computed);
    put(table.tokens);
    put(table.marked);
    put(table.swapped);
    put(static_cast<int64_t>(table.blocks.size()));
    auto& of_pool = names[table.swapped ? 1 : 0];
    for (const int32_t block : table.blocks) {
      const auto next = static_cast<int64_t>(of_pool.size());
      put(block == BlockManagerModel::kLeft ? -1 : of_pool.try_emplace(block, next).first->second);
      put(!table.swapped && is_known.contains(block));
    }
  }
  // Known blocks in use appear with the tables above; evictable ones are described by their
  // prefixes, in order of eviction.
  for (const BlockManagerModel::Evictable& e : model_.evictable()) {
    for (const auto& [prefix, block] : model_.known())
      if (block == e.block) put_prefix(prefix);
  }
  return text;
}

Op random_op(Rng& rng, const WorldConfig& config) {
  const auto below = [&](int64_t bound) {
    return static_cast<uint8_t>(rng.below(static_cast<uint64_t>(bound)));
  };
  constexpr OpKind kKinds[] = {
      OpKind::kAllocate, OpKind::kAllocate, OpKind::kAllocate,      OpKind::kAppend,
      OpKind::kAppend,   OpKind::kAppend,   OpKind::kAppend,        OpKind::kCompute,
      OpKind::kCompute,  OpKind::kCompute,  OpKind::kCompute,       OpKind::kCompute,
      OpKind::kMark,     OpKind::kFork,     OpKind::kReleaseWindow, OpKind::kFree,
      OpKind::kFree,     OpKind::kSwapOut,  OpKind::kSwapIn,        OpKind::kSwapIn};
  Op op;
  op.kind = kKinds[rng.below(std::size(kKinds))];
  op.sequence = below(config.num_sequences);
  op.other = below(config.num_sequences);
  const bool is_prompt = op.kind == OpKind::kAllocate;
  op.count = is_prompt ? static_cast<uint8_t>(1 + below(config.max_tokens))
                       : below(2 * config.manager.block_size + 1);
  if (rng.below(3) == 0) op.chunk = below(2 * config.manager.block_size + 1);
  if (rng.below(4) == 0) op.lookahead = below(2 * config.manager.block_size + 1);
  if (is_prompt && rng.below(8) == 0) op.key = 1;
  // Most operations use the same tokens, to share prefixes.
  if (rng.below(3) == 0) op.tokens = uint64_t{1} << rng.below(is_prompt ? op.count : 4);
  return op;
}

WorldConfig random_config(Rng& rng) {
  const auto below = [&](uint64_t bound) { return static_cast<int64_t>(rng.below(bound)); };
  WorldConfig config;
  BlockManagerConfig& manager = config.manager;
  manager.block_size = 1 + below(4);
  manager.num_blocks = 2 + below(13);
  manager.num_swap_blocks = below(8);
  manager.prefix_caching = rng.below(4) != 0;
  if (rng.below(2) == 0) manager.sliding_window = 1 + below(10);
  if (rng.below(3) == 0) {
    manager.prefix_hash = [](uint64_t, std::span<const int32_t>, uint64_t) -> uint64_t {
      return 1;
    };
  } else if (rng.below(3) == 0) {
    manager.prefix_hash = [](uint64_t parent, std::span<const int32_t> tokens, uint64_t key) {
      return 1 + default_prefix_hash(parent, tokens, key) % 3;
    };
  }
  config.watermark_blocks =
      rng.below(2) == 0 ? 0 : below(static_cast<uint64_t>(usable_blocks(manager)));
  config.num_sequences = 1 + below(6);
  config.max_tokens = 1 + below(40);
  return config;
}

std::string failure_of(const WorldConfig& config, const std::vector<Op>& ops, bool queries) {
  try {
    World world(config);
    for (const Op& op : ops) {
      const World::Outcome outcome = world.apply(op);
      if (queries && outcome == World::Outcome::kDone) world.check_queries();
    }
  } catch (const World::Failure& failure) {
    return failure.check;
  }
  return "";
}

std::string to_string(const std::vector<Op>& ops) {
  constexpr const char* kNames[] = {"kAllocate", "kAppend", "kCompute", "kMark",  "kReleaseWindow",
                                    "kFork",     "kFree",   "kSwapOut", "kSwapIn"};
  std::string text = "const std::vector<Op> ops = {\n";
  for (const Op& op : ops) {
    text += fmt::format("    {{.kind = OpKind::{}, .sequence = {}",
                        kNames[static_cast<int>(op.kind)], op.sequence);
    const auto field = [&](const char* name, uint64_t value) {
      if (value != 0) text += fmt::format(", .{} = {}", name, value);
    };
    field("other", op.other);
    field("count", op.count);
    field("chunk", op.chunk);
    field("lookahead", op.lookahead);
    field("key", op.key);
    field("tokens", op.tokens);
    text += "},\n";
  }
  return text + "};\n";
}

std::string to_string(const WorldConfig& config) {
  const BlockManagerConfig& m = config.manager;
  const std::vector<int32_t> probe{0, 1};
  return fmt::format(
      "block size {}, {} + {} blocks, caching {}, window {}, watermark {} blocks, {} sequences of "
      "up "
      "to {} tokens, hash {}",
      m.block_size, m.num_blocks, m.num_swap_blocks, m.prefix_caching ? "on" : "off",
      m.sliding_window ? fmt::format("{}", *m.sliding_window) : "off", config.watermark_blocks,
      config.num_sequences, config.max_tokens,
      m.prefix_hash == default_prefix_hash ? std::string("default")
                                           : fmt::format("weak ({})", m.prefix_hash(0, probe, 0)));
}

}  // namespace attn::testing
