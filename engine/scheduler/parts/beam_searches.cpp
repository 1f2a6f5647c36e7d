// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/beam_searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/scheduler/beam_search.h"
#include "engine/scheduler/fault.h"
#include "engine/scheduler/parts/require.h"

namespace attn {
namespace {

double score_of(const Request& beam) {
  return beam_score(beam.cumulative_logprob, static_cast<int64_t>(beam.output_ids.size()),
                    ATTN_SCHEDULER_FAULT(kLengthPenaltyIgnored) ? 0 : beam.length_penalty);
}

// The hypotheses of a search, best first; among equal ones the one that ended first.
std::vector<Request*> ranked(std::vector<Request*> hypotheses) {
  if (ATTN_SCHEDULER_FAULT(kBeamsNotRanked)) return hypotheses;
  std::stable_sort(hypotheses.begin(), hypotheses.end(),
                   [](const Request* a, const Request* b) { return score_of(*a) > score_of(*b); });
  return hypotheses;
}

}  // namespace

BeamSearches::BeamSearches(Sequences& sequences, const RequestLimits& limits)
    : sequences_(sequences), limits_(limits) {}

void BeamSearches::begin(Request& request) {
  searches_[request.id].live = {&request};
}

bool BeamSearches::abort(uint32_t root, uint64_t now_ns) {
  const auto search = searches_.find(root);
  if (search == searches_.end()) return false;
  const Unit beams = std::move(search->second.live);
  searches_.erase(search);
  for (auto beam = beams.rbegin(); beam != beams.rend(); ++beam) sequences_.abort(**beam, now_ns);
  return true;
}

const BeamSearches::Search* BeamSearches::search_of(const Request& request) const {
  if (!request.is_beam()) return nullptr;
  const auto found = searches_.find(request.parent.value_or(request.id));
  return found == searches_.end() ? nullptr : &found->second;
}

BeamSearches::Unit BeamSearches::unit_of(Request& request) const {
  const Search* search = search_of(request);
  if (!search || ATTN_SCHEDULER_FAULT(kSearchPreemptedByBeam)) return {&request};
  return search->live;
}

bool BeamSearches::is_further_beam(const Request& request) const {
  const Search* search = search_of(request);
  return search && search->live.front() != &request;
}

void BeamSearches::add_candidates(const Request& beam, std::span<const SampledToken> candidates) {
  const uint32_t root = beam.parent.value_or(beam.id);
  searches_.at(root).candidates[&beam].assign(candidates.begin(), candidates.end());
  if (std::find(fed_.begin(), fed_.end(), root) == fed_.end()) fed_.push_back(root);
}

void BeamSearches::forget_candidates(const Request& beam) {
  const auto search = searches_.find(beam.parent.value_or(beam.id));
  if (search != searches_.end()) search->second.candidates.clear();
}

void BeamSearches::advance(uint64_t now_ns) {
  for (const uint32_t root : std::exchange(fed_, {})) {
    const Search& search = searches_.at(root);
    if (search.candidates.size() == search.live.size()) advance_search(root, now_ns);
  }
}

void BeamSearches::advance_search(uint32_t root, uint64_t now_ns) {
  Search& search = searches_.at(root);
  const Request& asked = *sequences_.find(root);
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
    return &sequences_.fork(*beams[candidate.beam], ++search.num_forks);
  };
  Unit next, finished;
  for (const BeamCandidate& candidate : choice.next) next.push_back(heir_of(candidate));
  for (const BeamCandidate& candidate : choice.finished) finished.push_back(heir_of(candidate));
  const auto extend = [&](Request& beam, const BeamCandidate& candidate) {
    beam.add_output(candidate.token, now_ns);
    beam.cumulative_logprob = candidate.cumulative_logprob;
  };
  for (size_t i = 0; i < next.size(); ++i) extend(*next[i], choice.next[i]);
  for (size_t i = 0; i < finished.size(); ++i) {
    extend(*finished[i], choice.finished[i]);
    search.hypotheses.push_back(finished[i]);
    sequences_.end(*finished[i], RequestState::kFinishedStopped, now_ns);
  }
  for (size_t i = 0; i < beams.size(); ++i)
    if (!taken[i]) drop(*beams[i], "other beams have at least the same log-probability", now_ns);
  std::sort(next.begin(), next.end(), RequestQueues::Before{});
  search.live = std::move(next);
  end_when_over(root, now_ns);
}

