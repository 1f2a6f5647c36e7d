// SPDX-License-Identifier: GPL-3.0-or-later
// SyntheticSource: makes queries, keys and values by a rule, so that attention shows a known
// pattern. p is the period; scores are in nats and include the scale.
//
//   random     Scores are normal with standard deviation sharpness / 2.
//   local      The score is 2 * sharpness * exp(-(d - p/2)^2 / (2 (3p/4)^2)), d the distance in
//              tokens from the query back to the key: a band of about p tokens. q.k is a sum of
//              cos(w (i - j)) over frequencies w from the spectrum of that bell curve (Bochner; A.
//              Rahimi and B. Recht, "Random Features for Large-Scale Kernel Machines", 2007).
//   induction  A prompt repeats the tokens 0 .. p-1. A query of token t looks at the tokens that
//              followed earlier occurrences of t (score 2 * sharpness).
//   needle     Every token that sees needle_position looks at it (score 2 * sharpness).
//   alignment  Cross attention like that of a translation. The source words come in runs of p
//              words. The translation has the words of each run rotated by a number drawn from the
//              seed: a, b, c becomes b, c, a. Row i of the decoder writes word i of the
//              translation, whose source word is a(i); for rows past the end a(i) is the last word.
//              Query head h does one of four things by h modulo 4: 0 (aligned) looks at word a(i),
//              in layer l of L with (l + 1) / L of the sharpness; 1 (context) looks at the word
//              after it; 2 (first) looks at source word 0; 3 (uniform) looks at all words alike. 1
//              and 2 use half the sharpness. The score falls off around the word as a bell curve of
//              deviation 3/4 word, made as for `local`.
//   alternating  As random. Layers 0, 2, 4, ... have a sliding window of p tokens; the others see
//              all tokens up to the query.
//   encoder_decoder  As random. Every layer of the decoder makes two attention calls, self
//              attention and then cross attention. The calls of the encoder's layers, if it has
//              any, come before them; what they give is added to the keys and values of the next
//              encoder layer and of cross attention. The last call is cross attention: the logits
//              compare what it brought back from the encoder.
//
// Induction, needle and alignment add a little noise to every key. At sharpness 0 all scores are 0.
//
// The value of a token is its code, a vector of +1 and -1. The logits compare what the attention of
// the last layer brought back with the codes of the tokens that can be generated. So the induction
// source goes on with its segment, the needle source repeats its needle and the alignment source
// writes the translation. A row depends on (seed, position, token, layer, head) only, in alignment
// also on the encoder's length, and after a layer of an encoder also on the output of that layer.
// Engine thread, except the text functions, which any thread may call.
//
// In cross attention, queries are made from the decoder's positions and tokens, keys and values
// from the encoder's; the rules stay the same (induction: the tokens that follow t in the encoder's
// text).
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/model/synthetic/synthetic_spec.h"

namespace attn {

// Tokens are called "k0", "k1", ...; token i of a prompt is i modulo the size of the vocabulary,
// which is `period` for induction, else max_model_len, but at most 131072; only the first 4096 are
// generated. The encoder's tokens are the same words under the names "src0", "src1", ... An
// alignment source calls the decoder's tokens "tgt0", ..., after their source words; its prompts
// are "<s>" and the beginning of the translation. Throws Error(kBadInput) for a spec with a number
// out of range.
std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec, uint64_t seed);

}  // namespace attn
