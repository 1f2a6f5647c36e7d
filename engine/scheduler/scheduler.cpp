// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/core/error.h"

namespace attn {
namespace {

void require_positive(int64_t value, const char* name, const char* unit) {
  if (value >= 1) return;
  throw_bad_input({.what = "a scheduler limit is out of range",
                   .where = name,
                   .found = fmt::format("{}", value),
                   .allowed = fmt::format("1 or more {}", unit),
                   .advice = ""});
}

}  // namespace

Scheduler::Scheduler(SchedulerConfig config, BlockPool& pool, int64_t block_size,
                     SchedulerEvents events)
    : config_(config), pool_(pool), block_size_(block_size), events_(std::move(events)) {
  require_positive(config_.max_num_batched_tokens, "max_num_batched_tokens", "tokens per step");
  require_positive(config_.max_num_seqs, "max_num_seqs", "sequences");
  require_positive(config_.max_model_len, "max_model_len", "tokens");
  require_positive(block_size_, "block_size", "tokens per block");
}

Request& Scheduler::add(Request request) {
  if (by_id_.contains(request.id)) {
    throw std::logic_error(fmt::format("request id {} is used twice", request.id));
  }
  request.state = RequestState::kWaiting;
  request.num_computed = 0;
  request.table = BlockTable(block_size_);
  requests_.push_back(std::make_unique<Request>(std::move(request)));
  Request* added = requests_.back().get();
  by_id_.emplace(added->id, added);
  waiting_.push_back(added);
  unchecked_.push_back(added);
  return *added;
}

void Scheduler::abort(uint32_t id) {
  Request* request = find(id);
  if (!request || is_finished(request->state)) return;
  if (request->state == RequestState::kWaiting) {
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), request));
  }
  end(*request, RequestState::kFinishedAborted, now());
}

bool Scheduler::has_work() const {
  return !waiting_.empty() || !running_.empty();
}

Request* Scheduler::find(uint32_t id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

BatchPlan Scheduler::schedule(uint32_t step) {
  if (in_flight_) {
    throw std::logic_error(fmt::format("step {} was neither updated nor discarded", *in_flight_));
  }
  BatchPlan plan;
  plan.step = step;
  plan.free_blocks_before = pool_.num_free();
  ignore_impossible(plan);
  plan_prefills(plan);
  if (plan.empty()) plan_decodes(plan);
  plan.free_blocks_after = pool_.num_free();
  // With nothing running the whole pool and budget are free, and what cannot use them was ignored
  // above.
  if (plan.empty() && has_work())
    throw std::logic_error("requests are left and none can be planned");
  if (!plan.empty()) in_flight_ = step;
  return plan;
}

std::string Scheduler::never_fits(const Request& request) const {
  const auto prompt_len = static_cast<int64_t>(request.prompt_ids.size());
  std::string reason;
  const auto add_sentence = [&reason](const std::string& sentence) {
    if (!reason.empty()) reason += ' ';
    reason += sentence;
  };
  if (prompt_len < 1) add_sentence("The prompt is empty: at least 1 token is needed.");
  if (request.max_tokens < 1) {
    add_sentence(fmt::format("max_tokens is {}: at least 1 is needed.", request.max_tokens));
  }
  if (prompt_len + 1 > config_.max_model_len) {
    add_sentence(fmt::format(
        "The prompt has {} tokens, which with one new token needs a max_model_len of {}; "
        "it is {}.",
        prompt_len, prompt_len + 1, config_.max_model_len));
  }
  if (prompt_len > config_.max_num_batched_tokens) {
    add_sentence(
        fmt::format("The prompt has {} tokens and is computed in one step, which needs "
                    "max_num_batched_tokens of at least {}; it is {}.",
                    prompt_len, prompt_len, config_.max_num_batched_tokens));
  }
  if (prompt_len > capacity_tokens()) {
    add_sentence(fmt::format(
        "The prompt has {} tokens and needs {} blocks of {} tokens; the cache has {}.", prompt_len,
        (prompt_len + block_size_ - 1) / block_size_, block_size_, pool_.num_blocks()));
  }
  return reason;
}

// Refusals come at once, not when the request reaches the front: a person who typed too long a text
// should not wait.
void Scheduler::ignore_impossible(BatchPlan& plan) {
  for (Request* request : unchecked_) {
    if (is_finished(request->state)) continue;
    std::string reason = never_fits(*request);
    if (reason.empty()) continue;
    request->ignored_reason = std::move(reason);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), request));
    plan.ignored.push_back(request->id);
    end(*request, RequestState::kFinishedIgnored, now());
  }
  unchecked_.clear();
}

