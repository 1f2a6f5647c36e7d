// SPDX-License-Identifier: GPL-3.0-or-later
// Continuous batching, first come first served, under a token and a sequence budget. schedule()
// allocates the blocks of the step and returns the plan; update() takes the sampled tokens. A batch
// is all prefill or all decode (prefill first), as the original backends want it. When the pool
// runs dry the newest running request is preempted by recomputation and goes to the front of the
// queue. Engine thread.
//
// A request that can never run (its prompt is longer than a step, than a sequence may be, or than
// the whole cache) ends as FINISHED_IGNORED with a sentence that says what would be needed. A
// preempted request computes its prompt and its outputs again in one prefill; what exceeds
// max_num_batched_tokens follows token by token as decodes that sample nothing, so no token is
// lost, repeated or drawn twice. Running requests are always older than waiting ones.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/cache/block_pool.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/request.h"

namespace attn {

struct SchedulerConfig {
  int64_t max_num_batched_tokens = 2048;  // tokens per step, at least 1
  int64_t max_num_seqs = 16;              // sequences that run at a time, at least 1
  int64_t max_model_len = 512;            // longest sequence, prompt + output, tokens, at least 1
};

// What the scheduler tells the outside as it happens (trace events, kept operands). All optional;
// none may call back. Admission: scheduled, block_allocated... Preemption and end: before_free,
// block_freed..., preempted or finished; the state is the new one from before_free on, num_computed
// the old one until the blocks are gone.
struct SchedulerEvents {
  std::function<void(const Request&, int32_t block, int64_t logical, int64_t free_after)>
      block_allocated, block_freed;
  std::function<void(const Request&)>
      before_free;  // its blocks are about to be given back: archive what they hold
  std::function<void(const Request&)> scheduled, preempted, finished;
  std::function<uint64_t()>
      now_ns;  // the run's clock: stamps admission, abort and refusal. Absent: not stamped
};

class Scheduler {
 public:
  // The pool must outlive the scheduler and is used by nobody else. Throws Error(kBadInput) on a
  // limit below 1.
  Scheduler(SchedulerConfig config, BlockPool& pool, int64_t block_size,
            SchedulerEvents events = {});

  // Takes the request into the queue. The reference stays valid until the scheduler dies. Ids are
  // unique.
  Request& add(Request request);
  // Ends a request at any moment and frees its blocks. Unknown or finished ids are ignored.
  void abort(uint32_t request);
  bool has_work() const;

  // The plan of the next step. A plan that is not empty must reach update() or discard() before the
  // next schedule().
  BatchPlan schedule(uint32_t step);
  // The step was computed. sampled[i]: the token of the i-th sequence of plan.sequences with
  // samples == true, in order; those of requests aborted since are dropped. now_ns stamps times.
  void update(const BatchPlan& plan, std::span<const int32_t> sampled, uint64_t now_ns);
  // The step was cancelled: its tokens stay not computed and are planned again. Blocks stay taken
  // and are not taken twice; admissions and preemptions stay as they are.
  void discard(const BatchPlan& plan);

  Request* find(uint32_t request);
  const std::vector<std::unique_ptr<Request>>& requests() const {
    return requests_;
  }  // in order of arrival
  int64_t num_waiting() const { return static_cast<int64_t>(waiting_.size()); }
  int64_t num_running() const { return static_cast<int64_t>(running_.size()); }
  const SchedulerConfig& config() const { return config_; }
  // Tokens the whole cache holds: the longest sequence whose K and V fit.
  int64_t capacity_tokens() const { return pool_.num_blocks() * block_size_; }
  // Throws std::logic_error when the books disagree: states and queues, order, tables and pool.
  // O(requests + blocks).
  void check_invariants() const;

 private:
  std::string never_fits(const Request& request) const;  // "" when it can run
  int64_t first_prefill_len(const Request& request) const;
  void ignore_impossible(BatchPlan& plan);
  void plan_prefills(BatchPlan& plan);
  void plan_decodes(BatchPlan& plan);
  bool make_room(Request& request,
                 BatchPlan& plan);  // for one more token; false: the request itself was preempted
  bool grow_table(Request& request, int64_t num_tokens);
  void preempt_newest(BatchPlan& plan);
  void take_token(Request& request, int32_t token, uint64_t now_ns);
  void end(Request& request, RequestState state, std::optional<uint64_t> now_ns);
  void free_blocks(Request& request);
  void settle(const BatchPlan& plan);  // the plan in flight is over
  std::optional<uint64_t> now() const;

  SchedulerConfig config_;
  BlockPool& pool_;
  int64_t block_size_;
  SchedulerEvents events_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::unordered_map<uint32_t, Request*> by_id_;
  std::vector<Request*> unchecked_;  // added since the last schedule()
  std::deque<Request*> waiting_;   // in order of arrival; preempted ones are older than all others
  std::vector<Request*> running_;  // in order of admission, which is order of arrival
  std::optional<uint32_t> in_flight_;  // step of the plan that awaits update() or discard()
};

}  // namespace attn
