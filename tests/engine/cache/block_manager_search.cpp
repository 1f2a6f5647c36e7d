// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cache/block_manager_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>
#include <unordered_set>
#include <utility>

namespace attn::testing {
namespace {

// Two hashes of a canonical state.
using Key = std::pair<uint64_t, uint64_t>;
struct KeyHash {
  size_t operator()(const Key& key) const { return key.first; }
};

Key key_of(const World& world) {
  const std::string text = world.canonical();
  uint64_t second = 0xcbf29ce484222325;
  for (const char c : text) {
    second = (second ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    second ^= second >> 29;
  }
  return {std::hash<std::string>()(text), second};
}

// The tokens of a prompt in which all tokens of a block are equal: bit b of `pattern` is the token
// of block b.
uint64_t spread(uint64_t pattern, int64_t count, int64_t block_size) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < count; ++i) bits |= (pattern >> (i / block_size) & 1) << i;
  return bits;
}

void add_allocations(const SearchConfig& config, uint8_t id, std::vector<Op>& ops) {
  const int64_t size = config.world.manager.block_size;
  for (int64_t count = 1; count <= config.max_prompt; ++count) {
    for (uint64_t pattern = 0; pattern < uint64_t{1} << ((count + size - 1) / size); ++pattern) {
      for (uint8_t key = 0; key < config.num_keys; ++key) {
        for (const uint8_t chunk : config.chunks)
          ops.push_back({.kind = OpKind::kAllocate,
                         .sequence = id,
                         .count = static_cast<uint8_t>(count),
                         .chunk = chunk,
                         .key = key,
                         .tokens = spread(pattern, count, size)});
      }
    }
  }
}

void add_appends(const SearchConfig& config, const World& world, uint8_t id, std::vector<Op>& ops) {
  const Prefix& tokens = world.texts().at(id).tokens;
  const int64_t size = config.world.manager.block_size;
  const int64_t n = world.model().tables().at(id).tokens;
  for (const uint8_t more : config.appends) {
    const int64_t fresh = std::max<int64_t>(0, n + more - tokens.length);
    // New tokens in the current block repeat its last token; those after it are all 0 or all 1.
    const int64_t same = (size - tokens.length % size) % size;
    const uint64_t last = tokens.length > 0 && tokens.token(tokens.length - 1) ? ~uint64_t{0} : 0;
    const uint64_t kept = last & ((uint64_t{1} << std::min(same, fresh)) - 1);
    for (const uint8_t lookahead : config.lookaheads) {
      Op op{.kind = OpKind::kAppend, .sequence = id, .count = more, .lookahead = lookahead};
      op.tokens = kept;
      ops.push_back(op);
      if (fresh <= same) continue;
      op.tokens = kept | ((uint64_t{1} << fresh) - (uint64_t{1} << same));
      ops.push_back(op);
    }
  }
}

std::vector<Op> operations(const SearchConfig& config, const World& world) {
  std::vector<Op> ops;
  uint8_t absent = 0;  // the smallest unused id stands for all unused ones
  while (world.has(absent)) ++absent;
  if (absent < config.world.num_sequences) add_allocations(config, absent, ops);
  for (const auto& [sequence, text] : world.texts()) {
    const auto id = static_cast<uint8_t>(sequence);
    add_appends(config, world, id, ops);
    for (const OpKind kind : {OpKind::kCompute, OpKind::kMark, OpKind::kReleaseWindow,
                              OpKind::kFork, OpKind::kFree, OpKind::kSwapOut, OpKind::kSwapIn})
      ops.push_back({.kind = kind, .sequence = id, .other = absent});
  }
  return ops;
}

class Search {
 public:
  explicit Search(const SearchConfig& config) : config_(config) {}

  SearchResult run(int64_t most_states) {
    const std::clock_t began = std::clock();
    visited_.insert(key_of(World(config_.world)));
    states_.push_back({});
    size_t next = 0;
    for (; next < states_.size() && result_.failure.empty(); ++next) {
      if (static_cast<int64_t>(states_.size()) > most_states) break;
      expand(next);
    }
    result_.states = static_cast<int64_t>(states_.size());
    result_.closed = next == states_.size();
    result_.seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    return std::move(result_);
  }

 private:
  struct State {
    size_t before = 0;
    Op op;
    int32_t depth = 0;
  };

  // A state is stored as the operation that leads to it and the state before, which takes less
  // memory than a world.
  std::vector<Op> path_to(size_t state) const {
    std::vector<Op> path;
    for (; states_[state].depth > 0; state = states_[state].before)
      path.push_back(states_[state].op);
    std::reverse(path.begin(), path.end());
    return path;
  }

