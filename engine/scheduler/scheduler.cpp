// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/scheduler/fault.h"
#include "engine/scheduler/parts/require.h"
#include "engine/scheduler/parts/scheduler_parts.h"
#include "engine/scheduler/parts/step_planner.h"

namespace attn {

Scheduler::Scheduler(SchedulerConfig config, BlockManager& manager, SchedulerEvents events)
    : parts_(std::make_unique<SchedulerParts>(config, manager, std::move(events))) {
  check_limits(config);
}

Scheduler::~Scheduler() = default;

// --- requests ---

Request& Scheduler::add(Request request) {
  Request& added = parts_->sequences.add(std::move(request));
  if (added.is_beam()) parts_->searches.begin(added);
  return added;
}

void Scheduler::abort(uint32_t id, uint64_t now_ns) {
  Request* request = find(id);
  if (!request) return;
  if (parts_->searches.abort(request->parent.value_or(id), now_ns)) return;
  parts_->sequences.abort(*request, now_ns);
  if (ATTN_SCHEDULER_FAULT(kAbortLeavesForks)) return;
  for (Request* fork : parts_->sequences.forks_of(id)) parts_->sequences.abort(*fork, now_ns);
}

bool Scheduler::has_work() const {
  return !parts_->queues.empty();
}

std::optional<uint64_t> Scheduler::next_arrival_ns() const {
  if (!parts_->queues.none_arrived()) return std::nullopt;
  return parts_->queues.next_arrival_ns();
}

// --- the plan of a step ---

BatchPlan Scheduler::schedule(uint32_t step, uint64_t now_ns) {
  if (in_flight_) {
    throw std::logic_error(fmt::format("step {} was neither updated nor discarded", *in_flight_));
  }
  BatchPlan plan;
  plan.step = step;
  plan.forked = parts_->sequences.take_forked();
  plan.finished = parts_->sequences.take_finished();
  plan.free_blocks_before = parts_->manager.num_available();
  let_arrive(plan, now_ns);
  StepPlanner(*parts_, plan, now_ns).fill();
  plan.free_blocks_after = parts_->manager.num_available();
  if (plan.empty() && !parts_->queues.none_arrived())
    throw std::logic_error("requests are left and none can be planned");
  if (!plan.empty()) in_flight_ = step;
  return plan;
}

// Requests are refused on arrival, not when they reach the front: a person whose text is too long
// should not wait to hear it.
void Scheduler::let_arrive(BatchPlan& plan, uint64_t now_ns) {
  while (Request* request = parts_->queues.take_arrived(now_ns)) {
    if (parts_->events.arrived) parts_->events.arrived(*request);
    request->ignored_reason = parts_->limits.never_fits(*request);
    if (request->ignored_reason.empty()) {
      parts_->queues.enter(*request);
      continue;
    }
    plan.ignored.push_back(request->id);
    parts_->searches.forget(*request);
    parts_->sequences.end(*request, RequestState::kFinishedIgnored, now_ns);
  }
}

// --- the results of a step ---

void Scheduler::update(const BatchPlan& plan, std::span<const SampledToken> sampled,
                       uint64_t now_ns) {
  settle(plan);
  int64_t samples = 0;
  for (const PlannedSequence& planned : plan.sequences) samples += planned.num_samples;
  if (samples != static_cast<int64_t>(sampled.size())) {
    throw std::logic_error(
        fmt::format("{} tokens were sampled, the plan asks for {}", sampled.size(), samples));
  }
  for (const PlannedSequence& planned : plan.sequences) {
    const auto drawn = sampled.first(static_cast<size_t>(planned.num_samples));
    sampled = sampled.subspan(drawn.size());
    Request* request = find(planned.request);
    if (!request)
      throw std::logic_error(
          fmt::format("the plan names request {}, which does not exist", planned.request));
    if (is_finished(request->state)) continue;  // aborted while the step ran
    if (request->state != RequestState::kRunning || request->num_computed != planned.context_len) {
      throw std::logic_error(fmt::format("the plan of request {} is stale", planned.request));
    }
    count_computed(*request, planned.query_len);
    if (drawn.empty()) continue;
    if (request->is_beam()) {
      parts_->searches.add_candidates(*request, drawn);
    } else {
      take_samples(*request, drawn, now_ns);
    }
  }
  parts_->searches.advance(now_ns);
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

void Scheduler::count_computed(Request& request, int64_t tokens) {
  BlockManager& manager = parts_->manager;
  const int64_t block_size = manager.config().block_size;
  const int64_t full_before = request.num_computed / block_size;
  request.num_computed += tokens;
  if (!request.caches_own) return;
  const int64_t computed = ATTN_SCHEDULER_FAULT(kMarksUncomputed) ? manager.num_tokens(request.id)
                                                                  : request.num_computed;
  if (manager.config().prefix_caching && computed / block_size > full_before)
    manager.mark_computed(request.id, request.token_ids(), computed);
  manager.release_window(
      request.id, ATTN_SCHEDULER_FAULT(kWindowEarly)
                      ? std::min(request.num_computed + block_size, manager.num_tokens(request.id))
                      : request.num_computed);
}

// All forks are made before the parent takes its token, so that they begin with its prompt only.
void Scheduler::take_samples(Request& request, std::span<const SampledToken> sampled,
                             uint64_t now_ns) {
  std::vector<Request*> samples = {&request};
  while (samples.size() < sampled.size())
    samples.push_back(&parts_->sequences.fork(request, static_cast<int64_t>(samples.size())));
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t drawn = ATTN_SCHEDULER_FAULT(kForkSharesToken) ? 0 : i;
    take_token(*samples[i], sampled[drawn].token, now_ns);
  }
}

void Scheduler::take_token(Request& request, int32_t token, uint64_t now_ns) {
  request.add_output(token, now_ns);
  if (request.stops_at(token) && !ATTN_SCHEDULER_FAULT(kStopTokenIgnored)) {
    parts_->sequences.end(request, RequestState::kFinishedStopped, now_ns);
  } else if (auto reason = parts_->limits.cap_reason(request)) {
    request.ignored_reason = std::move(*reason);
    parts_->sequences.end(request, RequestState::kFinishedLengthCapped, now_ns);
  }
}

// --- what there is ---

Request* Scheduler::find(uint32_t id) {
  return parts_->sequences.find(id);
}
const Request* Scheduler::find(uint32_t id) const {
  return parts_->sequences.find(id);
}
const std::vector<std::unique_ptr<Request>>& Scheduler::requests() const {
  return parts_->sequences.all();
}
int64_t Scheduler::num_waiting() const {
  return static_cast<int64_t>(parts_->queues.waiting().size());
}
int64_t Scheduler::num_running() const {
  return static_cast<int64_t>(parts_->queues.running().size());
}
int64_t Scheduler::num_swapped() const {
  return static_cast<int64_t>(parts_->queues.swapped().size());
}
int64_t Scheduler::num_not_arrived() const {
  return parts_->queues.num_not_arrived();
}
const SchedulerConfig& Scheduler::config() const {
  return parts_->config;
}
const BlockManager& Scheduler::manager() const {
  return parts_->manager;
}
int64_t Scheduler::capacity_tokens() const {
  return parts_->limits.capacity_tokens();
}

std::span<const int32_t> Scheduler::device_blocks(const Request& request, TableKind kind) const {
  const BlockManager& manager = parts_->manager;
  const uint32_t table = table_id(request.id, kind);
  if (!manager.knows(table) || manager.is_swapped(table)) return {};
  return manager.blocks(table);
}

void Scheduler::check_invariants() const {
  const SchedulerConfig& config = parts_->config;
  parts_->manager.check_invariants();
  for (const auto& request : requests()) {
    check_tables(*request);
    if (request->state == RequestState::kRunning) parts_->searches.check_running(*request);
  }
  parts_->queues.check(requests());
  require_state(parts_->seats.taken() <= config.max_num_seqs, "more requests run than max_num_seqs",
                0);
  parts_->searches.check();
  // With swapping this does not hold: a swapped request may come back before an older one that has
  // to be computed again.
  if (config.preemption != PreemptionMode::kSwap) parts_->queues.check_line();
}

void Scheduler::check_tables(const Request& request) const {
  const BlockManager& manager = parts_->manager;
  const bool running = request.state == RequestState::kRunning;
  for (const TableKind kind : {TableKind::kOwn, TableKind::kCross}) {
    const uint32_t table = table_id(request.id, kind);
    const bool has_one = std::ranges::count(request.tables(), kind) > 0;
    const bool on_device = manager.knows(table) && !manager.is_swapped(table);
    require_state(on_device == (has_one && running),
                  "a request runs without device blocks, or holds some without running",
                  request.id);
    require_state(
        manager.knows(table) == (on_device || (has_one && request.state == RequestState::kSwapped)),
        "a request is swapped out without swap blocks, or holds some otherwise", request.id);
    require_state(!on_device || (kind == TableKind::kCross
                                     ? request.places_in(kind)
                                     : request.num_computed) <= manager.num_tokens(table),
                  "computed tokens have no block", request.id);
  }
  require_state(request.num_computed >= request.num_cached,
                "a request has more cached than computed tokens", request.id);
  require_state(request.num_preemptions == static_cast<int64_t>(request.times.pauses.size()),
                "a request has not one pause per preemption", request.id);
  require_state(request.state != RequestState::kWaiting || request.num_computed == 0,
                "a waiting request has computed tokens", request.id);
}

}  // namespace attn
