// SPDX-License-Identifier: GPL-3.0-or-later
// BeamSearches: the beam searches of a scheduler that have not ended. It knows which beams are
// alive and the candidates of their next tokens, and advances and ends the searches.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/scheduler/batch_plan.h"
#include "engine/scheduler/parts/request_limits.h"
#include "engine/scheduler/parts/sequences.h"

namespace attn {

class BeamSearches {
 public:
  // Sequences that are admitted, preempted and brought back together: a single one, or the live
  // beams of a search in the order of the line.
  using Unit = std::vector<Request*>;

  // Both must outlive the searches.
  BeamSearches(Sequences& sequences, const RequestLimits& limits);

  // Begins a search with an added request.
  void begin(Request& request);
  // Forgets the search of a request that can never run.
  void forget(const Request& request) { searches_.erase(request.id); }
  // Ends a search and its beams. False: no search of this request goes on.
  bool abort(uint32_t root, uint64_t now_ns);

  Unit unit_of(Request& request) const;
  // Whether the request is a beam of a search, but not the first one alive.
  bool is_further_beam(const Request& request) const;

  // Keeps the candidates of a beam whose step is computed until the other beams have theirs.
  void add_candidates(const Request& beam, std::span<const SampledToken> candidates);
  // Forgets the candidates of all beams of this beam's search, which will be computed again.
  void forget_candidates(const Request& beam);
  // Advances the searches that got candidates since the last call and now have those of all beams.
  void advance(uint64_t now_ns);

  // check() throws std::logic_error when the state of a search contradicts itself, and
  // check_running() when a running request contradicts itself or its search.
  void check() const;
  void check_running(const Request& request) const;

 private:
  // All live beams of a search have the same state: they run, wait or are swapped out.
  struct Search {
    Unit live;
    Unit hypotheses;  // beams that ended by a stop token or a limit
    std::unordered_map<const Request*, std::vector<SampledToken>> candidates;
    int64_t num_forks = 0;
  };

  const Search* search_of(const Request& request) const;
  void advance_search(uint32_t root, uint64_t now_ns);
  void drop(Request& beam, const char* why, uint64_t now_ns);
  bool no_beam_can_win(const Search& search, const Request& asked) const;
  void end_when_over(uint32_t root, uint64_t now_ns);

  Sequences& sequences_;
  const RequestLimits& limits_;
  std::unordered_map<uint32_t, Search> searches_;  // key: the added request
  std::vector<uint32_t> fed_;                      // searches that got candidates since advance()
};

}  // namespace attn
