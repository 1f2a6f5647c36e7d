// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/step_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "engine/scheduler/fault.h"

namespace attn {

StepPlanner::StepPlanner(SchedulerParts& parts, BatchPlan& plan, uint64_t now_ns)
    : parts_(parts),
      config_(parts.config),
      events_(parts.events),
      manager_(parts.manager),
      queues_(parts.queues),
      block_size_(manager_.config().block_size),
      waiting_(queues_.waiting()),
      swapped_(queues_.swapped()),
      running_(queues_.running()),
      plan_(plan),
      now_ns_(now_ns),
      budget_(config_.max_num_batched_tokens) {}

void StepPlanner::fill() {
  if (config_.policy == SchedulingPolicy::kChunkedPrefill) {
    plan_chunked();
  } else {
    plan_prefill_first();
  }
  std::stable_partition(plan_.sequences.begin(), plan_.sequences.end(),
                        [](const PlannedSequence& planned) { return planned.is_prefill; });
}

void StepPlanner::plan_prefill_first() {
  // Requests that were admitted but are not computed, because their step was cancelled, or because
  // the beams of their search did not all fit into one step.
  for (const Request* request : running_) {
    const int64_t length = request->prefill_end - request->num_computed;
    if (request->in_prefill() && length <= budget_) put(*request, length, true);
  }
  plan_admissions();
  if (!plan_.empty() && !ATTN_SCHEDULER_FAULT(kPolicyMixes)) return;
  plan_decodes();
  plan_swap_ins();
}

void StepPlanner::plan_chunked() {
  const auto plan_chunks = [&] {
    for (const Request* request : running_)
      if (request->in_prefill() && budget_ > 0) put_chunk(*request);
  };
  if (ATTN_SCHEDULER_FAULT(kDecodeStarved)) plan_chunks();
  plan_decodes();
  if (!ATTN_SCHEDULER_FAULT(kDecodeStarved)) plan_chunks();
  if (ATTN_SCHEDULER_FAULT(kAdmissionsBeforeSwapIns)) plan_admissions();
  plan_swap_ins();
  plan_admissions();
}

// Plans decodes in the order of the line. Requests are preempted from its end, so none that is
// already planned is preempted.
void StepPlanner::plan_decodes() {
  for (size_t i = 0; i < running_.size();) {
    const Unit unit = parts_.searches.unit_of(*running_[i]);
    const Unit growing = decoders(unit);
    i += unit.size();
    if (ATTN_SCHEDULER_FAULT(kDecodeStarved) && static_cast<int64_t>(growing.size()) > budget_)
      continue;
    if (!make_room(unit, growing)) break;
    for (const Request* request : growing) put(*request, 1, false);
  }
}

void StepPlanner::plan_swap_ins() {
  // After a preemption nothing is swapped in, because it could cause the next preemption.
  while (plan_.preempted.empty() && !swapped_.empty()) {
    const Unit unit = parts_.searches.unit_of(**swapped_.begin());
    const Unit growing = decoders(unit);
    if (!parts_.seats.are_free_for(*unit.front())) break;
    if (budget_ < std::max<int64_t>(1, static_cast<int64_t>(growing.size()))) break;
    if (!fits_back(unit)) break;
    for (Request* request : unit) swap_in(*request);
    for (const Request* request : growing) {
      grow(*request);
      put(*request, 1, false);
    }
    put_prefills(unit);
  }
}

void StepPlanner::plan_admissions() {
  if (!plan_.preempted.empty() && !ATTN_SCHEDULER_FAULT(kAdmitsWhilePreempting)) return;
  if (!swapped_.empty() && !ATTN_SCHEDULER_FAULT(kAdmissionsBeforeSwapIns)) return;
  for (auto next = waiting_.begin(); next != waiting_.end() && budget_ > 0;) {
    const Unit unit = parts_.searches.unit_of(**next);
    const Request& first = *unit.front();
    if (!parts_.seats.are_free_for(first)) break;
    const int64_t cached =
        first.caches_own
            ? manager_.cached_prefix(first.token_ids(), parts_.limits.prefix_key(first))
            : 0;
    if (config_.policy == SchedulingPolicy::kPrefillFirst &&
        prefill_target(first, cached) - cached > budget_)
      break;
    if (!fits(unit)) {
      if (!ATTN_SCHEDULER_FAULT(kQueueOvertaken)) break;
      ++next;
      continue;
    }
    for (Request* request : unit) admit(*request);
    put_prefills(unit);
    next = waiting_.begin();
  }
}

void StepPlanner::put(const Request& request, int64_t query_len, bool is_prefill) {
  const bool last = request.num_computed + query_len == request.num_tokens();
  const bool splits = request.n > 1 && request.output_ids.empty();
  const int64_t samples = request.is_beam() ? request.beam_candidates() : splits ? request.n : 1;
  plan_.sequences.push_back(
      {.request = request.id,
       .context_len = request.num_computed,
       .query_len = query_len,
       .is_prefill = is_prefill,
       .num_samples = last || ATTN_SCHEDULER_FAULT(kChunkSamples) ? samples : 0,
       .encoder_len = static_cast<int64_t>(request.encoder_ids.size()),
       .caches_own = request.caches_own,
       .writes_own = request.writes_own});
  if (!is_prefill && ATTN_SCHEDULER_FAULT(kBudgetOfDecodesFree)) return;
  budget_ -= query_len;
  if (is_prefill && ATTN_SCHEDULER_FAULT(kBudgetCountedTwice)) budget_ -= query_len;
  if (is_prefill && ATTN_SCHEDULER_FAULT(kCachedTokensCounted)) budget_ -= request.num_cached;
}

void StepPlanner::put_chunk(const Request& request) {
  const int64_t length = chunk_len(request.num_computed, request.prefill_end);
  if (length > 0) put(request, length, true);
}

void StepPlanner::put_prefills(const Unit& unit) {
  for (const Request* request : unit) {
    if (!request->in_prefill()) continue;
    const int64_t length = request->prefill_end - request->num_computed;
    if (config_.policy == SchedulingPolicy::kPrefillFirst) {
      if (length <= budget_) put(*request, length, true);
    } else if (budget_ > 0) {
      put_chunk(*request);
    }
  }
}

int64_t StepPlanner::chunk_len(int64_t context, int64_t end) const {
  const int64_t length = std::min(end - context, budget_);
  if (context + length == end || !manager_.config().prefix_caching) return length;
  if (ATTN_SCHEDULER_FAULT(kChunkNotRounded)) return length;
  const int64_t rounded = (context + length) / block_size_ * block_size_ - context;
  if (ATTN_SCHEDULER_FAULT(kChunkRoundedToNothing)) return std::max<int64_t>(0, rounded);
  return rounded > 0 ? rounded : length;
}

int64_t StepPlanner::prefill_target(const Request& request, int64_t cached) const {
  if (config_.policy == SchedulingPolicy::kChunkedPrefill) return request.num_tokens();
  return std::min(request.num_tokens(), cached + config_.max_num_batched_tokens);
}

// The members of the unit that have a token to decode. A beam whose step is computed waits for the
// others.
StepPlanner::Unit StepPlanner::decoders(const Unit& unit) const {
  Unit growing;
  for (Request* request : unit)
    if (!request->in_prefill() && request->num_computed < request->num_tokens())
      growing.push_back(request);
  return growing;
}

// The number of places, 0 or 1, that the request's own table lacks for the next token. After
// discard() the table may already have the place.
int64_t StepPlanner::growth(const Request& request) const {
  if (!request.caches_own) return 0;
  return std::max<int64_t>(0, request.num_computed + 1 - manager_.num_tokens(request.id));
}

// The number of blocks that one more token of each of `growing` takes. If only these beams hold a
// shared partial block, the last of them writes into it without a copy.
int64_t StepPlanner::blocks_needed(const Unit& growing) const {
  int64_t needed = 0;
  // Key: partly filled last block; value: members that would write into it.
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

// Makes room for one more token of each of `growing`, by preempting from the end of the line.
// False: the unit itself was preempted.
bool StepPlanner::make_room(const Unit& unit, const Unit& growing) {
  const int64_t spare = ATTN_SCHEDULER_FAULT(kPreemptsTooEarly) ? 1 : 0;
  while (unit.size() < running_.size() &&
         blocks_needed(growing) + spare > manager_.num_available()) {
    const bool is_last = unit.back() == running_.back();
    preempt_last();
    if (is_last) return false;
  }
  for (const Request* request : growing) grow(*request);
  return true;
}

void StepPlanner::grow(const Request& request) {
  if (!request.caches_own) return;
  const auto copies = manager_.append(request.id, growth(request));
  if (!copies)
    throw std::logic_error(fmt::format("request {} outgrew the whole cache", request.id));
  if (ATTN_SCHEDULER_FAULT(kCopiesLost)) return;
  plan_.copies.insert(plan_.copies.end(), copies->begin(), copies->end());
}

// Whether the cache has room for all known tokens of the waiting unit. True if nothing runs.
bool StepPlanner::fits(const Unit& unit) {
  if (running_.empty() && !ATTN_SCHEDULER_FAULT(kWatermarkWhenAlone)) return true;
  int64_t blocks = 0;
  for (const Request* request : unit) {
    const std::vector<int32_t> ids =
        ATTN_SCHEDULER_FAULT(kComesBackForItsPrompt) ? request->prompt_ids : request->token_ids();
    if (parts_.limits.room_for(*request, ids) != Room::kOk) return false;
    blocks += parts_.limits.blocks_of(*request);
  }
  return unit.size() == 1 || blocks <= manager_.num_available();
}

// Like fits(), but for a swapped unit, and with room for the next token of each member, too.
bool StepPlanner::fits_back(const Unit& unit) const {
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

int64_t StepPlanner::held_blocks(const Request& request) const {
  int64_t held = 0;
  for (const TableKind kind : request.tables()) {
    const uint32_t table = table_id(request.id, kind);
    held +=
        static_cast<int64_t>(manager_.blocks(table).size()) - manager_.blocks_left_window(table);
  }
  return held;
}

void StepPlanner::start(Request& request) {
  queues_.move(request, RequestState::kRunning);
  if (!request.times.pauses.empty() && !request.times.pauses.back().end_ns)
    request.times.pauses.back().end_ns = now_ns_;
}

void StepPlanner::admit(Request& request) {
  start(request);
  if (!request.times.scheduled_ns || ATTN_SCHEDULER_FAULT(kQueueTimeOfLastAdmission))
    request.times.scheduled_ns = now_ns_;
  plan_.admitted.push_back(request.id);
  if (events_.scheduled) events_.scheduled(request);
  const auto require_blocks = [](bool taken) {
    if (!taken) throw std::logic_error("blocks that were counted as free cannot be taken");
  };
  request.num_computed = request.num_cached = 0;
  if (request.caches_own) {
    const auto cached = manager_.allocate(request.id, request.token_ids(), request.num_tokens(),
                                          parts_.limits.prefix_key(request));
    require_blocks(cached.has_value());
    request.num_computed = request.num_cached = *cached;
  }
  if (request.has_encoder())
    require_blocks(manager_.allocate_private(table_id(request.id, TableKind::kCross),
                                             request.places_in(TableKind::kCross)));
  request.prefill_end = prefill_target(request, request.num_cached);
}

void StepPlanner::swap_in(Request& request) {
  start(request);
  plan_.swapped_in.push_back(request.id);
  for (const TableKind kind : request.tables()) {
    const auto moves = manager_.swap_in(table_id(request.id, kind));
    if (!moves) throw std::logic_error("blocks that were counted as free cannot be taken");
    plan_.swap_in_moves.insert(plan_.swap_in_moves.end(), moves->begin(), moves->end());
  }
  if (events_.resumed) events_.resumed(request);
}

bool StepPlanner::can_swap_out(const Unit& unit) const {
  if (config_.preemption != PreemptionMode::kSwap) return false;
  int64_t blocks = 0;
  for (const Request* request : unit) blocks += held_blocks(*request);
  return blocks <= manager_.num_available(PoolKind::kSwap) ||
         ATTN_SCHEDULER_FAULT(kSwapRoomIgnored);
}

void StepPlanner::preempt_last() {
  Request& last = ATTN_SCHEDULER_FAULT(kVictimOldest) ? *running_.front() : *running_.back();
  const Unit unit = parts_.searches.unit_of(last);
  const bool swap = can_swap_out(unit);
  if (!swap) parts_.searches.forget_candidates(last);
  for (auto member = unit.rbegin(); member != unit.rend(); ++member) {
    Request& victim = **member;
    if (ATTN_SCHEDULER_FAULT(kPreemptedToTheBack)) victim.order = queues_.take_place();
    queues_.move(victim, swap ? RequestState::kSwapped : RequestState::kWaiting);
    ++victim.num_preemptions;
    victim.times.pauses.push_back({now_ns_, std::nullopt, swap});
    plan_.preempted.push_back(
        {victim.id, swap ? PreemptionMode::kSwap : PreemptionMode::kRecompute});
    if (swap) {
      if (events_.before_free) events_.before_free(victim);
      for (const TableKind kind : victim.tables()) {
        const auto moves = manager_.swap_out(table_id(victim.id, kind));
        if (!moves) throw std::logic_error("swap blocks that were counted as free cannot be taken");
        plan_.swap_out_moves.insert(plan_.swap_out_moves.end(), moves->begin(), moves->end());
      }
      if (ATTN_SCHEDULER_FAULT(kSwapLosesTokens)) victim.num_computed = victim.num_cached;
    } else {
      parts_.sequences.free_blocks(victim);
      if (!ATTN_SCHEDULER_FAULT(kRecomputeKeepsComputed))
        victim.num_computed = victim.num_cached = victim.prefill_end = 0;
    }
    if (events_.preempted) events_.preempted(victim);
  }
}

}  // namespace attn
