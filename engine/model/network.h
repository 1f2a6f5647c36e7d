// SPDX-License-Identifier: GPL-3.0-or-later
// Network: parts of a trained network for looking into it: attention layers, embedding and output.
// Plain data with pointers into the model, which are valid as long as the model lives. Complete
// once the weights have been read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/layers/embedding.h"
#include "engine/model/layers/heads.h"
#include "engine/model/layers/linear.h"
#include "engine/model/layers/norm.h"
#include "engine/model/layers/rotary.h"

namespace attn {

// The text of Network::not_a_sum for a model with a norm after each sum.
inline constexpr std::string_view kNormsAfterSums =
    "Its layers have a norm after each sum, so what a layer adds is scaled anew by every later "
    "layer.";

struct NetworkLayer {
  // One linear layer: C -> H*D queries, Hkv*D keys, Hkv*D values. Null: queries, keys and values
  // each have a linear layer of their own, and the network does not give it.
  const Linear* qkv = nullptr;
  const Linear* out = nullptr;            // H*D -> C: W_O of all heads, side by side
  const Norm* before = nullptr;           // of attention's input; null: none, or qkv is null
  const Norm* after_attention = nullptr;  // of attention's output, before it is added; null: none
  const Rotary* rotary = nullptr;         // null: queries and keys are not rotated
  // False for self attention that is followed by cross attention.
  bool has_mlp = true;
};

// Where a model has an encoder and a decoder, the residual stream and the logits are those of the
// decoder; in `layers`, the encoder's layers come first (SourceShape::num_encoder_layers()).
struct Network {
  int64_t width = 0;  // C, numbers of a token's residual stream
  HeadShape heads;
  int64_t vocab_size = 0;
  std::vector<NetworkLayer> layers;
  const Embedding* embedding = nullptr;  // [V, C or another width]
  // logits = cap(scale * head(project(final_norm(x))))
  const Norm* final_norm = nullptr;  // null: there is no norm
  const Linear* project = nullptr;   // C -> W; null: no such layer
  const Linear* head = nullptr;      // C or W -> V
  float logit_scale = 1;
  float logit_soft_cap = 0;  // cap * tanh(logit / cap); 0: no cap
  float residual_scale = 1;  // factor on what attention or an MLP adds
  // A sentence that says why the logits do not follow by the formula above from the sum of what all
  // layers add to the residual stream. Empty: they do.
  std::string not_a_sum;
  // A sentence that says why heads have no QK circuit (engine/explore/circuits.h). Empty: they have
  // one, or qkv is null.
  std::string not_bilinear;
};

}  // namespace attn
