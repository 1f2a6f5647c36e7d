// SPDX-License-Identifier: GPL-3.0-or-later
// StepHistory: what every past step of a run left behind - its plan, the block tables, what each
// block held, the prefix tree, how far each request was - so that views can show any of them again.
// Kept as differences from step to step, with a whole state now and then to start from, in a ring
// that is bounded by bytes: the oldest steps go first.
//
// What a step reads and writes is not kept: it follows from its plan and the tables it ran with, by
// the rule that the engine itself uses (mark_blocks_used()). So a step costs what it changed, not
// what it looked at.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/scheduler/scheduler.h"
#include "engine/session/snapshot.h"

namespace attn {

class PutBytes;
class TakeBytes;
struct SessionLimits;

namespace history {
struct Prefix;
}  // namespace history

// What a request had written when it had fewer tokens. Any thread.
class PastTexts {
 public:
  virtual ~PastTexts() = default;
  // request: as it is now. num_tokens: prompt_len or more, fewer than it has now.
  virtual std::string output_text(const RequestView& request, int64_t num_tokens) const = 0;
};

class StepHistory {
 public:
  // Steps that can be restored; none while last < first.
  struct Range {
    uint32_t first = 1, last = 0;
    bool empty() const { return last < first; }
    bool contains(uint32_t step) const { return first <= step && step <= last; }
    bool operator==(const Range&) const = default;
  };

  // Blocks of the two pools, tokens per block. The source gives texts.
  StepHistory(size_t max_bytes, size_t num_blocks, size_t num_swap_blocks, int64_t block_size,
              std::shared_ptr<const Source> source);
  ~StepHistory();

  // --- engine thread ---
  // The block's view changed otherwise than by mark_blocks_used() of a step that came to its end.
  void touch(PoolKind pool, int32_t block);
  // The device block, which is touched as well, is found by its prefix from now on: the request's
  // tokens up to the block's end.
  void hashed(int32_t block, uint32_t request);
  // The blocks and requests as the step's kernels will find them: after the plan and its moves.
  void planned(const Scheduler& scheduler, const BlockManager& manager,
               const std::vector<BlockView>& blocks, const std::vector<BlockView>& swap_blocks);
  // The step came to its end. Without planned() before it: nothing was computed.
  void finished(uint32_t step, const BatchPlan& plan, int64_t generated_tokens,
                const Scheduler& scheduler, const BlockManager& manager,
                const std::vector<BlockView>& blocks, const std::vector<BlockView>& swap_blocks);

  // --- any thread ---
  Range range() const;
  size_t bytes() const;  // about what it holds
  // The snapshot as it would have been published right after the step: requests, tables, blocks,
  // the prefix tree, plan and figures are those of then; `now`, a snapshot of the same run from
  // that step or a later one, gives what does not change and the records of attention. Of a record
  // those rows are of then that are below RequestView::num_computed. Null when the step is not in
  // range(), or `now` is older.
  std::shared_ptr<const EngineSnapshot> restore(const EngineSnapshot& now, uint32_t step) const;

  // --- session files (step_history_file.cpp) ---
  // The state before the first step that is kept, and all steps.
  void save(PutBytes& out, const SessionLimits& limits) const;
  // Every value is checked against the state that the steps before it add up to. Throws
  // Error(kBadInput). A history that is loaded takes no more steps.
  static std::shared_ptr<StepHistory> load(TakeBytes& in, const SessionLimits& limits,
                                           std::shared_ptr<const PastTexts> texts);
  // How many tokens a request had at the ends of the steps, by its place in the list of requests:
  // what restore() asks PastTexts for. Ascending, each once.
  std::vector<std::vector<int64_t>> token_counts() const;
  const PastTexts& texts() const { return *texts_; }

 private:
  StepHistory(size_t max_bytes, const SessionLimits& limits,
              std::shared_ptr<const PastTexts> texts);

  struct RequestMoment;
  struct State;
  struct Changes;
  struct Step;
  struct Segment;

  void collect(Changes& changes, const Scheduler& scheduler, const BlockManager& manager,
               const std::vector<BlockView>& blocks, const std::vector<BlockView>& swap_blocks);
  void collect_prefixes(Changes& changes, const Scheduler& scheduler, const BlockManager& manager);
  std::shared_ptr<const history::Prefix> prefix_in(int32_t block, Changes& changes,
                                                   const Scheduler& scheduler,
                                                   const BlockManager& manager);
  std::shared_ptr<const std::vector<PrefixView>> prefix_views(
      const std::vector<std::shared_ptr<const history::Prefix>>& prefixes,
      const std::vector<RequestView>& requests) const;
  void append(std::shared_ptr<const Step> step, size_t touched);
  void begin_segment();
  std::vector<std::shared_ptr<const Step>> all_steps(State& before) const;
  std::shared_ptr<const EngineSnapshot> compose(const EngineSnapshot& now, const Step& step,
                                                State state) const;

  const size_t max_bytes_;
  const int64_t block_size_;
  const std::shared_ptr<const PastTexts> texts_;

  // Engine thread: the state that all steps so far add up to, and what is not in a step yet.
  std::unique_ptr<State> state_;
  std::unique_ptr<Changes> pending_;
  std::vector<int32_t> touched_, touched_swap_;
  std::unordered_map<int32_t, uint32_t> hashed_by_;            // since then: block, request
  std::vector<std::shared_ptr<const history::Prefix>> known_;  // by node of the prefix index
  std::shared_ptr<Segment> next_;  // that the next step begins; null: it goes into the last one

  size_t held_bytes() const;

  mutable std::mutex mutex_;  // of the segments; held for pointer copies
  std::deque<std::shared_ptr<Segment>> segments_;
  size_t bytes_ = 0;  // of all segments, but for the prefixes that the first one begins with
};

}  // namespace attn