  void expand(size_t state) {
    const std::vector<Op> path = path_to(state);
    World world(config_.world);
    for (const Op& op : path) world.apply(op);
    std::optional<World> after;
    for (const Op& op : operations(config_, world)) {
      try {
        if (!after) after.emplace(world);
        const World::Outcome outcome = after->apply(op);
        if (outcome == World::Outcome::kSkipped) continue;
        ++result_.operations;
        if (outcome == World::Outcome::kRefused) continue;
        const bool is_new = visited_.insert(key_of(*after)).second;
        if (is_new) after->check_queries();
        after.reset();
        if (!is_new) continue;
        states_.push_back({state, op, states_[state].depth + 1});
        result_.depth = states_.back().depth;
      } catch (const World::Failure& failure) {
        result_.failure = failure.check;
        result_.path = path;
        result_.path.push_back(op);
        return;
      }
    }
  }

  SearchConfig config_;
  std::vector<State> states_;
  std::unordered_set<Key, KeyHash> visited_;
  SearchResult result_;
};

SearchConfig base(const char* name) {
  SearchConfig config;
  config.name = name;
  config.world.manager = {.block_size = 2, .num_blocks = 3, .num_swap_blocks = 1};
  config.world.num_sequences = 2;
  config.world.max_tokens = 5;
  return config;
}

uint64_t constant_hash(uint64_t, std::span<const int32_t>, uint64_t) {
  return 1;
}

}  // namespace

SearchResult search(const SearchConfig& config, int64_t most_states) {
  return Search(config).run(most_states);
}

std::string to_string(const SearchConfig& config, const SearchResult& result) {
  return fmt::format("{}: {} states, {} operations, {} deep, {}, {:.1f} s of processor time [{}]",
                     config.name, result.states, result.operations, result.depth,
                     result.closed ? "closed" : "NOT closed", result.seconds,
                     to_string(config.world));
}

std::vector<SearchConfig> small_searches() {
  std::vector<SearchConfig> all;
  const auto add = [&](const char* name) -> SearchConfig& {
    all.push_back(base(name));
    return all.back();
  };
  SearchConfig& plain = add("Plain");
  plain.world.manager.num_swap_blocks = 2;
  plain.world.num_sequences = 3;
  plain.world.max_tokens = 4;
  add("Prefix").world.manager.prefix_caching = true;
  SearchConfig& collisions = add("CollisionsAndKeys");
  collisions.world.manager.prefix_caching = true;
  collisions.world.manager.prefix_hash = constant_hash;
  collisions.world.manager.num_swap_blocks = 0;
  collisions.num_keys = 2;
  SearchConfig& window = add("Window");
  window.world.manager.num_blocks = 4;
  window.world.manager.sliding_window = 3;
  window.world.max_tokens = 6;
  SearchConfig& both = add("WindowAndPrefix");
  both.world.manager.num_blocks = 4;
  both.world.manager.num_swap_blocks = 0;
  both.world.manager.prefix_caching = true;
  both.world.manager.sliding_window = 2;
  SearchConfig& lookahead = add("LookaheadChunksWatermark");
  lookahead.world.watermark_blocks = 1;
  lookahead.world.max_tokens = 4;
  lookahead.max_prompt = 4;
  lookahead.lookaheads = {0, 2};
  lookahead.chunks = {0, 1};
  return all;
}

std::vector<SearchConfig> full_searches() {
  std::vector<SearchConfig> all;
  for (const bool caching : {false, true}) {
    for (const bool window : {false, true}) {
      SearchConfig config = base(caching  ? window ? "FullPrefixAndWindow" : "FullPrefix"
                                 : window ? "FullWindow"
                                          : "FullPlain");
      // 4 usable blocks, and the null block if there is a window.
      config.world.manager.num_blocks = window ? 5 : 4;
      config.world.manager.num_swap_blocks = 2;
      config.world.manager.prefix_caching = caching;
      if (window) config.world.manager.sliding_window = 3;
      // Fewer sequences with prefix caching and a window keep the number of states down.
      config.world.num_sequences = caching && window ? 2 : 3;
      all.push_back(config);
    }
  }
  SearchConfig lookahead = small_searches().back();
  lookahead.name = "LookaheadChunksWatermarkPrefix";
  lookahead.world.manager.prefix_caching = true;
  all.push_back(lookahead);
  return all;
}

}  // namespace attn::testing
