// SPDX-License-Identifier: GPL-3.0-or-later
// From logits to a token. Any thread; no state.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace attn {

// The `count` most probable tokens of softmax(logits) with the logarithm of their probability, best
// first, the lower id among equals; kNoToken with -inf where the vocabulary or its numbers end
// before. In f64.
std::vector<SampledToken> best_tokens(std::span<const float> logits, int64_t count);

// Index of the first logit that no model with finite numbers makes: NaN or +inf; -1: none.
int64_t first_bad_logit(std::span<const float> logits);

// logits: [vocab] f32. temperature 0: the largest logit, the lowest id among equals. Otherwise
// softmax(logits / temperature) over the top_k largest (0: all), of those the fewest that reach
// top_p, drawn with one random number that depends on (sampling.seed, position) only, so a request
// writes the same text in any batch and after any preemption. `position` is the number of tokens
// the request has. NaN is never drawn; where no logit is above -inf, token 0 is. Throws
// Error(kBadInput) for no logits and for parameters out of their range (SamplingParams).
int32_t sample_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position);

}  // namespace attn