int64_t Scheduler::first_prefill_len(const Request& request) const {
  return std::min(request.num_tokens(), config_.max_num_batched_tokens);
}

void Scheduler::plan_prefills(BatchPlan& plan) {
  int64_t budget = config_.max_num_batched_tokens;
  const auto put = [&](const Request& request) {
    const int64_t length = first_prefill_len(request);
    budget -= length;
    plan.sequences.push_back({.request = request.id,
                              .context_len = 0,
                              .query_len = length,
                              .is_prefill = true,
                              .samples = length == request.num_tokens()});
  };
  // A cancelled step leaves admitted requests behind with their blocks and nothing computed.
  for (const Request* request : running_) {
    if (request->num_computed == 0 && first_prefill_len(*request) <= budget) put(*request);
  }
  // Every running sequence decodes in every decode step, so the token budget bounds their number
  // too.
  const int64_t most_running = std::min(config_.max_num_seqs, config_.max_num_batched_tokens);
  while (!waiting_.empty() && num_running() < most_running) {
    Request& request = *waiting_.front();
    const int64_t length = first_prefill_len(request);
    // A recomputation comes back only when all it had fits again, or it would be preempted once
    // more half way.
    const int64_t known = request.num_tokens();
    if (length > budget || request.table.blocks_needed(known) > pool_.num_free()) break;
    waiting_.pop_front();
    running_.push_back(&request);
    request.state = RequestState::kRunning;
    if (!request.times.scheduled_ns) request.times.scheduled_ns = now();
    plan.admitted.push_back(request.id);
    if (events_.scheduled) events_.scheduled(request);
    if (!grow_table(request, known)) throw std::logic_error("free blocks were there and are not");
    put(request);
  }
}

void Scheduler::plan_decodes(BatchPlan& plan) {
  // Oldest first; victims are taken from the back, so those already planned are never among them.
  for (size_t i = 0; i < running_.size(); ++i) {
    Request& request = *running_[i];
    if (!make_room(request, plan)) break;
    plan.sequences.push_back({.request = request.id,
                              .context_len = request.num_computed,
                              .query_len = 1,
                              .is_prefill = false,
                              .samples = request.num_computed + 1 == request.num_tokens()});
  }
}

bool Scheduler::make_room(Request& request, BatchPlan& plan) {
  while (!grow_table(request, request.num_computed + 1)) {
    const bool is_newest = running_.back() == &request;
    if (is_newest && num_running() == 1) {
      throw std::logic_error(fmt::format("request {} outgrew the whole cache", request.id));
    }
    preempt_newest(plan);
    if (is_newest) return false;
  }
  return true;
}

bool Scheduler::grow_table(Request& request, int64_t num_tokens) {
  // After discard() the table may already cover the tokens.
  const int64_t more = std::max<int64_t>(0, num_tokens - request.table.num_tokens());
  return request.table.append(pool_, more, [&](int32_t block, int64_t logical) {
    if (events_.block_allocated) events_.block_allocated(request, block, logical, pool_.num_free());
  });
}

void Scheduler::preempt_newest(BatchPlan& plan) {
  Request& victim = *running_.back();
  running_.pop_back();
  waiting_.push_front(&victim);
  victim.state = RequestState::kWaiting;
  ++victim.num_preemptions;
  plan.preempted.push_back(victim.id);
  free_blocks(victim);
  victim.num_computed = 0;
  if (events_.preempted) events_.preempted(victim);
}

void Scheduler::update(const BatchPlan& plan, std::span<const int32_t> sampled, uint64_t now_ns) {
  settle(plan);
  const auto samples =
      std::count_if(plan.sequences.begin(), plan.sequences.end(),
                    [](const PlannedSequence& planned) { return planned.samples; });
  if (samples != static_cast<int64_t>(sampled.size())) {
    throw std::logic_error(
        fmt::format("{} tokens were sampled for {} sequences", sampled.size(), samples));
  }
  size_t next = 0;
  for (const PlannedSequence& planned : plan.sequences) {
    const int32_t token = planned.samples ? sampled[next++] : 0;
    Request* request = find(planned.request);
    if (!request) throw std::logic_error(fmt::format("the plan names request {}", planned.request));
    if (is_finished(request->state)) continue;  // aborted while the step ran
    if (request->state != RequestState::kRunning || request->num_computed != planned.context_len) {
      throw std::logic_error(fmt::format("the plan of request {} is stale", planned.request));
    }
    request->num_computed += planned.query_len;
    if (planned.samples) take_token(*request, token, now_ns);
  }
}