void BeamSearches::drop(Request& beam, const char* why, uint64_t now_ns) {
  beam.ignored_reason = fmt::format("Dropped: {} {}.", beam.beam_width, why);
  if (!is_finished(beam.state)) sequences_.end(beam, RequestState::kFinishedStopped, now_ns);
}

bool BeamSearches::no_beam_can_win(const Search& search, const Request& asked) const {
  const auto width = static_cast<size_t>(asked.beam_width);
  if (search.hypotheses.size() < width) return false;
  if (asked.early_stopping || ATTN_SCHEDULER_FAULT(kSearchEndsEarly)) return true;
  const double to_beat = score_of(*ranked(search.hypotheses)[width - 1]);
  return std::all_of(search.live.begin(), search.live.end(), [&](const Request* beam) {
    return best_attainable_score(beam->cumulative_logprob,
                                 static_cast<int64_t>(beam->output_ids.size()), beam->max_tokens,
                                 beam->length_penalty) <= to_beat;
  });
}

void BeamSearches::end_when_over(uint32_t root, uint64_t now_ns) {
  Search& search = searches_.at(root);
  const Request& asked = *sequences_.find(root);
  if (const auto reason =
          search.live.empty() ? std::nullopt : limits_.cap_reason(*search.live.front())) {
    for (Request* beam : search.live) {
      beam->ignored_reason = *reason;
      search.hypotheses.push_back(beam);
      sequences_.end(*beam, RequestState::kFinishedLengthCapped, now_ns);
    }
  } else if (no_beam_can_win(search, asked)) {
    const char* why = asked.early_stopping ? "finished beams are enough (early_stopping)"
                                           : "finished beams have at least the same score";
    for (Request* beam : search.live) drop(*beam, why, now_ns);
  } else if (!search.live.empty()) {
    return;
  }
  const Unit hypotheses = ranked(search.hypotheses);
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    if (static_cast<int64_t>(i) < asked.beam_width) {
      hypotheses[i]->beam_rank = static_cast<int64_t>(i);
    } else {
      drop(*hypotheses[i], "finished beams have at least the same score", now_ns);
    }
  }
  searches_.erase(root);
}

void BeamSearches::check() const {
  for (const auto& [root, search] : searches_) {
    require_state(!search.live.empty(), "a search without beams goes on", root);
    require_state(static_cast<int64_t>(search.live.size()) <= sequences_.find(root)->beam_width,
                  "a search has more beams than beam_width", root);
    require_state(search.candidates.size() < search.live.size(),
                  "every beam of a search has its candidates, but the search did not advance",
                  root);
    require_state(std::is_sorted(search.live.begin(), search.live.end(), RequestQueues::Before{}),
                  "beams are out of order", root);
    for (const Request* beam : search.live)
      require_state(beam->state == search.live.front()->state,
                    "the beams of a search are in different states", root);
  }
}

void BeamSearches::check_running(const Request& request) const {
  const Search* search = search_of(request);
  require_state(request.is_beam() == (search != nullptr), "a running beam has no search",
                request.id);
  const bool has_candidates = search && search->candidates.contains(&request);
  require_state(has_candidates == (request.num_computed == request.num_tokens()),
                has_candidates ? "a beam that has its candidates has a token to compute"
                               : "a running request has nothing to compute",
                request.id);
  require_state(request.num_computed <= request.num_tokens(),
                "more tokens are computed than the request has", request.id);
}

}  // namespace attn
