// SPDX-License-Identifier: GPL-3.0-or-later
// The network of the families with an encoder and a decoder: computes what an EncoderDecoderSpec
// describes. Its attention calls are those of the encoder's layers, then for each layer of the
// decoder self attention and cross attention. The encoder runs in the steps that have encoder
// tokens, and cross attention makes its keys and values from the encoder's states of that step.
// Arithmetic as in transformer.h, but the sines of kSinusoidalToEnd are f32.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/transformer/encoder_decoder_spec.h"

namespace attn {

// Makes the network without weights. The spec must be consistent: sizes above 0.
std::unique_ptr<Model> make_encoder_decoder(EncoderDecoderSpec spec);

// The row of T5's table that belongs to a distance key - query. In a decoder, half of the rows are
// for one distance each; after them the row grows with the logarithm of the distance, up to
// max_distance. In an encoder the same holds for each half of the table: the first is for keys up
// to the query, the second for later keys.
int64_t relative_bucket(int64_t distance, bool in_encoder, int64_t buckets, int64_t max_distance);

}  // namespace attn
