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
// chunked_prefill: decodes go first, then prompts fill the rest of the token budget, cut into
// chunks. With prefix caching, a chunk that does not reach the end of its prompt ends at a block
// boundary, unless this would leave it empty. Under both policies a prompt takes the blocks of all
// its tokens at its admission. Tokens found by their prefix use no budget; context_len counts them.
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
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/request.h"

namespace attn {

enum class SchedulingPolicy { kPrefillFirst, kChunkedPrefill };
std::string_view name_of(SchedulingPolicy policy);  // "prefill_first", "chunked_prefill"

struct SchedulerConfig {
  int64_t max_num_batched_tokens = 2048;  // tokens per step, at least 1
  int64_t max_num_seqs = 16;              // sequences that run at a time, at least 1
  int64_t max_model_len = 512;            // longest sequence, prompt + output, tokens, at least 1
  int64_t max_encoder_len = 0;            // tokens that an encoder can read; 0: any number
  SchedulingPolicy policy = SchedulingPolicy::kPrefillFirst;
  PreemptionMode preemption = PreemptionMode::kRecompute;
  // Forks get ids from here on, always above all ids known so far.
  uint32_t first_fork_id = 0;
};

// Callbacks for what happens (trace events, kept operands). All are optional; none may call the
// scheduler. Order at an admission: scheduled, then blocks are taken. At a preemption or an end:
// before_free, then blocks are given back or swapped out, then preempted or finished.
struct SchedulerEvents {
  std::function<void(const Request&)> arrived;    // the arrival time has come (QUEUED)
  std::function<void(const Request&)> scheduled;  // WAITING -> RUNNING, each time (SCHEDULED)
  std::function<void(const Request&)> resumed;    // SWAPPED -> RUNNING
  // Called before the device blocks of a request are given back, so that their content can be
  // archived. Not called for a sequence without device blocks (waiting, swapped out).
  std::function<void(const Request&)> before_free;
  std::function<void(const Request&)> preempted, finished;
  // The child is in requests(), RUNNING, with the parent's blocks; neither has its new token yet.
  std::function<void(const Request& parent, const Request& child)> forked;
};

// A token for update(). logprob: natural logarithm of its probability under the model; only beams
// need it.
struct SampledToken {
  int32_t token = 0;
  double logprob = 0;
};
// Fills up a beam's list that has fewer than beam_candidates() tokens.
inline constexpr int32_t kNoToken = -1;

class Scheduler {
 public:
  // The manager must outlive the scheduler, hold no sequence yet, and be changed by no one else.
  // Throws Error(kBadInput) on a limit below 1.
  Scheduler(SchedulerConfig config, BlockManager& manager, SchedulerEvents events = {});
  ~Scheduler();

  // Takes the request; it arrives at the first schedule() at or after its arrival_ns. The reference
  // stays valid as long as the scheduler lives. Ids are unique.
  Request& add(Request request);
  // Ends a request at any moment (also before its arrival, when swapped out, or while a step is in
  // flight) and frees its blocks. Its forks end with it, even if the request itself has already
  // ended. Aborting any beam aborts the whole search. Unknown ids, and finished ones without
  // unfinished forks, are ignored.
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
  const std::vector<std::unique_ptr<Request>>& requests() const { return requests_; }
  // Waiting requests that have arrived; the others are counted by num_not_arrived().
  int64_t num_waiting() const { return static_cast<int64_t>(waiting_.size()); }
  int64_t num_running() const { return static_cast<int64_t>(running_.size()); }
  int64_t num_swapped() const { return static_cast<int64_t>(swapped_.size()); }
  int64_t num_not_arrived() const { return static_cast<int64_t>(future_.size()); }
  const SchedulerConfig& config() const { return config_; }
  const BlockManager& manager() const { return manager_; }
  // The device blocks of a running request's table, by logical block; empty for others.
  std::span<const int32_t> device_blocks(const Request& request,
                                         TableKind kind = TableKind::kOwn) const;
  int64_t capacity_tokens() const { return usable_blocks_ * block_size_; }
  // Throws std::logic_error when states and queues, order, tables or pools contradict each other.
  // O(requests + blocks).
  void check_invariants() const;

