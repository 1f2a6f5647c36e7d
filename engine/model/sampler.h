// SPDX-License-Identifier: GPL-3.0-or-later
// From logits to a token. Any thread; no state.
#pragma once

#include <cstdint>
#include <span>

#include "engine/scheduler/request.h"

namespace attn {

// logits: [vocab] f32. temperature 0: the largest logit, the lowest id among equals. Otherwise
// softmax(logits / temperature) over the top_k largest (0: all), of those the fewest that reach
// top_p, drawn with one random number that depends on (sampling.seed, position) only, so a request
// writes the same text in any batch and after any preemption. `position` is the number of tokens
// the request has. NaN is never drawn; where no logit is above -inf, token 0 is. Throws
// Error(kBadInput) for no logits and for parameters out of their range (SamplingParams).
int32_t sample_token(std::span<const float> logits, const SamplingParams& sampling,
                     int64_t position);

}  // namespace attn
