// SPDX-License-Identifier: GPL-3.0-or-later
// A world for the scheduler: requests that arrive, are aborted, fork and search; steps that are
// computed or cancelled; and a fake cache in both pools that carries out the plans' moves and
// records what every slot holds. After every operation the block counts must be right, every plan
// must follow the rules of scheduler.h, and every token that a step reads must lie where its block
// table says. At the end every request must hold no block and, if it was not aborted, have ended as
// scheduler_oracle.h says. A run is a list of operations, so that a failing run can be shortened.
// The numbers in failure messages stand for rules: B1 to B15 are listed in test_block_manager.cpp;
// B16 the last of the queue order are preempted first; B17 every request has the outputs it has
// alone; B18 a plan keeps the budgets and has a sequence at most once; B19 what is aborted ends,
// and what has ended holds no blocks; B20 tokens go to slots of their own.
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
  kAbort,          // aborts a request between two steps
  kStep,           // a step that is computed as a whole
  kCancelledStep,  // half of its sequences are computed, then it is discarded
  kAbortInStep,
  kWait,  // only time passes
};

struct Op {
  OpKind kind = OpKind::kStep;
  Request request = {};  // kAdd; arrival_ns counts from the time of this operation
  uint32_t target = 0;   // abort: id of a request; there may be no such request
  int64_t sample = 0;    // abort: which fork; 0: the request itself
  uint64_t elapsed_ns = 1;
};
std::string to_string(const Op& op);

struct WorldSetup {
  SchedulerConfig config;
  BlockManagerConfig blocks;
};
std::string to_string(const WorldSetup& setup);

// Counts of what the walks did.
struct WorldStats {
  int64_t operations = 0, steps = 0, tokens = 0, chunks = 0, replays = 0, cancelled = 0,
          aborted = 0;
  int64_t recomputed = 0, swapped_out = 0, swapped_in = 0, copies = 0, forks = 0, cached_tokens = 0;
  int64_t searches_done = 0, searches_preempted = 0, idle = 0, evicted = 0;
  void add(const WorldStats& other);
};
std::string to_string(const WorldStats& stats);

// Runs the operations and then steps until all requests have ended. Returns "" or what went wrong
// and where. `goes_on`, if given, is called after the operations with a text of the state; if it
// returns false, the run ends there.
std::string run_world(const WorldSetup& setup, std::span<const Op> ops, WorldStats* stats = nullptr,
                      const std::function<bool(const std::string& state)>& goes_on = {});

WorldSetup random_setup(uint64_t seed);
std::vector<Op> random_ops(uint64_t seed, int64_t count);
// Removes operations as long as the rest still fails, and describes the failure of what remains.
std::string shortest_failure(const WorldSetup& setup, const std::vector<Op>& ops);

}  // namespace attn::testing
