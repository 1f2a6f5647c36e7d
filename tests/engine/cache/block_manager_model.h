// SPDX-License-Identifier: GPL-3.0-or-later
// A plain model of BlockManager: reference counts are counted from the tables, prefixes are
// compared by tokens and key instead of hashes, and a call that finds too few blocks restores a
// copy made before. The manager must agree with it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/block_manager.h"

namespace attn::testing {

// The first `length` tokens of a sequence (at most kLongest), each 0 or 1, under an extra key. The
// content of a slot is the prefix that ends with its token, or a prefix of length 0 if nothing was
// written since its block was allocated.
struct Prefix {
  uint64_t bits = 0;
  int32_t length = 0;
  int32_t key = 0;
  auto operator<=>(const Prefix&) const = default;

  static constexpr int32_t kLongest = 56;
  Prefix first(int64_t count) const;
  void push(int32_t token);
  int32_t token(int64_t position) const { return static_cast<int32_t>(bits >> position & 1); }
  std::vector<int32_t> ids() const;
};

class BlockManagerModel {
 public:
  struct Table {
    std::vector<int32_t> blocks;  // block numbers; kLeft where a block left the window
    int64_t tokens = 0;
    int64_t marked = 0;  // number of blocks that mark_computed() skips
    bool swapped = false;
    int32_t key = 0;
  };
  static constexpr int32_t kLeft = -1;
  struct Evictable {
    int32_t block = 0;
    int64_t time = 0;
    int64_t depth = 0;
  };

  // watermark: in blocks.
  BlockManagerModel(const BlockManagerConfig& config, int64_t watermark);

  Room can_allocate(const Prefix& tokens) const;
  std::optional<int64_t> allocate(uint32_t id, const Prefix& tokens, int64_t num_tokens);
  int64_t cached_prefix(const Prefix& tokens) const;
  int64_t blocks_needed(uint32_t id, int64_t more, int64_t lookahead) const;
  std::optional<std::vector<BlockMove>> append(uint32_t id, int64_t more, int64_t lookahead);
  void mark_computed(uint32_t id, const Prefix& tokens, int64_t num_computed);
  void release_window(uint32_t id, int64_t next_position);
  void fork(uint32_t parent, uint32_t child);
  void free(uint32_t id);
  bool can_swap_out(uint32_t id) const;
  std::optional<std::vector<BlockMove>> swap_out(uint32_t id);
  Room can_swap_in(uint32_t id) const;
  std::optional<std::vector<BlockMove>> swap_in(uint32_t id);

  bool has(uint32_t id) const { return tables_.contains(id); }
  const std::map<uint32_t, Table>& tables() const { return tables_; }
  const std::vector<int32_t>& free_list(PoolKind kind) const { return free_[kind_index(kind)]; }
  std::vector<Evictable> evictable() const;                          // in order of eviction
  const std::map<Prefix, int32_t>& known() const { return known_; }  // block that a prefix finds
  int32_t holders(PoolKind kind, int32_t block) const;
  int64_t left_window(uint32_t id) const;
  const BlockManager::PrefixStats& stats() const { return stats_; }

 private:
  struct Full {};
  static size_t kind_index(PoolKind kind) { return static_cast<size_t>(kind); }
  int64_t blocks_for(int64_t tokens) const;
  int64_t available(PoolKind kind) const;
  int64_t usable() const;
  const Prefix* known_as(int32_t block) const;
  int32_t take(PoolKind kind);
  void let_go(PoolKind kind, int32_t block);
  // Runs `change`. If blocks run out, restores the state from before the call and returns false.
  template <typename Change>
  bool all_or_nothing(const Change& change);

  BlockManagerConfig config_;
  int64_t watermark_ = 0;
  int64_t time_ = 0;  // the clock for the order of eviction
  std::map<uint32_t, Table> tables_;
  std::array<std::vector<int32_t>, 2> free_;  // the last one is handed out next
  std::vector<Evictable> evictable_;
  std::map<Prefix, int32_t> known_;
  BlockManager::PrefixStats stats_;
};

}  // namespace attn::testing