void Scheduler::take_token(Request& request, int32_t token, uint64_t now_ns) {
  request.output_ids.push_back(token);
  request.times.token_ns.push_back(now_ns);
  if (!request.times.first_token_ns) request.times.first_token_ns = now_ns;

  const auto generated = static_cast<int64_t>(request.output_ids.size());
  if (request.stop_token && token == *request.stop_token) {
    end(request, RequestState::kFinishedStopped, now_ns);
  } else if (generated >= request.max_tokens) {
    end(request, RequestState::kFinishedLengthCapped, now_ns);
  } else if (request.num_tokens() >= config_.max_model_len) {
    request.ignored_reason =
        fmt::format("Stopped after {} of {} tokens: the sequence reached max_model_len {}.",
                    generated, request.max_tokens, config_.max_model_len);
    end(request, RequestState::kFinishedLengthCapped, now_ns);
  } else if (request.num_tokens() > capacity_tokens()) {
    request.ignored_reason =
        fmt::format("Stopped after {} of {} tokens: the sequence fills all {} blocks of {} tokens.",
                    generated, request.max_tokens, pool_.num_blocks(), block_size_);
    end(request, RequestState::kFinishedLengthCapped, now_ns);
  }
}

void Scheduler::discard(const BatchPlan& plan) {
  settle(plan);
}

void Scheduler::settle(const BatchPlan& plan) {
  if (plan.empty()) return;
  if (in_flight_ != plan.step) {
    throw std::logic_error(fmt::format("the plan of step {} is not the one under way", plan.step));
  }
  in_flight_.reset();
}

void Scheduler::end(Request& request, RequestState state, std::optional<uint64_t> now_ns) {
  std::erase(running_, &request);
  request.state = state;
  if (now_ns) request.times.finished_ns = now_ns;
  free_blocks(request);
  if (events_.finished) events_.finished(request);
}

void Scheduler::free_blocks(Request& request) {
  if (request.table.blocks().empty()) return;
  if (events_.before_free) events_.before_free(request);
  request.table.free(pool_, [&](int32_t block, int64_t logical) {
    if (events_.block_freed) events_.block_freed(request, block, logical, pool_.num_free());
  });
}

std::optional<uint64_t> Scheduler::now() const {
  return events_.now_ns ? std::optional(events_.now_ns()) : std::nullopt;
}

void Scheduler::check_invariants() const {
  const auto require = [](bool holds, const char* what, uint32_t id) {
    if (!holds) throw std::logic_error(fmt::format("{} (request {})", what, id));
  };
  pool_.check_invariants();
  size_t waiting = 0, running = 0;
  std::vector<int32_t> holders(static_cast<size_t>(pool_.num_blocks()), 0);
  // Arrival order: the running requests, then the waiting ones.
  for (const auto& owned : requests_) {
    const Request& request = *owned;
    for (const int32_t block : request.table.blocks()) ++holders[static_cast<size_t>(block)];
    if (request.state == RequestState::kRunning) {
      require(waiting == 0, "a running request is younger than a waiting one", request.id);
      require(running < running_.size() && running_[running] == &request, "running is out of order",
              request.id);
      require(request.num_computed <= request.table.num_tokens(), "computed tokens have no block",
              request.id);
      require(request.num_computed < request.num_tokens(), "a running request has nothing to do",
              request.id);
      ++running;
      continue;
    }
    require(request.table.blocks().empty(), "a request that does not run holds blocks", request.id);
    if (request.state != RequestState::kWaiting) continue;
    require(waiting < waiting_.size() && waiting_[waiting] == &request, "waiting is out of order",
            request.id);
    require(request.num_computed == 0, "a waiting request has computed tokens", request.id);
    ++waiting;
  }
  require(waiting == waiting_.size() && running == running_.size(),
          "a queue holds a finished request", 0);
  require(num_running() <= config_.max_num_seqs, "more requests run than max_num_seqs", 0);
  for (size_t block = 0; block < holders.size(); ++block) {
    require(holders[block] == pool_.ref_count(static_cast<int32_t>(block)),
            "B8: tables and pool disagree", 0);
  }
}

}  // namespace attn
