// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cache/block_manager_model.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace attn::testing {

Prefix Prefix::first(int64_t count) const {
  return {bits & ((uint64_t{1} << count) - 1), static_cast<int32_t>(count), key};
}

void Prefix::push(int32_t token) {
  bits |= static_cast<uint64_t>(token) << length;
  ++length;
}

std::vector<int32_t> Prefix::ids() const {
  std::vector<int32_t> found;
  for (int32_t i = 0; i < length; ++i) found.push_back(token(i));
  return found;
}

BlockManagerModel::BlockManagerModel(const BlockManagerConfig& config, int64_t watermark)
    : config_(config), watermark_(watermark) {
  const int64_t first = config.sliding_window ? 1 : 0;
  for (int64_t block = config.num_blocks - 1; block >= first; --block)
    free_[0].push_back(static_cast<int32_t>(block));
  for (int64_t block = config.num_swap_blocks - 1; block >= 0; --block)
    free_[1].push_back(static_cast<int32_t>(block));
}

int64_t BlockManagerModel::blocks_for(int64_t tokens) const {
  int64_t blocks = 0;
  while (blocks * config_.block_size < tokens) ++blocks;
  return blocks;
}

int64_t BlockManagerModel::available(PoolKind kind) const {
  const auto free = static_cast<int64_t>(free_[kind_index(kind)].size());
  return kind == PoolKind::kSwap ? free : free + static_cast<int64_t>(evictable_.size());
}

int64_t BlockManagerModel::usable() const {
  return config_.num_blocks - (config_.sliding_window ? 1 : 0);
}

int32_t BlockManagerModel::holders(PoolKind kind, int32_t block) const {
  int64_t count = 0;
  for (const auto& [id, table] : tables_) {
    if (table.swapped == (kind == PoolKind::kSwap))
      count += std::count(table.blocks.begin(), table.blocks.end(), block);
  }
  return static_cast<int32_t>(count);
}

int64_t BlockManagerModel::left_window(uint32_t id) const {
  const std::vector<int32_t>& blocks = tables_.at(id).blocks;
  return std::count(blocks.begin(), blocks.end(), kLeft);
}

std::vector<BlockManagerModel::Evictable> BlockManagerModel::evictable() const {
  std::vector<Evictable> sorted = evictable_;
  std::sort(sorted.begin(), sorted.end(), [](const Evictable& a, const Evictable& b) {
    return std::tuple(a.time, -a.depth) < std::tuple(b.time, -b.depth);
  });
  return sorted;
}

const Prefix* BlockManagerModel::known_as(int32_t block) const {
  for (const auto& [prefix, holder] : known_)
    if (holder == block) return &prefix;
  return nullptr;
}

int32_t BlockManagerModel::take(PoolKind kind) {
  std::vector<int32_t>& free = free_[kind_index(kind)];
  if (!free.empty()) {
    const int32_t block = free.back();
    free.pop_back();
    return block;
  }
  if (kind == PoolKind::kSwap || evictable_.empty()) throw Full();
  const int32_t block = evictable().front().block;
  std::erase_if(evictable_, [&](const Evictable& e) { return e.block == block; });
  std::erase_if(known_, [&](const auto& entry) { return entry.second == block; });
  ++stats_.evicted_blocks;
  return block;
}

// Called after a block was removed from a table. If no table holds it, it becomes evictable or
// free.
void BlockManagerModel::let_go(PoolKind kind, int32_t block) {
  if (block == kLeft || holders(kind, block) > 0) return;
  const Prefix* prefix = kind == PoolKind::kDevice ? known_as(block) : nullptr;
  if (prefix) {
    evictable_.push_back({block, time_, prefix->length / config_.block_size});
  } else {
    free_[kind_index(kind)].push_back(block);
  }
}

template <typename Change>
bool BlockManagerModel::all_or_nothing(const Change& change) {
  BlockManagerModel before = *this;
  ++time_;
  try {
    change();
    return true;
  } catch (const Full&) {
    *this = std::move(before);
    return false;
  }
}

int64_t BlockManagerModel::cached_prefix(const Prefix& tokens) const {
  if (!config_.prefix_caching) return 0;
  int64_t cached = 0;
  while (cached + config_.block_size < tokens.length &&
         known_.contains(tokens.first(cached + config_.block_size))) {
    cached += config_.block_size;
  }
  return cached;
}

std::optional<int64_t> BlockManagerModel::allocate(uint32_t id, const Prefix& tokens,
                                                   int64_t num_tokens) {
  const int64_t cached = cached_prefix(tokens);
  const bool fits = all_or_nothing([&] {
    Table& table = tables_[id];
    table.tokens = num_tokens;
    table.key = tokens.key;
    for (int64_t end = config_.block_size; end <= cached; end += config_.block_size) {
      const int32_t block = known_.at(tokens.first(end));
      std::erase_if(evictable_, [&](const Evictable& e) { return e.block == block; });
      table.blocks.push_back(block);
      ++table.marked;
    }
    while (static_cast<int64_t>(table.blocks.size()) * config_.block_size < num_tokens)
      table.blocks.push_back(take(PoolKind::kDevice));
  });
  if (!fits) return std::nullopt;
  if (config_.prefix_caching) {
    stats_.queried_tokens += tokens.length;
    stats_.hit_tokens += cached;
  }
  return cached;
}

