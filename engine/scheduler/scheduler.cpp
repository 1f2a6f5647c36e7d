// SPDX-License-Identifier: GPL-3.0-or-later
// Arrival, refusal, abort and end of requests. A step is planned by Scheduler::Planner, its results
// are taken in scheduler_update.cpp, and scheduler_check.cpp checks the invariants.
#include "engine/scheduler/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "engine/core/counted.h"
#include "engine/core/error.h"
#include "engine/scheduler/fault.h"
#include "engine/scheduler/request_needs.h"
#include "engine/scheduler/step_planner.h"

namespace attn {
namespace {

constexpr uint64_t kWithEncoder = uint64_t{1} << 63;

void require_positive(int64_t value, const char* name, const char* unit) {
  if (value >= 1) return;
  throw_bad_input({.what = "a scheduler limit is out of range",
                   .where = name,
                   .found = fmt::format("{}", value),
                   .allowed = fmt::format("1 or more {}", unit),
                   .advice = ""});
}

int64_t line_priority(const Request& request) {
  if (ATTN_SCHEDULER_FAULT(kPriorityIgnored)) return 0;
  if (ATTN_SCHEDULER_FAULT(kPriorityReversed)) return -request.priority;
  return request.priority;
}

}  // namespace

std::string_view name_of(SchedulingPolicy policy) {
  return policy == SchedulingPolicy::kChunkedPrefill ? "chunked_prefill" : "prefill_first";
}

bool Scheduler::Before::operator()(const Request* a, const Request* b) const {
  const auto place = [](const Request& r) {
    return std::tuple(line_priority(r), r.order, r.sample_index);
  };
  return place(*a) < place(*b);
}

Scheduler::Scheduler(SchedulerConfig config, BlockManager& manager, SchedulerEvents events)
    : config_(config),
      manager_(manager),
      block_size_(manager.config().block_size),
      usable_blocks_(manager.num_usable()),
      events_(std::move(events)),
      next_fork_id_(config.first_fork_id) {
  require_positive(config_.max_num_batched_tokens, "max_num_batched_tokens", "tokens per step");
  require_positive(config_.max_num_seqs, "max_num_seqs", "sequences");
  require_positive(config_.max_model_len, "max_model_len", "tokens");
}

Scheduler::~Scheduler() = default;

Request& Scheduler::add(Request request) {
  if (by_id_.contains(request.id)) {
    throw std::logic_error(fmt::format("request id {} is used twice", request.id));
  }
  if (request.tables().empty())
    throw std::logic_error(fmt::format("request {} has nothing to cache", request.id));
  request.state = RequestState::kWaiting;
  request.num_computed = request.num_cached = request.prefill_end = 0;
  request.order = std::numeric_limits<uint64_t>::max();  // behind those that have arrived
  request.times = {};
  request.times.queued_ns = request.arrival_ns;
  requests_.push_back(std::make_unique<Request>(std::move(request)));
  Request* added = requests_.back().get();
  by_id_.emplace(added->id, added);
  next_fork_id_ = std::max(next_fork_id_, added->id + 1);
  if (added->is_beam()) searches_[added->id].live = {added};
  future_.emplace(added->arrival_ns, added);
  return *added;
}

bool Scheduler::has_work() const {
  return !waiting_.empty() || !running_.empty() || !swapped_.empty() || !future_.empty();
}

std::optional<uint64_t> Scheduler::next_arrival_ns() const {
  if (!waiting_.empty() || !running_.empty() || !swapped_.empty() || future_.empty())
    return std::nullopt;
  return future_.begin()->first;
}

BatchPlan Scheduler::schedule(uint32_t step, uint64_t now_ns) {
  if (in_flight_) {
    throw std::logic_error(fmt::format("step {} was neither updated nor discarded", *in_flight_));
  }
  BatchPlan plan;
  plan.step = step;
  plan.forked = std::exchange(forked_, {});
  plan.finished = std::exchange(finished_, {});
  plan.free_blocks_before = manager_.num_available();
  let_arrive(plan, now_ns);
  Planner(*this, plan, now_ns).fill();
  plan.free_blocks_after = manager_.num_available();
  if (plan.empty() && !(waiting_.empty() && running_.empty() && swapped_.empty()))
    throw std::logic_error("requests are left and none can be planned");
  if (!plan.empty()) in_flight_ = step;
  return plan;
}

Request* Scheduler::find(uint32_t id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}
const Request* Scheduler::find(uint32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::span<const int32_t> Scheduler::device_blocks(const Request& request, TableKind kind) const {
  const uint32_t table = table_id(request.id, kind);
  if (!manager_.knows(table) || manager_.is_swapped(table)) return {};
  return manager_.blocks(table);
}

// Keys and values of a decoder's tokens depend on the encoder's tokens, too. The highest bit keeps
// these keys apart from those of requests without an encoder.
uint64_t Scheduler::prefix_key(const Request& request) {
  if (!request.has_encoder()) return request.cache_key;
  const auto key = std::pair(request.cache_key, request.encoder_ids);
  return encoder_keys_.try_emplace(key, kWithEncoder | encoder_keys_.size()).first->second;
}

// Requests are refused on arrival, not when they reach the front: a person whose text is too long
// should not wait to hear it.
void Scheduler::let_arrive(BatchPlan& plan, uint64_t now_ns) {
  while (!future_.empty() &&
         (future_.begin()->first <= now_ns || ATTN_SCHEDULER_FAULT(kArrivalIgnored))) {
    Request& request = *future_.begin()->second;
    future_.erase(future_.begin());
    request.order = ATTN_SCHEDULER_FAULT(kArrivalsInOrderOfAdd) ? request.id : next_order_++;
    if (events_.arrived) events_.arrived(request);
    request.ignored_reason = never_fits(request);
    if (request.ignored_reason.empty()) {
      waiting_.insert(&request);
      continue;
    }
    plan.ignored.push_back(request.id);
    searches_.erase(request.id);
    end(request, RequestState::kFinishedIgnored, now_ns);
  }
}

std::string Scheduler::never_fits(const Request& request) {
  const auto prompt_len = static_cast<int64_t>(request.prompt_ids.size());
  std::string reason;
  const auto add_sentence = [&reason](const std::string& sentence) {
    if (!reason.empty()) reason += ' ';
    reason += sentence;
  };
  if (prompt_len < 1) add_sentence("The prompt is empty: at least 1 token is needed.");
  const auto require_one = [&](const char* name, int64_t value) {
    if (value < 1) add_sentence(fmt::format("{} is {}: at least 1 is needed.", name, value));
  };
  require_one("max_tokens", request.max_tokens);
  require_one("n", request.n);
  require_one("beam_width", request.beam_width);
  if (request.n > 1 && request.is_beam()) {
    add_sentence(fmt::format("n is {} and beam_width is {}: one of them must be 1.", request.n,
                             request.beam_width));
  }
  const RequestNeeds needs = needs_of({.prompt_tokens = prompt_len,
                                       .encoder_tokens = request.places_in(TableKind::kCross),
                                       .caches_own = request.caches_own,
                                       .n = request.n,
                                       .beam_width = request.beam_width},
                                      1, config_.policy, block_size_);
  if (needs.model_len > config_.max_model_len) {
    add_sentence(
        fmt::format("The prompt has {} tokens. With one new token it needs a max_model_len of at "
                    "least {}; it is {}.",
                    prompt_len, needs.model_len, config_.max_model_len));
  }
  const auto encoder_len = static_cast<int64_t>(request.encoder_ids.size());
  if (config_.max_encoder_len > 0 && encoder_len > config_.max_encoder_len)
    add_sentence(fmt::format("The encoder would read {} tokens; it can read {}.", encoder_len,
                             config_.max_encoder_len));
  if (config_.policy == SchedulingPolicy::kPrefillFirst &&
      prompt_len > config_.max_num_batched_tokens) {
    add_sentence(
        fmt::format("The prompt has {} tokens, and prefill_first computes it in one step. This "
                    "needs a max_num_batched_tokens of at least {}; it is {}.",
                    prompt_len, prompt_len, config_.max_num_batched_tokens));
  }
  const int64_t sequences = needs.sequences;
  const auto require_seats = [&](const char* limit, int64_t value) {
    if (sequences <= value) return;
    add_sentence(
        fmt::format("{} sequences run at the same time. This needs a {} of at least {}; it is {}.",
                    sequences, limit, sequences, value));
  };
  if (sequences > 1) {
    require_seats("max_num_seqs", config_.max_num_seqs);
    require_seats("max_num_batched_tokens", config_.max_num_batched_tokens);
  }
  const auto has = [&] {
    std::string text;
    for (const TableKind kind : request.tables())
      text += fmt::format("{} {} has {}", text.empty() ? "The" : " and the",
                          kind == TableKind::kCross ? "encoder" : "prompt",
                          counted(request.places_in(kind), "token", "tokens"));
    return text + (request.tables().size() > 1 ? ", which needs" : " and needs");
  };
  const char* besides = manager_.config().sliding_window ? " besides the null block" : "";
  if (needs.blocks > usable_blocks_) {
    add_sentence(fmt::format(
        "{} {} of {}{}; the cache has {}{}.", has(), counted(needs.blocks, "block", "blocks"),
        counted(block_size_, "token", "tokens"),
        needs.copies > 1 ? fmt::format(" for {} beams", request.beam_width) : "", usable_blocks_,
        besides));
  } else if (reason.empty() && room_for(request, request.prompt_ids) == Room::kNever) {
    add_sentence(
        fmt::format("{} {} of {}. In addition a share of {} of all blocks must stay free "
                    "(watermark). The cache has {} blocks{}.",
                    has(), counted(needs.blocks / needs.copies, "block", "blocks"),
                    counted(block_size_, "token", "tokens"), manager_.config().watermark,
                    usable_blocks_, besides));
  }
  return reason;
}

Room Scheduler::room_for(const Request& request, std::span<const int32_t> own_ids) {
  return manager_.can_allocate(request.caches_own ? own_ids : std::span<const int32_t>{},
                               prefix_key(request), request.places_in(TableKind::kCross));
}

// The number of blocks that all known tokens of the request take if it shares none.
int64_t Scheduler::blocks_of(const Request& request) const {
  int64_t blocks = 0;
  for (const TableKind kind : request.tables())
    blocks += (request.places_in(kind) + block_size_ - 1) / block_size_;
  return blocks;
}

// How many times blocks_of() a request may need side by side. Beams that were computed again may
// share no blocks.
int64_t Scheduler::copies_of(const Request& request) const {
  return request.caches_own ? std::max<int64_t>(1, request.beam_width) : 1;
}

Scheduler::Search* Scheduler::search_of(const Request& request) {
  if (!request.is_beam()) return nullptr;
  const auto found = searches_.find(request.parent.value_or(request.id));
  return found == searches_.end() ? nullptr : &found->second;
}
const Scheduler::Search* Scheduler::search_of(const Request& request) const {
  return const_cast<Scheduler*>(this)->search_of(request);
}

Scheduler::Unit Scheduler::unit_of(Request& request) {
  const Search* search = search_of(request);
  if (!search || ATTN_SCHEDULER_FAULT(kSearchPreemptedByBeam)) return {&request};
  return search->live;
}

int64_t Scheduler::seats(const Request& request) const {
  if (ATTN_SCHEDULER_FAULT(kSeatsOfForksForgotten)) return 1;
  if (request.is_beam()) return request.beam_width;
  return request.output_ids.empty() ? request.n : 1;
}

int64_t Scheduler::seats_taken() const {
  int64_t taken = 0;
  for (const Request* request : running_) {
    const Search* search = search_of(*request);
    if (!search || search->live.front() == request) taken += seats(*request);
  }
  return taken;
}

// Running sequences decode together, one token each, so the token budget limits their number, too.
int64_t Scheduler::most_seats() const {
  const int64_t most = std::min(config_.max_num_seqs, config_.max_num_batched_tokens);
  return ATTN_SCHEDULER_FAULT(kSeatsOneMore) ? most + 1 : most;
}

void Scheduler::abort(uint32_t id, uint64_t now_ns) {
  Request* request = find(id);
  if (!request) return;
  const uint32_t root = request->parent.value_or(id);
  if (const auto search = searches_.find(root); search != searches_.end()) {
    const Unit beams = std::move(search->second.live);
    searches_.erase(search);
    for (auto beam = beams.rbegin(); beam != beams.rend(); ++beam) abort_one(**beam, now_ns);
    return;
  }
  abort_one(*request, now_ns);
  if (ATTN_SCHEDULER_FAULT(kAbortLeavesForks)) return;
  if (const auto forks = forks_.find(id); forks != forks_.end())
    for (Request* fork : forks->second) abort_one(*fork, now_ns);
}

void Scheduler::abort_one(Request& request, uint64_t now_ns) {
  if (!is_finished(request.state)) end(request, RequestState::kFinishedAborted, now_ns);
}

void Scheduler::leave_line(Request& request) {
  if (request.state == RequestState::kRunning) {
    std::erase(running_, &request);
  } else if (request.state == RequestState::kSwapped) {
    swapped_.erase(&request);
  } else if (waiting_.contains(&request)) {
    waiting_.erase(&request);
  } else {
    std::erase_if(future_, [&](const auto& entry) { return entry.second == &request; });
  }
}

void Scheduler::end(Request& request, RequestState state, uint64_t now_ns) {
  leave_line(request);
  const bool was_swapped = request.state == RequestState::kSwapped;
  request.state = state;
  request.times.finished_ns = now_ns;
  if (!(was_swapped && ATTN_SCHEDULER_FAULT(kAbortLeavesBlocks))) free_blocks(request);
  if (state != RequestState::kFinishedIgnored) finished_.push_back(request.id);
  if (events_.finished) events_.finished(request);
}

void Scheduler::free_blocks(Request& request) {
  const uint32_t first = table_id(request.id, request.tables().front());
  if (!manager_.knows(first)) return;
  if (events_.before_free && !manager_.is_swapped(first)) events_.before_free(request);
  for (const TableKind kind : request.tables()) manager_.free(table_id(request.id, kind));
}

}  // namespace attn
