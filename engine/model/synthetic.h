// SPDX-License-Identifier: GPL-3.0-or-later
// SyntheticSource: queries, keys and values made by a rule, so that attention shows a pattern known
// beforehand.
//
//   random     q, k normal: score deviation sharpness / 2
//   local      score 2 * sharpness * exp(-(d - p/2)^2 / (2 (3p/4)^2)), d the distance in tokens, p
//   the period: a band of
//              about p tokens. q.k is a sum of cos(w (i - j)) over the frequencies w of that bell
//              curve (Bochner; A. Rahimi and B. Recht, "Random Features for Large-Scale Kernel
//              Machines", 2007)
//   induction  a prompt repeats tokens 0 .. period-1; token t looks at what followed t before
//   (score 2 * sharpness) needle     every token looks at needle_position (score 2 * sharpness)
// plus a little noise per key in the last two; at sharpness 0 all scores are 0. Scores are in nats,
// scale included.
//
// The value of a token is its code, a vector of +1 and -1. The logits compare what the last layer's
// attention brought back with the code of every token, so the induction source goes on with its
// segment and the needle source repeats its needle. A row depends on (seed, position, token, layer,
// head) only. Engine thread, except the text functions.
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/model/synthetic_spec.h"

namespace attn {

// Tokens are called "k0", "k1", ...; token i of a prompt is i modulo the vocabulary: `period`
// tokens for induction, else max_model_len, at most 4096. Throws Error(kBadInput) for a spec that
// makes no sense.
std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec, uint64_t seed);

}  // namespace attn
