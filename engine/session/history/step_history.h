// SPDX-License-Identifier: GPL-3.0-or-later
// StepHistory: the state after past steps of a run, from which views show a step again. It keeps
// the differences from step to step. Successive steps form a segment, which begins with a whole
// state. To limit its memory the oldest segments are dropped; the last one stays.
//
// The blocks that a step reads and writes are not kept. mark_blocks_used() finds them from the plan
// and the block tables.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/scheduler/scheduler.h"
#include "engine/session/batch/step_batch.h"
#include "engine/session/run/snapshot.h"

namespace attn {

class PutBytes;
class TakeBytes;
struct SessionLimits;

namespace history {
class StepPrefixes;
}  // namespace history

// Gives the output text of a request when it had fewer tokens. Any thread.
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

  // num_blocks, num_swap_blocks: sizes of the two pools. block_size: tokens. source: decodes texts.
  StepHistory(size_t max_bytes, size_t num_blocks, size_t num_swap_blocks, int64_t block_size,
              std::shared_ptr<const Source> source);
  ~StepHistory();

  // --- engine thread ---
  // Call this when the BlockView of a block changes, except by mark_blocks_used() of a finished
  // step.
  void touch(PoolKind pool, int32_t block);
  // Call this and touch() when a device block can be found by its prefix from now on. request: one
  // with that prefix.
  void hashed(int32_t block, uint32_t request);
  // Takes the state before the kernels of a step, after its plan was made and its blocks were
  // moved.
  void planned(const Scheduler& scheduler, const BlockManager& manager,
               const std::vector<BlockView>& blocks, const std::vector<BlockView>& swap_blocks);
  // Takes a finished step. Call it after planned() of that step.
  void finished(uint32_t step, const BatchPlan& plan, int64_t generated_tokens,
                const Scheduler& scheduler, const BlockManager& manager,
                const std::vector<BlockView>& blocks, const std::vector<BlockView>& swap_blocks);

  // --- any thread ---
  Range range() const;
  size_t bytes() const;  // approximate memory of all steps
  // The snapshot right after the step. Requests, tables, blocks, the prefix tree, the plan and
  // figures are of that time. Attention and residual records and the counts of changed and rounded
  // numbers come from `now`, a snapshot of the same run at that step or later. In a record only the
  // rows below RequestView::num_computed are of that time. If no step of the run left a block in
  // use, the requests still hold the blocks with which the step computed them, as in
  // restore_held(). Null: the step is not in range(), or `now` is older.
  std::shared_ptr<const EngineSnapshot> restore(const EngineSnapshot& now, uint32_t step) const;
  // Like restore(), but requests still hold the blocks with which the step computed them, also if
  // they ended with the step, and if blocks left the sliding window with it.
  std::shared_ptr<const EngineSnapshot> restore_held(const EngineSnapshot& now,
                                                     uint32_t step) const;
  // The sequences of a step and the block tables that its kernels found. nullopt: the step is not
  // in range(), or it computed nothing.
  std::optional<StepBatch> batch(uint32_t step) const;

  // --- session files (step_history_file.cpp) ---
  // Writes the state before the first kept step, then the steps.
  void save(PutBytes& out, const SessionLimits& limits) const;
  // Checks the values of a step against the state after the steps before it. Throws
  // Error(kBadInput). No steps can be added to a history that was loaded.
  static std::shared_ptr<StepHistory> load(TakeBytes& in, const SessionLimits& limits,
                                           std::shared_ptr<const PastTexts> texts);
  // For each request, numbers of tokens, among them all for which restore() can ask PastTexts.
  // Ascending, without repeats.
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
  void append(std::shared_ptr<const Step> step, size_t touched);
  void begin_segment();
  std::vector<std::shared_ptr<const Step>> all_steps(State& before) const;
  std::vector<std::shared_ptr<const Step>> steps_to(uint32_t step,
                                                    std::shared_ptr<const Segment>& segment) const;
  std::shared_ptr<const EngineSnapshot> restore(const EngineSnapshot& now, uint32_t step,
                                                bool still_held) const;
  std::shared_ptr<const EngineSnapshot> compose(const EngineSnapshot& now, const Step& step,
                                                State state, bool still_held) const;

  const size_t max_bytes_;
  const int64_t block_size_;
  const std::shared_ptr<const PastTexts> texts_;

  // Engine thread: the present state, and those of its changes that are in no step yet.
  std::unique_ptr<State> state_;
  std::unique_ptr<Changes> pending_;
  std::vector<int32_t> touched_, touched_swap_;
  std::unique_ptr<history::StepPrefixes> prefixes_;
  // The segment that the next step begins. Null: the step goes into the last one.
  std::shared_ptr<Segment> next_;

  size_t held_bytes() const;

  // Guards segments_ and bytes_.
  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<Segment>> segments_;
  size_t bytes_ = 0;  // without Segment::prefix_bytes
};

}  // namespace attn
