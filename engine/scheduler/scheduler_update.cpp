// SPDX-License-Identifier: GPL-3.0-or-later
// The results of a step: tokens, forks, ends.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "engine/core/counted.h"
#include "engine/scheduler/beam_search.h"
#include "engine/scheduler/fault.h"
#include "engine/scheduler/scheduler.h"

namespace attn {

void Scheduler::update(const BatchPlan& plan, std::span<const SampledToken> sampled,
                       uint64_t now_ns) {
  settle(plan);
  int64_t samples = 0;
  for (const PlannedSequence& planned : plan.sequences) samples += planned.num_samples;
  if (samples != static_cast<int64_t>(sampled.size())) {
    throw std::logic_error(
        fmt::format("{} tokens were sampled, the plan asks for {}", sampled.size(), samples));
  }
  std::vector<uint32_t> searches;  // searches that got candidates
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
    if (!request->is_beam()) {
      take_samples(*request, drawn, now_ns);
      continue;
    }
    const uint32_t root = request->parent.value_or(request->id);
    searches_.at(root).candidates[request].assign(drawn.begin(), drawn.end());
    if (std::find(searches.begin(), searches.end(), root) == searches.end())
      searches.push_back(root);
  }
  for (const uint32_t root : searches) {
    const Search& search = searches_.at(root);
    if (search.candidates.size() == search.live.size()) advance_search(root, now_ns);
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

void Scheduler::count_computed(Request& request, int64_t tokens) {
  const int64_t full_before = request.num_computed / block_size_;
  request.num_computed += tokens;
  if (!request.caches_own) return;
  const int64_t computed = ATTN_SCHEDULER_FAULT(kMarksUncomputed) ? manager_.num_tokens(request.id)
                                                                  : request.num_computed;
  if (manager_.config().prefix_caching && computed / block_size_ > full_before)
    manager_.mark_computed(request.id, request.token_ids(), computed);
  manager_.release_window(request.id, ATTN_SCHEDULER_FAULT(kWindowEarly)
                                          ? std::min(request.num_computed + block_size_,
                                                     manager_.num_tokens(request.id))
                                          : request.num_computed);
}

// All forks are made before the parent takes its token, so that they begin with its prompt only.
void Scheduler::take_samples(Request& request, std::span<const SampledToken> sampled,
                             uint64_t now_ns) {
  std::vector<Request*> samples = {&request};
  while (samples.size() < sampled.size())
    samples.push_back(&fork(request, static_cast<int64_t>(samples.size())));
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t drawn = ATTN_SCHEDULER_FAULT(kForkSharesToken) ? 0 : i;
    take_token(*samples[i], sampled[drawn].token, now_ns);
  }
}

void Scheduler::push_token(Request& request, int32_t token, uint64_t now_ns) {
  request.output_ids.push_back(token);
  request.times.token_ns.push_back(now_ns);
  if (!request.times.first_token_ns) request.times.first_token_ns = now_ns;
}

void Scheduler::take_token(Request& request, int32_t token, uint64_t now_ns) {
  push_token(request, token, now_ns);
  if (request.stops_at(token) && !ATTN_SCHEDULER_FAULT(kStopTokenIgnored)) {
    end(request, RequestState::kFinishedStopped, now_ns);
  } else if (auto reason = cap_reason(request)) {
    request.ignored_reason = std::move(*reason);
    end(request, RequestState::kFinishedLengthCapped, now_ns);
  }
}

// Beams that were computed again may share no blocks, so sharing is not counted on here.
std::optional<std::string> Scheduler::cap_reason(const Request& request) const {
  const auto generated = static_cast<int64_t>(request.output_ids.size());
  const int64_t most = request.max_tokens + (ATTN_SCHEDULER_FAULT(kOneTokenMore) ? 1 : 0);
  if (generated >= most) return "";
  if (request.num_tokens() >= config_.max_model_len) {
    return fmt::format("Stopped after {} of {} tokens: the sequence reached max_model_len {}.",
                       generated, request.max_tokens, config_.max_model_len);
  }
  if (blocks_of(request) * copies_of(request) > usable_blocks_) {
    const std::string who = request.is_beam() ? fmt::format("{} beams may need", request.beam_width)
                            : request.tables().size() > 1 ? "the sequence and its encoder need"
                                                          : "the sequence needs";
    return fmt::format("Stopped after {} of {} tokens: {} more than all {} of {}{}.", generated,
                       request.max_tokens, who, counted(usable_blocks_, "block", "blocks"),
                       counted(block_size_, "token", "tokens"),
                       manager_.config().sliding_window ? " besides the null block" : "");
  }
  return std::nullopt;
}

Request& Scheduler::fork(Request& parent, int64_t sample_index) {
  const Request& root = *by_id_.at(parent.parent.value_or(parent.id));
  auto owned = std::make_unique<Request>(parent);
  Request& child = *owned;
  child.id = next_fork_id_++;
  if (!root.name.empty()) child.name = fmt::format("{} ({})", root.name, sample_index + 1);
  child.parent = root.id;
  child.sample_index = sample_index;
  child.n = 1;
  child.sampling = sampling_of(root, ATTN_SCHEDULER_FAULT(kForkSharesSeed) ? 0 : sample_index);
  if (ATTN_SCHEDULER_FAULT(kForkLosesTimes)) child.times = {};
  requests_.push_back(std::move(owned));
  by_id_.emplace(child.id, &child);
  forks_[root.id].push_back(&child);
  for (const TableKind kind : parent.tables())
    manager_.fork(table_id(parent.id, kind), table_id(child.id, kind));
  running_.insert(std::upper_bound(running_.begin(), running_.end(), &child, Before{}), &child);
  forked_.push_back({parent.id, child.id});
  if (events_.forked) events_.forked(parent, child);
  return child;
}

void Scheduler::advance_search(uint32_t root, uint64_t now_ns) {
  Search& search = searches_.at(root);
  const Request& asked = *by_id_.at(root);
  const Unit beams = search.live;
  std::vector<BeamCandidate> candidates;
  for (size_t i = 0; i < beams.size(); ++i) {
    const double before =
        ATTN_SCHEDULER_FAULT(kBeamKeepsOldScore) ? 0 : beams[i]->cumulative_logprob;
    for (const SampledToken& sampled : search.candidates.at(beams[i]))
      if (sampled.token != kNoToken)
        candidates.push_back({i, sampled.token, before + sampled.logprob});
  }
  search.candidates.clear();
  const BeamChoice choice =
      choose_beams(std::move(candidates), asked.beam_width, asked.stop_tokens);

  // Forks are made first, while every beam is as the step left it.
  std::vector<bool> taken(beams.size(), false);
  const auto heir_of = [&](const BeamCandidate& candidate) -> Request* {
    if (!taken[candidate.beam]) {
      taken[candidate.beam] = true;
      return beams[candidate.beam];
    }
    return &fork(*beams[candidate.beam], ++search.num_forks);
  };
  Unit next, finished;
  for (const BeamCandidate& candidate : choice.next) next.push_back(heir_of(candidate));
  for (const BeamCandidate& candidate : choice.finished) finished.push_back(heir_of(candidate));
  const auto extend = [&](Request& beam, const BeamCandidate& candidate) {
    push_token(beam, candidate.token, now_ns);
    beam.cumulative_logprob = candidate.cumulative_logprob;
  };
  for (size_t i = 0; i < next.size(); ++i) extend(*next[i], choice.next[i]);
  for (size_t i = 0; i < finished.size(); ++i) {
    extend(*finished[i], choice.finished[i]);
    search.hypotheses.push_back(finished[i]);
    end(*finished[i], RequestState::kFinishedStopped, now_ns);
  }
  for (size_t i = 0; i < beams.size(); ++i)
    if (!taken[i]) drop(*beams[i], "other beams have at least the same log-probability", now_ns);
  std::sort(next.begin(), next.end(), Before{});
  search.live = std::move(next);
  end_search_when_over(root, now_ns);
}

void Scheduler::drop(Request& beam, const char* why, uint64_t now_ns) {
  beam.ignored_reason = fmt::format("Dropped: {} {}.", beam.beam_width, why);
  if (!is_finished(beam.state)) end(beam, RequestState::kFinishedStopped, now_ns);
}

bool Scheduler::no_beam_can_win(const Search& search, const Request& asked) const {
  const auto width = static_cast<size_t>(asked.beam_width);
  if (search.hypotheses.size() < width) return false;
  if (asked.early_stopping || ATTN_SCHEDULER_FAULT(kSearchEndsEarly)) return true;
  const double to_beat = score_of(*ranked(search)[width - 1]);
  return std::all_of(search.live.begin(), search.live.end(), [&](const Request* beam) {
    return best_attainable_score(beam->cumulative_logprob,
                                 static_cast<int64_t>(beam->output_ids.size()), beam->max_tokens,
                                 beam->length_penalty) <= to_beat;
  });
}

double Scheduler::score_of(const Request& beam) const {
  return beam_score(beam.cumulative_logprob, static_cast<int64_t>(beam.output_ids.size()),
                    ATTN_SCHEDULER_FAULT(kLengthPenaltyIgnored) ? 0 : beam.length_penalty);
}

// The hypotheses of a search, best first; among equal ones the one that ended first.
Scheduler::Unit Scheduler::ranked(const Search& search) const {
  Unit hypotheses = search.hypotheses;
  if (ATTN_SCHEDULER_FAULT(kBeamsNotRanked)) return hypotheses;
  std::stable_sort(hypotheses.begin(), hypotheses.end(),
                   [&](const Request* a, const Request* b) { return score_of(*a) > score_of(*b); });
  return hypotheses;
}

void Scheduler::end_search_when_over(uint32_t root, uint64_t now_ns) {
  Search& search = searches_.at(root);
  const Request& asked = *by_id_.at(root);
  if (const auto reason = search.live.empty() ? std::nullopt : cap_reason(*search.live.front())) {
    for (Request* beam : search.live) {
      beam->ignored_reason = *reason;
      search.hypotheses.push_back(beam);
      end(*beam, RequestState::kFinishedLengthCapped, now_ns);
    }
  } else if (no_beam_can_win(search, asked)) {
    const char* why = asked.early_stopping ? "finished beams are enough (early_stopping)"
                                           : "finished beams have at least the same score";
    for (Request* beam : search.live) drop(*beam, why, now_ns);
  } else if (!search.live.empty()) {
    return;
  }
  const Unit hypotheses = ranked(search);
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    if (static_cast<int64_t>(i) < asked.beam_width) {
      hypotheses[i]->beam_rank = static_cast<int64_t>(i);
    } else {
      drop(*hypotheses[i], "finished beams have at least the same score", now_ns);
    }
  }
  searches_.erase(root);
}

}  // namespace attn
