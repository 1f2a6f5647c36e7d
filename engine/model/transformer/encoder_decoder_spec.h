// SPDX-License-Identifier: GPL-3.0-or-later
// EncoderDecoderSpec: what a family says of a network with an encoder and a decoder as plain data.
// It is read from config.json; make_encoder_decoder() makes the network. Names of tensors are
// without ".weight" and ".bias"; "" means that the network does not have the layer. A norm is
// applied to the input of attention or an MLP or, with norm_after_sum, to the sum of the residual
// stream and their output:
//
//   x = embed(token) * embedding_scale + position; embedding norm
//   per layer: x += self(norm(x)); in the decoder x += cross(norm(x), states); x += mlp(norm(x))
//   norm_after_sum:  x = norm(x + self(x)), and so on
//   states = final_norm(x) of the encoder;  logits = head(final_norm(x) * logit_scale) + bias
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/files/tensor_reader.h"
#include "engine/model/layers/activation.h"
#include "engine/model/layers/heads.h"

namespace attn {

struct AttentionNames {
  std::string query, key, value, out, norm;
};

// The encoder or the decoder. Names in a layer are written without what they begin with: `prefix`,
// the layer's number and a point.
struct StackSpec {
  Axis layers, inner;  // inner: F
  std::string prefix;
  AttentionNames self, cross;   // cross: of the decoder
  std::vector<std::string> up;  // gated: gate and up
  std::string down, mlp_norm;
  std::string positions, embedding_norm, final_norm;
  std::string relative_bias;  // the table [buckets, H] that all layers share
};

// Sines and cosines of a position have frequencies from 1 on that fall to almost 1/10000
// (kSinusoidal, as Marian's), or to 1/10000 (kSinusoidalToEnd, as M2M-100's).
enum class PositionKind { kNone, kLearned, kSinusoidal, kSinusoidalToEnd };

struct EncoderDecoderSpec {
  // --- shape; the names of axes are for messages ---
  Axis width;  // C
  Axis vocabulary;
  std::string heads_key, size_key;
  HeadShape heads;            // of the encoder and of the decoder; as many KV heads as heads
  int64_t max_model_len = 0;  // tokens, of the decoder and of the encoder
  int32_t start_token = 0;    // the decoder's first token
  StackSpec encoder, decoder;
  std::string embedding, head = "lm_head";
  std::vector<std::string> ignored;  // endings of tensors without effect

  // --- layers ---
  bool uses_layer_norm = false;  // LayerNorm instead of RmsNorm
  float norm_epsilon = 1e-6f;
  bool norm_after_sum = false;
  bool has_bias = false;  // of all linear layers but the head
  bool gated = false;
  Activation activation = Activation::kRelu;
  float scale = 0;  // factor on the dot product; 0: 1 / sqrt(D)

  // --- positions ---
  PositionKind positions = PositionKind::kNone;
  int64_t position_offset = 0;  // position p has row p + offset, or the sines of p + offset
  int64_t buckets = 0;          // rows of the table of a relative bias; 0: none
  int64_t max_distance = 0;     // from here on all keys are in the last bucket of their side

  // --- factors and output ---
  float embedding_scale = 1, logit_scale = 1;
  bool tie_embeddings = true;
  std::string logits_bias;  // [1, vocabulary]; the files may lack it
};

}  // namespace attn
