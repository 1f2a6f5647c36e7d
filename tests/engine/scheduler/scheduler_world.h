// SPDX-License-Identifier: GPL-3.0-or-later
// A world for the scheduler: requests that arrive, are aborted, fork and search; steps that are
// computed or cancelled; and a fake cache on both pools that moves what the plans say and remembers
// what every slot holds. After every operation the books must agree, every plan must follow the
// rules (B16, B18, B20 and the header of scheduler.h), every token that a step would read must be
// where its table says, and in the end everybody ends as scheduler_oracle.h says (B17, B19).
// A run is a list of operations, so that a failing one can be shortened.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn::testing {

enum class OpKind {
  kAdd,
  kAbort,          // between two steps
  kStep,           // computed
  kCancelledStep,  // some of its tokens written, then discarded
  kAbortInStep,    // a step during which somebody is aborted
  kWait,           // time passes
};

struct Op {
  OpKind kind = OpKind::kStep;
  Request request = {};     // kAdd; arrival_ns counts from the operation
  uint32_t target = 0;      // an abort: the id of an added request...
  int64_t sample = 0;       // ...and which of its forks; 0: itself
  uint64_t elapsed_ns = 1;  // before the operation
};
std::string to_string(const Op& op);

struct WorldSetup {
  SchedulerConfig config;
  BlockManagerConfig blocks;
};
std::string to_string(const WorldSetup& setup);

// What the walks went through; they must really go through what they are about.
struct WorldStats {
  int64_t operations = 0, steps = 0, tokens = 0, chunks = 0, replays = 0, cancelled = 0,
          aborted = 0;
  int64_t recomputed = 0, swapped_out = 0, swapped_in = 0, copies = 0, forks = 0, cached_tokens = 0;
  int64_t searches_done = 0, searches_preempted = 0, idle = 0, evicted = 0;
  void add(const WorldStats& other);
};
std::string to_string(const WorldStats& stats);

// Runs the operations and then steps until everybody has ended. Returns "" or what went wrong
// where. `goes_on`, when there is one, is told all that decides what can happen next (but for the
// ages of evictable blocks; which block a table holds does not) after the operations; where it says
// no, nobody steps on.
std::string run_world(const WorldSetup& setup, std::span<const Op> ops, WorldStats* stats = nullptr,
                      const std::function<bool(const std::string& state)>& goes_on = {});

WorldSetup random_setup(uint64_t seed);
std::vector<Op> random_ops(uint64_t seed, int64_t count);
// The failing walk, with as few operations as still fail.
std::string shortest_failure(const WorldSetup& setup, const std::vector<Op>& ops);

}  // namespace attn::testing