 private:
  class Planner;
  struct Before {
    bool operator()(const Request* a, const Request* b) const;
  };
  using Line = std::set<Request*, Before>;
  // A beam search in progress. Its live beams have the same state: all run, wait or are swapped
  // out.
  struct Search {
    std::vector<Request*> live;
    std::vector<Request*> hypotheses;  // beams that ended by a stop token or a limit
    // The candidates of beams whose step is computed, kept until the other beams have theirs.
    std::unordered_map<const Request*, std::vector<SampledToken>> candidates;
    int64_t num_forks = 0;
  };
  // Sequences. unit_of() gives those that are admitted, preempted and brought back together: a
  // single one or the live beams of a search, in queue order.
  using Unit = std::vector<Request*>;

  // --- scheduler.cpp ---
  void let_arrive(BatchPlan& plan, uint64_t now_ns);
  std::string never_fits(const Request& request);  // "" when it can run
  uint64_t prefix_key(const Request& request);
  Room room_for(const Request& request, std::span<const int32_t> own_ids);
  int64_t blocks_of(const Request& request) const;
  int64_t copies_of(const Request& request) const;
  Unit unit_of(Request& request);
  Search* search_of(const Request& request);
  const Search* search_of(const Request& request) const;
  int64_t seats(const Request& request) const;  // sequences it has now or will have by forking
  int64_t seats_taken() const;
  int64_t most_seats() const;
  void leave_line(Request& request);
  void abort_one(Request& request, uint64_t now_ns);
  void end(Request& request, RequestState state, uint64_t now_ns);
  void free_blocks(Request& request);

  // --- scheduler_update.cpp ---
  void settle(const BatchPlan& plan);
  void count_computed(Request& request, int64_t tokens);
  void take_samples(Request& request, std::span<const SampledToken> sampled, uint64_t now_ns);
  void push_token(Request& request, int32_t token, uint64_t now_ns);
  void take_token(Request& request, int32_t token, uint64_t now_ns);
  // Why the request must end. nullopt: it need not; "": it has max_tokens.
  std::optional<std::string> cap_reason(const Request& request) const;
  Request& fork(Request& parent, int64_t sample_index);
  void advance_search(uint32_t root, uint64_t now_ns);
  void drop(Request& beam, const char* why, uint64_t now_ns);
  double score_of(const Request& beam) const;
  Unit ranked(const Search& search) const;
  bool no_beam_can_win(const Search& search, const Request& asked) const;
  void end_search_when_over(uint32_t root, uint64_t now_ns);

  // --- scheduler_check.cpp ---
  void check_running(const Request& request) const;
  void check_search(uint32_t root, const Search& search) const;

  SchedulerConfig config_;
  BlockManager& manager_;
  int64_t block_size_, usable_blocks_;
  SchedulerEvents events_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::unordered_map<uint32_t, Request*> by_id_;
  std::unordered_map<uint32_t, std::vector<Request*>> forks_;  // key: the added request
  std::unordered_map<uint32_t, Search> searches_;              // key: the added request
  std::multimap<uint64_t, Request*> future_;                   // key: arrival_ns
  Line waiting_, swapped_;
  std::vector<Request*> running_;      // sorted in queue order
  std::optional<uint32_t> in_flight_;  // step of the plan that awaits update() or discard()
  uint64_t next_order_ = 0;
  uint32_t next_fork_id_;
  // (cache_key, encoder_ids) -> the key under which prefixes of own tokens are shared.
  std::map<std::pair<uint64_t, std::vector<int32_t>>, uint64_t> encoder_keys_;
  std::vector<Fork> forked_;        // since the last plan
  std::vector<uint32_t> finished_;  // since the last plan
};

}  // namespace attn
