// SPDX-License-Identifier: GPL-3.0-or-later
// Continuous batching under a token budget and a sequence budget. schedule() takes the blocks of
// the next step from the BlockManager and returns the plan; update() takes the sampled tokens.
// Engine thread.
//
// The line. Requests are ordered by priority (smaller first), then by arrival. A preemption does
// not change a request's place in this line. The line decides who is admitted next and who is
// preempted first; no running request is preempted to let a waiting one in.
//
// Policies. prefill_first: a batch is all prefill or all decode; prompts go first, each in one
// step. When a recomputation is longer than a step, its rest follows token by token, as decodes.
// chunked_prefill: decodes of running requests go first, then prompts fill the rest of the token
// budget, cut into chunks. With prefix caching, a chunk that does not reach the end of its prompt
// ends at a block boundary, unless this would leave it empty. Under both policies a prompt takes
// the blocks of all its tokens at its admission. Tokens found by their prefix use no budget;
// context_len counts them.
//
// Preemption. When decodes need more blocks than are available, the last running request of the
// line is preempted: by swap if that is configured and the swap pool has room for all of it,
// otherwise by recomputation. Swapped requests come back before any waiting one is admitted. A
// recomputation comes back only when all its tokens fit again, and no request is admitted or
// swapped in during a step that preempted. When nothing runs, the first of the line comes back
// regardless of the watermark. The first running request of the line is never preempted.
//
// Samples. A request with n > 1 counts as n of max_num_seqs from its admission on, and is forked
// into n requests at its first token: with ids from a counter, the added request as `parent`, and
// seed + sample_index. From then on each is scheduled and preempted alone.
//
// Beam search. update() gets the beam_candidates() best tokens of each beam with their
// log-probabilities. Once all beams of the search have theirs, choose_beams() takes the best. One
// taken candidate of a beam stays in the beam's own request, further ones become forks; a beam
// without one ends as FINISHED_STOPPED with "Dropped: ...". The search ends when no beam goes on,
// at a limit of its length or of the cache, or when beam_width hypotheses are finished and
// (early_stopping, or no running beam can score better than the beam_width-th best of them). The
// best beam_width by beam_score() get their beam_rank; the rest end as "Dropped: ...". A search is
// admitted, preempted, swapped and brought back as a whole.
//
// Cross attention. A request with encoder_ids has a table of the encoder's tokens, too
// (TableKind::kCross). It takes the blocks of this table at its admission, and the table never
// grows; a fork shares its parent's. Both tables are admitted, preempted, swapped and freed
// together. The token budget counts the request's own tokens. Requests share a prefix of their own
// tokens only if their encoders read the same tokens. The encoder's table is not looked up by its
// prefix.
//
// A request that can never run ends as FINISHED_IGNORED and says what it would need. One that
// outgrows the cache or max_model_len ends as FINISHED_LENGTH_CAPPED and says so.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/request.h"
#include "engine/scheduler/scheduler_config.h"

namespace attn {

struct SchedulerParts;

class Scheduler {
 public:
  // The manager must outlive the scheduler, hold no sequence yet, and be changed by no one else.
  // Throws as check_limits() does.
  Scheduler(SchedulerConfig config, BlockManager& manager, SchedulerEvents events = {});
  ~Scheduler();

  // Takes the request; it arrives at the first schedule() at or after its arrival_ns. The reference
  // stays valid as long as the scheduler lives. Throws std::logic_error for an id that was added or
  // given to a fork before, and for a request without a table.
  Request& add(Request request);
  // Ends a request at any moment (also before its arrival, when swapped out, or while a step is in
  // flight) and frees its blocks. Its forks end with it, even if the request itself has already
  // ended. While a search goes on, aborting any of its beams, even an ended one, aborts the whole
  // search. Unknown ids are ignored. So is an ended request without such a search or unfinished
  // forks.
  void abort(uint32_t request, uint64_t now_ns);
  bool has_work() const;  // some request runs, waits, is swapped out or will arrive
  // The next arrival, if nothing can be planned before it. nullopt: no request will arrive, or some
  // are waiting, running or swapped out already.
  std::optional<uint64_t> next_arrival_ns() const;

  // Makes the plan of the next step. A plan that is not empty must be passed to update() or
  // discard() before the next schedule(). An empty plan: no request is left, or all arrive later.
  // now_ns decides who has arrived and is the time of admissions, preemptions and refusals; it must
  // not go back.
  BatchPlan schedule(uint32_t step, uint64_t now_ns);
  // The step was computed. `sampled`: the num_samples tokens of each sequence of plan.sequences, in
  // order; those of requests that were aborted meanwhile are dropped. now_ns is the time of the
  // tokens and ends.
  void update(const BatchPlan& plan, std::span<const SampledToken> sampled, uint64_t now_ns);
  // The step was cancelled: its tokens are not computed, and are planned again. Blocks stay taken
  // and are not taken twice; admissions, preemptions and swaps stay as they are. So the moves of a
  // plan must be carried out even if its step is cancelled.
  void discard(const BatchPlan& plan);

  Request* find(uint32_t request);
  const Request* find(uint32_t request) const;
  // All requests, in order of creation, by add() or as a fork.
  const std::vector<std::unique_ptr<Request>>& requests() const;
  // Waiting requests that have arrived; the others are counted by num_not_arrived().
  int64_t num_waiting() const;
  int64_t num_running() const;
  int64_t num_swapped() const;
  int64_t num_not_arrived() const;
  const SchedulerConfig& config() const;
  const BlockManager& manager() const;
  // The device blocks of a running request's table, by logical block. Empty: the request does not
  // run, or has no such table.
  std::span<const int32_t> device_blocks(const Request& request,
                                         TableKind kind = TableKind::kOwn) const;
  int64_t capacity_tokens() const;
  // Throws std::logic_error when requests, queues, tables, pools or searches contradict each other.
  void check_invariants() const;

 private:
  void let_arrive(BatchPlan& plan, uint64_t now_ns);
  void settle(const BatchPlan& plan);
  void count_computed(Request& request, int64_t tokens);
  void take_samples(Request& request, std::span<const SampledToken> sampled, uint64_t now_ns);
  void take_token(Request& request, int32_t token, uint64_t now_ns);
  void check_tables(const Request& request) const;

  std::unique_ptr<SchedulerParts> parts_;
  std::optional<uint32_t> in_flight_;  // step of the plan that awaits update() or discard()
};

}  // namespace attn
