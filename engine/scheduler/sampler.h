// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses tokens by their logits: the most probable ones, or a random draw. Any thread; no state.
// suppressed: ids of tokens that are left out, ascending.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn {

// The `count` most probable tokens of softmax(logits) with their log-probabilities, best first; of
// equal ones the lower id first. If fewer allowed logits are above -inf, the list is filled up with
// kNoToken and -inf. Computed in f64. The probability of suppressed tokens is not shared out among
// the others.
std::vector<SampledToken> best_tokens(std::span<const float> logits, int64_t count,
                                      std::span<const int32_t> suppressed = {});

// Index of the first logit that is NaN or +inf; -1: none.
int64_t first_bad_logit(std::span<const float> logits);

// How a token is drawn: the candidates' weights lie one after another on a strip, and the token at
// random * total is taken.
struct Draw {
  struct Candidate {
    int32_t token = 0;
    double weight = 0;  // exp((logit - largest) / temperature)
  };
  // The candidates that top_k and top_p left, in their order on the strip: by token id, or with
  // top_k or top_p the largest first. With temperature 0, or if no allowed logit is above -inf: the
  // token that is taken, of weight 1.
  std::vector<Candidate> candidates;
  double total = 0;   // sum of their weights
  double random = 0;  // in [0, 1)
  int32_t token = 0;
};
// The draw behind sample_token(), with the same arguments, errors and token.
Draw draw_token(std::span<const float> logits, const SamplingParams& sampling, int64_t position,
                std::span<const int32_t> suppressed = {});

// Draws a token from logits [vocab] f32. Temperature 0: the token of the largest logit, of equal
// ones the lowest id. Otherwise: from softmax(logits / temperature) over the top_k largest logits
// (0: all), and of those over the fewest that reach the share top_p. The random number depends on
// (sampling.seed, position); position is the number of tokens of the request. Token 0 if no allowed
// logit is above -inf. Throws Error(kBadInput) for no logits and for parameters out of their range
// (SamplingParams).
int32_t sample_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position, std::span<const int32_t> suppressed = {});

}  // namespace attn
