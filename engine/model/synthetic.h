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
//   (score 2 * sharpness)
//   needle     every token looks at needle_position (score 2 * sharpness)
//   alignment  cross attention as a translation has it. Source words come in runs of p words, p the
//   period, and the target has the
//              words of a run in the same order, but turned by a number drawn from the seed: a, b,
//              c becomes b, c, a. Row i of the decoder writes target word i, and source word a(i)
//              is what stands there; past the last one it is the last. Query heads do one of four
//              things, in turn: 0 aligned, looks at word a(i), in layer l of L with (l + 1) / L of
//              the sharpness; 1 context, at the word after it; 2 first, at source word 0; 3
//              uniform, at all. 1 and 2 have half the sharpness; the score falls off as a bell
//              curve of deviation 3/4 word, made as that of `local`.
// plus a little noise per key in the last three; at sharpness 0 all scores are 0. Scores are in
// nats, scale included.
//
// The value of a token is its code, a vector of +1 and -1. The logits compare what the last layer's
// attention brought back with the code of every token, so the induction source goes on with its
// segment, the needle source repeats its needle and the alignment source writes the translation. A
// row depends on (seed, position, token, layer, head) only, in alignment on the encoder's length
// too. Engine thread, except the text functions.
//
// In cross attention queries are of the decoder's positions and tokens, keys and values of the
// encoder's; the rules above stay the same (induction: what follows t in the encoder's text).
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/model/synthetic_spec.h"

namespace attn {

// Tokens are called "k0", "k1", ...; token i of a prompt is i modulo the vocabulary: `period`
// tokens for induction, else max_model_len, at most 4096. The encoder's tokens are called "src0",
// "src1", ...: the same words under another name. Alignment calls its own "tgt0", ..., after their
// source word; its prompts are "<s>" and the translation as far as it goes. Throws Error(kBadInput)
// for a spec that makes no sense.
std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec, uint64_t seed);

}  // namespace attn
