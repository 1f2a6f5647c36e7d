// SPDX-License-Identifier: GPL-3.0-or-later
// SyntheticSource: makes queries, keys and values by a rule, so that attention shows a known
// pattern. p is the period; scores are in nats and include the scale.
//
//   random     Scores are about normal, with standard deviation sharpness / 2.
//   local      The score is about 2 * sharpness * exp(-(d - p/2)^2 / (2 (3p/4)^2)), d the distance
//              in tokens from the query back to the key. q.k is a sum of cos(w (d - p/2)) over
//              frequencies w from the spectrum of that bell curve (A. Rahimi and B. Recht, "Random
//              Features for Large-Scale Kernel Machines", 2007).
//   induction  A prompt repeats the tokens 0 .. p-1. A query of token t looks at the keys of token
//              t + 1 (0 after p-1), except at position 0 (score about 2 * sharpness).
//   needle     A token that sees needle_position looks at it (score about 2 * sharpness).
//   alignment  Cross attention like that of a translation. Row i of the decoder writes source word
//              a(i); a rotates the words within each run of p words. h modulo 4 says where query
//              head h looks: 0 word a(i), 1 the next word (if any), 2 word 0, 3 all words alike.
//   alternating  As random. Layers 0, 2, 4, ... have a sliding window of p tokens.
//   encoder_decoder  As random. Each layer of the decoder makes two attention calls, self attention
//                    and then cross attention. A step begins with the calls of the encoder's
//                    layers, if there are any.
//
// The value of a token is its code, a vector of +1 and -1. The attention output of an encoder
// layer, as the mean over the query heads of a KV head, is added to the keys and values that the
// next encoder layer, or after the last one cross attention, makes of the same token. The logits
// compare the attention output of the last layer with the codes of the tokens that can be
// generated. Engine thread, except the text functions: any thread.
#pragma once

#include <memory>

#include "engine/model/source.h"
#include "engine/model/synthetic/synthetic_spec.h"

namespace attn {

// Tokens are called "k0", "k1", ...; token i of prompt_ids() is i modulo the size of the
// vocabulary, which is `period` for induction, else max_model_len, but at most 131072. At most 4096
// different tokens can be generated, 4097 by an alignment source. The encoder's tokens are called
// "src0", "src1", ... An alignment source calls the decoder's tokens "tgt0", ...; its prompt_ids()
// are "<s>" and the beginning of the translation. Throws Error(kBadInput) for numbers of the spec
// that are out of range or do not fit each other.
std::unique_ptr<Source> make_synthetic_source(const SyntheticSpec& spec, uint64_t seed);

}  // namespace attn
