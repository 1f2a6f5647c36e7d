// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of beam search, apart from blocks and queues. Any thread; no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// One token more for one of the running beams.
struct BeamCandidate {
  size_t beam = 0;  // index among the running beams
  int32_t token = 0;
  double cumulative_logprob = 0;  // of the beam's output with this token
  bool operator==(const BeamCandidate&) const = default;
};

struct BeamChoice {
  std::vector<BeamCandidate> next;      // go on: at most beam_width, best first
  std::vector<BeamCandidate> finished;  // end with a stop token, best first
};

// Candidates in order of log-probability, among equals the lower token id, then the earlier beam. A
// stop token among the best beam_width ends as a hypothesis; one further down is dropped. The other
// candidates go on until there are beam_width. With the Request::beam_candidates() best tokens of
// each beam that many are always found.
BeamChoice choose_beams(std::vector<BeamCandidate> candidates, int64_t beam_width,
                        std::span<const int32_t> stop_tokens);

// The best beam_score() that a running beam can still end with. Log-probabilities only add up to
// less; a positive length penalty favours the longest possible output, another one the shortest.
double best_attainable_score(double cumulative_logprob, int64_t output_tokens, int64_t max_tokens,
                             double length_penalty);

}  // namespace attn
