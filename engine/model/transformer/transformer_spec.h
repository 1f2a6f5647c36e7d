// SPDX-License-Identifier: GPL-3.0-or-later
// TransformerSpec: what a family says of its network as plain data. It is read from config.json;
// make_transformer() makes the network. Names of tensors are without ".weight" and ".bias"; ""
// means that the network does not have the layer. The default names of tensors and kinds of layers
// are those of Llama.
//
//   x = embed(token) * embedding_scale, or project_in of it; + position, + type; embedding norm
//   per layer, one after the other:
//     x += residual_scale * after(attention(before(x)));  x = sum(x)
//     x += residual_scale * after(mlp(before(x)));        x = sum(x)
//   parallel: x += attention(before(x)) + mlp(before(x)) of the same x
//   logits = head(project_out(final_norm(x))) * logit_scale, then the soft cap
// before, after and sum are norms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/types.h"
#include "engine/model/layers/activation.h"
#include "engine/model/layers/experts.h"
#include "engine/model/layers/heads.h"
#include "engine/model/layers/linear.h"
#include "engine/model/layers/norm.h"
#include "engine/model/layers/rotary.h"

namespace attn {

// The names of the norms around attention or an MLP. before: of its input; after: of its output;
// sum: of the residual stream with this output added.
struct NormNames {
  std::string before, after, sum;
};

struct LinearSpec {
  std::vector<std::string> names;  // of the tensors, in the order of their outputs
  bool has_bias = false;
  WeightOrder order = WeightOrder::kOutIn;
};

// Norms of queries and keys, before the rotary positions: none, one for each head with the same
// weights for all heads, or one over all heads of a token.
enum class QueryKeyNorm { kNone, kPerHead, kAllHeads };

struct TransformerSpec {
  // --- shape; the names of axes are for messages ---
  Axis width{"hidden_size", 0};        // C
  Axis inner{"intermediate_size", 0};  // F
  Axis layers{"num_hidden_layers", 0};
  Axis vocabulary{"vocab_size", 0};
  std::string heads_key = "num_attention_heads", kv_heads_key = "num_key_value_heads";
  HeadShape heads;              // H, Hkv, D; H * D need not equal C
  int64_t max_model_len = 0;    // tokens
  int64_t embedding_width = 0;  // of a token's embedding; 0: C

  // --- names ---
  std::string base = "model.";           // prefix of all names but the head's
  std::string layer_prefix = "layers.";  // after it the number of the layer and a point
  std::string embedding = "embed_tokens", positions, token_types, project_in, project_out;
  std::string embedding_norm, final_norm = "norm";
  std::string head = "lm_head";
  std::vector<std::string> ignored = {"rotary_emb.inv_freq"};  // endings of tensors without effect
  NormNames attention_norms{"input_layernorm", "", ""};
  NormNames mlp_norms{"post_attention_layernorm", "", ""};
  LinearSpec qkv{{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}};
  LinearSpec out{{"self_attn.o_proj"}};
  LinearSpec up{{"mlp.gate_proj", "mlp.up_proj"}};  // gated: gate and up, as two tensors or one
  LinearSpec down{{"mlp.down_proj"}};

  // --- norms and activations ---
  bool uses_layer_norm = false;  // LayerNorm instead of RmsNorm
  float norm_epsilon = 1e-6f;
  float norm_offset = 0;      // of RmsNorm: 1 where weights are stored around 0
  bool norm_has_bias = true;  // of LayerNorm
  QueryKeyNorm query_key_norm = QueryKeyNorm::kNone;  // "self_attn.q_norm" and "self_attn.k_norm"
  bool gated = true;
  Activation activation = Activation::kSilu;
  bool parallel = false;  // MLP beside attention; without a norm it reads what attention reads
  ExpertSpec experts;     // in place of the MLP in the layers that it names

  // --- attention ---
  AttentionType type = AttentionType::kDecoder;
  bool qkv_by_group = false;    // a fused tensor has queries, key and value of one KV head together
  float scale = 0;              // factor on the dot product; 0: 1 / sqrt(D)
  bool scale_by_layer = false;  // layer i, from 0: scores are divided by i + 1
  float clip_qkv = 0;           // queries, keys and values are kept within +-clip; 0: no limit
  float soft_cap = 0;           // of the scores; 0: none
  std::vector<int64_t> windows;     // [layers] tokens, 0: none; empty: no layer has one
  std::vector<float> alibi_slopes;  // [H]; empty: no ALiBi

  // --- positions ---
  std::optional<RotaryConfig> rotary;
  // [layers] whether it has `local_rotary` instead; empty: none has
  std::vector<bool> local_layers;
  std::optional<RotaryConfig> local_rotary;               // nullopt: no rotary in these
  std::string positions_key = "max_position_embeddings";  // the key for the rows of `positions`
  int64_t position_offset = 0;  // token at position p has row p + offset of `positions`
  int64_t num_types = 0;        // rows of `token_types`; every token is of type 0

  // --- factors ---
  float embedding_scale = 1, residual_scale = 1, logit_scale = 1;
  float logit_soft_cap = 0;  // 0: none

  // --- output ---
  bool tie_embeddings = false;  // the output embedding is the input's
  bool head_has_bias = false;
  // The head of an encoder: a linear layer, the activation and a norm before the output embedding,
  // whose bias has a name of `head_biases`. The files may lack the head; then all logits are 0.
  std::string transform, transform_norm;
  std::vector<std::string>
      head_biases;  // whole names, with ".bias"; the first that is there counts
  Activation transform_activation = Activation::kGelu;
};

}  // namespace attn
