// SPDX-License-Identifier: GPL-3.0-or-later
// A BlockManager, its model and a memory that remembers what was written where, moved together by
// operations that are plain data. What one operation must do is checked at once: the same answers
// as the model, the same tables, and everything a sequence would read is its own prefix. Operations
// that make no sense in a state are skipped, so every part of a list is a list that can be run.
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
  kCompute,  // everything its table has room for, and says so
  kMark,     // says once more what is computed
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
  uint8_t chunk = 0;      // allocate: so many tokens after the cached ones; 0: all
  uint8_t lookahead = 0;  // append
  uint8_t key = 0;        // allocate
  uint64_t tokens =
      0;  // one bit per token: allocate: from the first; append: those after the known
  bool operator==(const Op&) const = default;
};
std::string to_string(const std::vector<Op>& ops);  // as C++ that can be pasted into a test

struct WorldConfig {
  BlockManagerConfig manager;
  int64_t watermark_blocks = 0;  // goes into manager.watermark
  int64_t num_sequences = 3;
  int64_t max_tokens = 8;  // of a sequence, at most Prefix::kLongest
};
std::string to_string(const WorldConfig& config);

class World {
 public:
  explicit World(const WorldConfig& config);
  World(const World& other);

  enum class Outcome { kSkipped, kRefused, kDone };
  // Throws Failure when a check finds something.
  Outcome apply(const Op& op);
  // The answers that change nothing: can_allocate, cached_prefix, blocks_needed, ... for all there
  // is, and the manager's own books.
  void check_queries() const;
  // States are equal when the same can happen in them: block numbers, the names of sequences, which
  // of the two tokens is which, and what free blocks hold do not matter.
  std::string canonical() const;

  struct Failure {
    std::string check;  // which one: "B7: ...", "agrees: ..."
  };
  const BlockManagerModel& model() const { return model_; }
  bool has(uint32_t id) const { return model_.has(id); }
  // What the sequence is known to hold and how much of it is computed.
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
  std::array<std::vector<Prefix>, 2> memory_;  // by pool and slot
};

// Any operation on up to config.num_sequences sequences; longer prompts and steps than a search
// takes.
Op random_op(Rng& rng, const WorldConfig& config);
WorldConfig random_config(Rng& rng);
// The first failing check of a run from the beginning; empty: all hold. `queries`: check_queries()
// after every operation too.
std::string failure_of(const WorldConfig& config, const std::vector<Op>& ops, bool queries = true);

}  // namespace attn::testing
