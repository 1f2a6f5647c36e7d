// SPDX-License-Identifier: GPL-3.0-or-later
// Network: the layers of a trained network that turn its residual stream into queries, keys, values
// and logits. Plain data: pointers into the model, valid as long as it lives; what depends on
// weights is there once they are read.
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
  // C -> H*D queries, Hkv*D keys, Hkv*D values. Null: each of the three has a linear layer of its
  // own.
  const Linear* qkv = nullptr;
  const Linear* out = nullptr;            // H*D -> C: W_O of all heads, side by side
  const Norm* before = nullptr;           // of what attention reads; null: none, or qkv is null
  const Norm* after_attention = nullptr;  // of what attention adds; null: none
  const Rotary* rotary = nullptr;         // null: queries and keys do not turn
  // False for self attention that is followed by cross attention.
  bool has_mlp = true;
};

// Where a model has an encoder and a decoder, the residual stream and the logits are those of the
// decoder; in `layers`, those of the encoder come first (SourceShape::num_encoder_layers()).
struct Network {
  int64_t width = 0;  // C, numbers of the residual stream
  HeadShape heads;
  int64_t vocab_size = 0;
  std::vector<NetworkLayer> layers;
  const Embedding* embedding = nullptr;  // [V, C or another width]
  // logits = cap(scale * head(project(final_norm(x))))
  const Norm* final_norm = nullptr;  // null: none
  const Linear* project = nullptr;   // C -> W; null: none
  const Linear* head = nullptr;      // C or W -> V
  float logit_scale = 1;
  float logit_soft_cap = 0;  // cap * tanh(logit / cap); 0: none
  float residual_scale = 1;  // factor on what attention or an MLP adds
  // Why the logits are not read from the sum of what all layers add, as a sentence; empty: they
  // are.
  std::string not_a_sum;
  // Why heads have no QK circuit (engine/explore/circuits.h), as a sentence; empty: they have one.
  std::string not_bilinear;
};

}  // namespace attn
