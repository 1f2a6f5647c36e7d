// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of tokens in beam search, and a bound of the score. Any thread; no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace attn {

struct BeamCandidate {
  size_t beam = 0;  // index among the running beams
  int32_t token = 0;
  double cumulative_logprob = 0;  // with this token
  bool operator==(const BeamCandidate&) const = default;
};

struct BeamChoice {
  std::vector<BeamCandidate> next;      // the beams that go on, best first
  std::vector<BeamCandidate> finished;  // best first
};

// Takes the candidates by cumulative log-probability, highest first; of equal ones the lower token
// id first, then the earlier beam. Candidates without a stop token go on, until there are
// beam_width. One with a stop token is finished if it is among the best beam_width candidates, else
// dropped.
BeamChoice choose_beams(std::vector<BeamCandidate> candidates, int64_t beam_width,
                        std::span<const int32_t> stop_tokens);

// An upper bound of the beam_score() with which a running beam can end. Its log-probability never
// rises. With a positive length penalty the bound is at max_tokens, otherwise at the present
// length.
double best_attainable_score(double cumulative_logprob, int64_t output_tokens, int64_t max_tokens,
                             double length_penalty);

}  // namespace attn