Room BlockManagerModel::can_allocate(const Prefix& tokens) const {
  if (usable() - blocks_for(tokens.length) < watermark_) return Room::kNever;
  BlockManagerModel trial = *this;
  const bool fits = trial.allocate(~0u, tokens, tokens.length).has_value();
  return fits && trial.available(PoolKind::kDevice) >= watermark_ ? Room::kOk : Room::kLater;
}

std::optional<std::vector<BlockMove>> BlockManagerModel::append(uint32_t id, int64_t more,
                                                                int64_t lookahead) {
  std::vector<BlockMove> moves;
  const bool fits = all_or_nothing([&] {
    Table& table = tables_.at(id);
    for (int64_t i = 0; more + lookahead > 0 && i < static_cast<int64_t>(table.blocks.size());
         ++i) {
      if (i * config_.block_size >= table.tokens || (i + 1) * config_.block_size <= table.tokens)
        continue;
      const int32_t shared = table.blocks[static_cast<size_t>(i)];
      if (holders(PoolKind::kDevice, shared) == 1) continue;
      const int32_t own = take(PoolKind::kDevice);
      table.blocks[static_cast<size_t>(i)] = own;
      moves.push_back({.from = shared, .to = own});
    }
    table.tokens += more;
    while (static_cast<int64_t>(table.blocks.size()) < blocks_for(table.tokens + lookahead))
      table.blocks.push_back(take(PoolKind::kDevice));
  });
  return fits ? std::optional(moves) : std::nullopt;
}

int64_t BlockManagerModel::blocks_needed(uint32_t id, int64_t more, int64_t lookahead) const {
  BlockManagerModel trial = *this;
  constexpr int64_t kPlenty = 200;
  for (int32_t i = 0; i < kPlenty; ++i) trial.free_[0].push_back(1000 + i);
  const int64_t before = trial.available(PoolKind::kDevice);
  return trial.append(id, more, lookahead) ? before - trial.available(PoolKind::kDevice) : -1;
}

void BlockManagerModel::mark_computed(uint32_t id, const Prefix& tokens, int64_t num_computed) {
  if (!config_.prefix_caching) return;
  Table& table = tables_.at(id);
  for (; (table.marked + 1) * config_.block_size <= num_computed; ++table.marked) {
    const int32_t block = table.blocks[static_cast<size_t>(table.marked)];
    if (block != kLeft)
      known_.try_emplace(tokens.first((table.marked + 1) * config_.block_size), block);
  }
}

void BlockManagerModel::release_window(uint32_t id, int64_t next_position) {
  if (!config_.sliding_window) return;
  ++time_;
  Table& table = tables_.at(id);
  for (auto i = static_cast<int64_t>(table.blocks.size()) - 1; i >= 0; --i) {
    bool seen = false;
    for (int64_t key = i * config_.block_size; key < (i + 1) * config_.block_size; ++key)
      seen = seen || next_position - key < *config_.sliding_window;
    if (seen) continue;
    const int32_t block = std::exchange(table.blocks[static_cast<size_t>(i)], kLeft);
    let_go(PoolKind::kDevice, block);
  }
}

void BlockManagerModel::fork(uint32_t parent, uint32_t child) {
  Table copy = tables_.at(parent);
  copy.blocks.resize(static_cast<size_t>(blocks_for(copy.tokens)));
  tables_[child] = copy;
}

void BlockManagerModel::free(uint32_t id) {
  ++time_;
  Table& table = tables_.at(id);
  while (!table.blocks.empty()) {
    const int32_t block = table.blocks.back();
    table.blocks.pop_back();
    let_go(table.swapped ? PoolKind::kSwap : PoolKind::kDevice, block);
  }
  tables_.erase(id);
}

std::optional<std::vector<BlockMove>> BlockManagerModel::swap_out(uint32_t id) {
  std::vector<BlockMove> moves;
  const bool fits = all_or_nothing([&] {
    Table moved = tables_.at(id);
    moved.swapped = true;
    moved.marked = 0;
    moved.blocks.resize(static_cast<size_t>(blocks_for(moved.tokens)));
    for (int32_t& block : moved.blocks) {
      if (block == kLeft) continue;
      const int32_t to = take(PoolKind::kSwap);
      moves.push_back({.from = block, .to = to});
      block = to;
    }
    free(id);
    tables_[id] = moved;
  });
  return fits ? std::optional(moves) : std::nullopt;
}

bool BlockManagerModel::can_swap_out(uint32_t id) const {
  BlockManagerModel trial = *this;
  return trial.swap_out(id).has_value();
}

std::optional<std::vector<BlockMove>> BlockManagerModel::swap_in(uint32_t id) {
  std::vector<BlockMove> moves;
  const bool fits = all_or_nothing([&] {
    Table moved = tables_.at(id);
    moved.swapped = false;
    for (int32_t& block : moved.blocks) {
      if (block == kLeft) continue;
      const int32_t to = take(PoolKind::kDevice);
      moves.push_back({.from = block, .to = to});
      block = to;
    }
    free(id);
    tables_[id] = moved;
  });
  return fits ? std::optional(moves) : std::nullopt;
}

Room BlockManagerModel::can_swap_in(uint32_t id) const {
  if (usable() - (blocks_for(tables_.at(id).tokens + 1) - left_window(id)) < watermark_)
    return Room::kNever;
  BlockManagerModel trial = *this;
  const bool fits = trial.swap_in(id) && trial.append(id, 1, 0);
  return fits && trial.available(PoolKind::kDevice) >= watermark_ ? Room::kOk : Room::kLater;
}

}  // namespace attn::testing
