// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of one step: which requests compute which tokens, are admitted, preempted or swapped in.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "engine/scheduler/fault.h"
#include "engine/scheduler/scheduler.h"

namespace attn {

BatchPlan Scheduler::schedule(uint32_t step, uint64_t now_ns) {
  if (in_flight_) {
    throw std::logic_error(fmt::format("step {} was neither updated nor discarded", *in_flight_));
  }
  BatchPlan plan;
  plan.step = step;
  plan.forked = std::exchange(forked_, {});
  plan.finished = std::exchange(finished_, {});
  plan.free_blocks_before = manager_.num_available();
  budget_ = config_.max_num_batched_tokens;
  now_ns_ = now_ns;
  let_arrive(plan, now_ns);
  if (config_.policy == SchedulingPolicy::kChunkedPrefill) {
    plan_chunked(plan);
  } else {
    plan_prefill_first(plan);
  }
  std::stable_partition(plan.sequences.begin(), plan.sequences.end(),
                        [](const PlannedSequence& planned) { return planned.is_prefill; });
  plan.free_blocks_after = manager_.num_available();
  // If nothing runs, the whole pool and budget are free, and requests that cannot run with them
  // were ignored on arrival.
  if (plan.empty() && !(waiting_.empty() && running_.empty() && swapped_.empty()))
    throw std::logic_error("requests are left and none can be planned");
  if (!plan.empty()) in_flight_ = step;
  return plan;
}

void Scheduler::plan_prefill_first(BatchPlan& plan) {
  // After a cancelled step, or with a search too large for one step, admitted requests hold their
  // blocks but have computed nothing yet.
  for (const Request* request : running_) {
    const int64_t length = request->prefill_end - request->num_computed;
    if (request->in_prefill() && length <= budget_) put(*request, length, true, plan);
  }
  plan_admissions(plan);
  if (!plan.empty() && !ATTN_SCHEDULER_FAULT(kPolicyMixes)) return;
  plan_decodes(plan);
  plan_swap_ins(plan);
}

void Scheduler::plan_chunked(BatchPlan& plan) {
  const auto plan_chunks = [&] {
    for (const Request* request : running_)
      if (request->in_prefill() && budget_ > 0) put_chunk(*request, plan);
  };
  if (ATTN_SCHEDULER_FAULT(kDecodeStarved)) plan_chunks();
  plan_decodes(plan);
  if (!ATTN_SCHEDULER_FAULT(kDecodeStarved)) plan_chunks();
  if (ATTN_SCHEDULER_FAULT(kAdmissionsBeforeSwapIns)) plan_admissions(plan);
  plan_swap_ins(plan);
  plan_admissions(plan);
}

// Plans decodes in queue order. Requests are preempted from the end of the queue, so none that is
// already planned is preempted.
void Scheduler::plan_decodes(BatchPlan& plan) {
  for (size_t i = 0; i < running_.size();) {
    const Unit unit = unit_of(*running_[i]);
    const Unit growing = decoders(unit);
    i += unit.size();
    if (ATTN_SCHEDULER_FAULT(kDecodeStarved) && static_cast<int64_t>(growing.size()) > budget_)
      continue;
    if (!make_room(unit, growing, plan)) break;
    for (const Request* request : growing) put(*request, 1, false, plan);
  }
}

void Scheduler::plan_swap_ins(BatchPlan& plan) {
  // The blocks of a preempted request are for those that needed them. A request that came back at
  // once would only cause the next preemption.
  while (plan.preempted.empty() && !swapped_.empty()) {
    const Unit unit = unit_of(**swapped_.begin());
    const Unit growing = decoders(unit);
    if (seats_taken() + seats(*unit.front()) > most_seats()) break;
    if (budget_ < std::max<int64_t>(1, static_cast<int64_t>(growing.size()))) break;
    if (!fits_back(unit)) break;
    for (Request* request : unit) swap_in(*request, plan);
    for (const Request* request : growing) {
      grow(*request, plan);
      put(*request, 1, false, plan);
    }
    put_prefills(unit, plan);
  }
}

void Scheduler::plan_admissions(BatchPlan& plan) {
  if (!plan.preempted.empty() && !ATTN_SCHEDULER_FAULT(kAdmitsWhilePreempting)) return;
  if (!swapped_.empty() && !ATTN_SCHEDULER_FAULT(kAdmissionsBeforeSwapIns)) return;
  for (auto next = waiting_.begin(); next != waiting_.end() && budget_ > 0;) {
    const Unit unit = unit_of(**next);
    const Request& first = *unit.front();
    if (seats_taken() + seats(first) > most_seats()) break;
    const int64_t cached =
        first.caches_own ? manager_.cached_prefix(first.token_ids(), prefix_key(first)) : 0;
    // With chunks any part of a prompt may be computed; with prefill_first, all up to its target.
    if (config_.policy == SchedulingPolicy::kPrefillFirst &&
        prefill_target(first, cached) - cached > budget_)
      break;
    if (!fits(unit)) {
      if (!ATTN_SCHEDULER_FAULT(kQueueOvertaken)) break;
      ++next;
      continue;
    }
    for (Request* request : unit) admit(*request, plan);
    put_prefills(unit, plan);
    next = waiting_.begin();
  }
}

void Scheduler::put(const Request& request, int64_t query_len, bool is_prefill, BatchPlan& plan) {
  const bool last = request.num_computed + query_len == request.num_tokens();
  const bool splits = request.n > 1 && request.output_ids.empty();
  const int64_t samples = request.is_beam() ? request.beam_candidates() : splits ? request.n : 1;
  plan.sequences.push_back(
      {.request = request.id,
       .context_len = request.num_computed,
       .query_len = query_len,
       .is_prefill = is_prefill,
       .num_samples = last || ATTN_SCHEDULER_FAULT(kChunkSamples) ? samples : 0,
       .encoder_len = static_cast<int64_t>(request.encoder_ids.size()),
       .caches_own = request.caches_own});
  if (!is_prefill && ATTN_SCHEDULER_FAULT(kBudgetOfDecodesFree)) return;
  budget_ -= query_len;
  if (is_prefill && ATTN_SCHEDULER_FAULT(kBudgetCountedTwice)) budget_ -= query_len;
  if (is_prefill && ATTN_SCHEDULER_FAULT(kCachedTokensCounted)) budget_ -= request.num_cached;
}

void Scheduler::put_chunk(const Request& request, BatchPlan& plan) {
  const int64_t length = chunk_len(request.num_computed, request.prefill_end);
  if (length > 0) put(request, length, true, plan);
}

// Plans as many prompt tokens of the unit as the budget allows; the rest follows in later steps.
void Scheduler::put_prefills(const Unit& unit, BatchPlan& plan) {
  for (const Request* request : unit) {
    if (!request->in_prefill()) continue;
    const int64_t length = request->prefill_end - request->num_computed;
    if (config_.policy == SchedulingPolicy::kPrefillFirst) {
      if (length <= budget_) put(*request, length, true, plan);
    } else if (budget_ > 0) {
      put_chunk(*request, plan);
    }
  }
}

int64_t Scheduler::chunk_len(int64_t context, int64_t end) const {
  const int64_t length = std::min(end - context, budget_);
  if (context + length == end || !manager_.config().prefix_caching) return length;
  if (ATTN_SCHEDULER_FAULT(kChunkNotRounded)) return length;
  const int64_t rounded = (context + length) / block_size_ * block_size_ - context;
  if (ATTN_SCHEDULER_FAULT(kChunkRoundedToNothing)) return std::max<int64_t>(0, rounded);
  return rounded > 0 ? rounded : length;
}

int64_t Scheduler::prefill_target(const Request& request, int64_t cached) const {
  if (config_.policy == SchedulingPolicy::kChunkedPrefill) return request.num_tokens();
  return std::min(request.num_tokens(), cached + config_.max_num_batched_tokens);
}

// The members of the unit that have a token to decode. A beam whose step is computed waits for the
// others.
Scheduler::Unit Scheduler::decoders(const Unit& unit) const {
  Unit growing;
  for (Request* request : unit)
    if (!request->in_prefill() && request->num_computed < request->num_tokens())
      growing.push_back(request);
  return growing;
}

// The number of places that the next token of the request needs in the request's own table. After
// discard() the table may already have them.
int64_t Scheduler::growth(const Request& request) const {
  if (!request.caches_own) return 0;
  return std::max<int64_t>(0, request.num_computed + 1 - manager_.num_tokens(request.id));
}

// The number of blocks that one more token of each of `growing` takes. If only these beams hold a
// shared partial block, the last of them writes into it without a copy.
int64_t Scheduler::blocks_needed(const Unit& growing) const {
  int64_t needed = 0;
  // Key: partly filled last block; value: members that would copy it.
  std::map<int32_t, int64_t> copies;
  for (const Request* request : growing) {
    if (!request->caches_own) continue;
    needed += manager_.blocks_needed(request->id, growth(*request));
    if (growth(*request) > 0 && manager_.num_tokens(request->id) % block_size_ != 0)
      ++copies[manager_.blocks(request->id).back()];
  }
  for (const auto& [block, count] : copies)
    if (count > 1 && manager_.pool(PoolKind::kDevice).ref_count(block) == count) --needed;
  return needed;
}

// Makes room for one more token of each of `growing`, by preempting from the end of the queue. They
// grow all or none, so that a unit that is preempted has nothing in the plan. False: the unit
// itself was preempted.
bool Scheduler::make_room(const Unit& unit, const Unit& growing, BatchPlan& plan) {
  const int64_t spare = ATTN_SCHEDULER_FAULT(kPreemptsTooEarly) ? 1 : 0;
  while (unit.size() < running_.size() &&
         blocks_needed(growing) + spare > manager_.num_available()) {
    const bool is_last = unit.back() == running_.back();
    preempt_last(plan);
    if (is_last) return false;
  }
  for (const Request* request : growing) grow(*request, plan);
  return true;
}

void Scheduler::grow(const Request& request, BatchPlan& plan) {
  if (!request.caches_own) return;
  const auto copies = manager_.append(request.id, growth(request));
  if (!copies)
    throw std::logic_error(fmt::format("request {} outgrew the whole cache", request.id));
  if (ATTN_SCHEDULER_FAULT(kCopiesLost)) return;
  plan.copies.insert(plan.copies.end(), copies->begin(), copies->end());
}

// Whether all known tokens of the waiting unit fit; if only a part did, it would soon be preempted
// again. If nothing runs there is no one to wait for, and it fits: it is not longer than
// capacity_tokens().
bool Scheduler::fits(const Unit& unit) {
  if (running_.empty() && !ATTN_SCHEDULER_FAULT(kWatermarkWhenAlone)) return true;
  int64_t blocks = 0;
  for (const Request* request : unit) {
    const std::vector<int32_t> ids =
        ATTN_SCHEDULER_FAULT(kComesBackForItsPrompt) ? request->prompt_ids : request->token_ids();
    if (room_for(*request, ids) != Room::kOk) return false;
    blocks += blocks_of(*request);
  }
  return unit.size() == 1 || blocks <= manager_.num_available();
}

// Whether there is room for all tables of a request that is not admitted yet.
Room Scheduler::room_for(const Request& request, std::span<const int32_t> own_ids) {
  return manager_.can_allocate(request.caches_own ? own_ids : std::span<const int32_t>{},
                               prefix_key(request), request.places_in(TableKind::kCross));
}

// Like fits(), but for a swapped unit, and with room for the next token of each member, too.
bool Scheduler::fits_back(const Unit& unit) const {
  if (running_.empty() && !ATTN_SCHEDULER_FAULT(kWatermarkWhenAlone)) return true;
  int64_t blocks = 0;
  for (const Request* request : unit) {
    std::vector<uint32_t> tables;
    for (const TableKind kind : request->tables()) tables.push_back(table_id(request->id, kind));
    if (manager_.can_swap_in(tables) != Room::kOk) return false;
    blocks += held_blocks(*request) + 1;
  }
  return unit.size() == 1 || blocks <= manager_.num_available();
}

int64_t Scheduler::held_blocks(const Request& request) const {
  int64_t held = 0;
  for (const TableKind kind : request.tables()) {
    const uint32_t table = table_id(request.id, kind);
    held +=
        static_cast<int64_t>(manager_.blocks(table).size()) - manager_.blocks_left_window(table);
  }
  return held;
}

void Scheduler::start(Request& request) {
  request.state = RequestState::kRunning;
  running_.insert(std::upper_bound(running_.begin(), running_.end(), &request, Before{}), &request);
  if (!request.times.pauses.empty() && !request.times.pauses.back().end_ns)
    request.times.pauses.back().end_ns = now_ns_;
}

void Scheduler::admit(Request& request, BatchPlan& plan) {
  waiting_.erase(&request);
  start(request);
  if (!request.times.scheduled_ns || ATTN_SCHEDULER_FAULT(kQueueTimeOfLastAdmission))
    request.times.scheduled_ns = now_ns_;
  plan.admitted.push_back(request.id);
  if (events_.scheduled) events_.scheduled(request);
  const auto require_blocks = [](bool taken) {
    if (!taken) throw std::logic_error("blocks that were counted as free cannot be taken");
  };
  request.num_computed = request.num_cached = 0;
  if (request.caches_own) {
    const auto cached = manager_.allocate(request.id, request.token_ids(), request.num_tokens(),
                                          prefix_key(request));
    require_blocks(cached.has_value());
    request.num_computed = request.num_cached = *cached;
  }
  if (request.has_encoder())
    require_blocks(manager_.allocate_private(table_id(request.id, TableKind::kCross),
                                             request.places_in(TableKind::kCross)));
  request.prefill_end = prefill_target(request, request.num_cached);
}

void Scheduler::swap_in(Request& request, BatchPlan& plan) {
  swapped_.erase(&request);
  start(request);
  plan.swapped_in.push_back(request.id);
  for (const TableKind kind : request.tables()) {
    const auto moves = manager_.swap_in(table_id(request.id, kind));
    if (!moves) throw std::logic_error("blocks that were counted as free cannot be taken");
    plan.swap_in_moves.insert(plan.swap_in_moves.end(), moves->begin(), moves->end());
  }
  if (events_.resumed) events_.resumed(request);
}

bool Scheduler::can_swap_out(const Unit& unit) const {
  if (config_.preemption != PreemptionMode::kSwap) return false;
  int64_t blocks = 0;
  for (const Request* request : unit) blocks += held_blocks(*request);
  return blocks <= manager_.num_available(PoolKind::kSwap) ||
         ATTN_SCHEDULER_FAULT(kSwapRoomIgnored);
}

void Scheduler::preempt_last(BatchPlan& plan) {
  Request& last = ATTN_SCHEDULER_FAULT(kVictimOldest) ? *running_.front() : *running_.back();
  const Unit unit = unit_of(last);
  const bool swap = can_swap_out(unit);
  // Beams that are to be computed again will also get new candidates.
  if (Search* search = search_of(last); search && !swap) search->candidates.clear();
  for (auto member = unit.rbegin(); member != unit.rend(); ++member) {
    Request& victim = **member;
    std::erase(running_, &victim);
    victim.state = swap ? RequestState::kSwapped : RequestState::kWaiting;
    ++victim.num_preemptions;
    victim.times.pauses.push_back({now_ns_, std::nullopt, swap});
    plan.preempted.push_back(
        {victim.id, swap ? PreemptionMode::kSwap : PreemptionMode::kRecompute});
    if (ATTN_SCHEDULER_FAULT(kPreemptedToTheBack)) victim.order = next_order_++;
    if (swap) {
      if (events_.before_free) events_.before_free(victim);
      for (const TableKind kind : victim.tables()) {
        const auto moves = manager_.swap_out(table_id(victim.id, kind));
        if (!moves) throw std::logic_error("swap blocks that were counted as free cannot be taken");
        plan.swap_out_moves.insert(plan.swap_out_moves.end(), moves->begin(), moves->end());
      }
      swapped_.insert(&victim);
      if (ATTN_SCHEDULER_FAULT(kSwapLosesTokens)) victim.num_computed = victim.num_cached;
    } else {
      free_blocks(victim);
      if (!ATTN_SCHEDULER_FAULT(kRecomputeKeepsComputed))
        victim.num_computed = victim.num_cached = victim.prefill_end = 0;
      waiting_.insert(&victim);
    }
    if (events_.preempted) events_.preempted(victim);
  }
}

void Scheduler::discard(const BatchPlan& plan) {
  settle(plan);
  if (!ATTN_SCHEDULER_FAULT(kDiscardAdvances)) return;
  for (const PlannedSequence& planned : plan.sequences)
    if (Request* request = find(planned.request); request->state == RequestState::kRunning)
      request->num_computed += planned.query_len;
}

void Scheduler::settle(const BatchPlan& plan) {
  if (plan.empty()) return;
  if (in_flight_ != plan.step) {
    throw std::logic_error(fmt::format("the plan of step {} is not the one under way", plan.step));
  }
  in_flight_.reset();
}

}  // namespace attn
