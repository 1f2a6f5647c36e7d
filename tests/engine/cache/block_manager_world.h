// SPDX-License-Identifier: GPL-3.0-or-later
// A BlockManager, its model, and a memory that records which prefix was written to each slot.
// Operations are plain data and are applied to all three. After an operation the manager must give
// the model's answers and have the model's tables, and a slot that a sequence would read must hold
// the sequence's own prefix. An operation that makes no sense in a state is skipped. Also random
// operations and random sizes of a world.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/rng.h"
#include "tests/engine/cache/block_manager_model.h"

namespace attn::testing {

enum class OpKind : uint8_t {
  kAllocate,
  kAppend,
  kCompute,  // writes the tokens that have a slot and are not computed, then marks them as computed
  kMark,     // calls mark_computed() and computes nothing
  kReleaseWindow,
  kFork,
  kFree,
  kSwapOut,
  kSwapIn,
};

struct Op {
  OpKind kind = OpKind::kAllocate;
  uint8_t sequence = 0;
  uint8_t other = 0;      // the child of a fork
  uint8_t count = 0;      // allocate: tokens of the prompt; append: more tokens
  uint8_t chunk = 0;      // allocate: blocks for this many tokens after the cached ones; 0: all
  uint8_t lookahead = 0;  // append: lookahead slots
  uint8_t key = 0;        // allocate: extra key of the prefix
  uint64_t tokens = 0;    // one bit per token: the prompt, or the tokens after those already known
  bool operator==(const Op&) const = default;
};
std::string to_string(const std::vector<Op>& ops);  // as C++ that can be pasted into a test

struct WorldConfig {
  BlockManagerConfig manager;
  int64_t watermark_blocks = 0;  // goes into manager.watermark
  int64_t num_sequences = 3;
  int64_t max_tokens = 8;  // tokens of one sequence; at most Prefix::kLongest
};
std::string to_string(const WorldConfig& config);

class World {
 public:
  explicit World(const WorldConfig& config);
  World(const World& other);

  enum class Outcome { kSkipped, kRefused, kDone };
  Outcome apply(const Op& op);
  // Checks the calls that change nothing (can_allocate, cached_prefix, blocks_needed, ...) and the
  // manager's own invariants.
  void check_queries() const;
  // Equal for states that differ only in block numbers, ids of sequences, or which token is called
  // 0.
  std::string canonical() const;

  struct Failure {
    std::string check;
  };
  const BlockManagerModel& model() const { return model_; }
  bool has(uint32_t id) const { return model_.has(id); }
  // The tokens of the sequence so far, and how many of them are computed.
  struct Text {
    Prefix tokens;
    int64_t computed = 0;
  };
  const std::map<uint32_t, Text>& texts() const { return texts_; }
  const WorldConfig& config() const { return config_; }

 private:
  struct Listener;
  Outcome run(const Op& op);
  Outcome allocate(const Op& op);
  Outcome append(const Op& op);
  Outcome compute(const Op& op);
  Outcome swap(const Op& op);
  void move(const std::vector<BlockMove>& moves, PoolKind from, PoolKind to);
  void check_step(bool changed) const;
  void check_events() const;
  void check_contents() const;
  void check_tables() const;
  void check_window(uint32_t id) const;
  void check_pools() const;
  void check_known() const;
  std::string canonical(const std::vector<uint32_t>& order, bool flipped) const;
  Prefix& at(PoolKind kind, int64_t slot);
  const Prefix& at(PoolKind kind, int64_t slot) const;

  WorldConfig config_;
  std::shared_ptr<Listener> listener_;
  std::unique_ptr<BlockManager> manager_;
  BlockManagerModel model_;
  std::map<uint32_t, Text> texts_;
  std::array<std::vector<Prefix>, 2> memory_;  // [pool][slot] the prefix that was written there
};

Op random_op(Rng& rng, const WorldConfig& config);
WorldConfig random_config(Rng& rng);
// The first failing check of a run of `ops` from the start; empty: none. queries: also calls
// check_queries() after each operation that was done.
std::string failure_of(const WorldConfig& config, const std::vector<Op>& ops, bool queries = true);

}  // namespace attn::testing
