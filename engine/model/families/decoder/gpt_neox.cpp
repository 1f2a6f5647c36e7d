// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/gpt_neox.h"

#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_gpt_neox(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  bool ok = read_shape(reader,
                       {.width = {{"hidden_size"}, 6144},
                        .inner = {{"intermediate_size"}, 24576},
                        .layers = {{"num_hidden_layers"}, 44},
                        .vocabulary = {{"vocab_size"}, 50432},
                        .positions = {{"max_position_embeddings"}, 2048},
                        .heads = {{"num_attention_heads"}, 64}},
                       spec);
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_eps", 0, 1, spec.norm_epsilon);
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  bool has_bias = true;
  spec.parallel = true;
  ok &= reader.flag("attention_bias", has_bias);
  ok &= reader.flag("use_parallel_residual", spec.parallel);
  spec.activation = reader.activation("hidden_act", Activation::kGelu);
  if (spec.heads.size > 0)
    spec.rotary = reader.rotary(
        spec.heads.size, spec.max_model_len,
        {.theta = "rotary_emb_base", .partial = "rotary_pct", .default_partial = 0.25});
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.base = "gpt_neox.";
  spec.embedding = "embed_in";
  spec.head = "embed_out";
  spec.final_norm = "final_layer_norm";
  spec.qkv = {{"attention.query_key_value"}, has_bias};
  spec.qkv_by_group = true;
  spec.out = {{"attention.dense"}, has_bias};
  spec.up = {{"mlp.dense_h_to_4h"}, true};
  spec.down = {{"mlp.dense_4h_to_h"}, true};
  spec.ignored = {"rotary_emb.inv_freq", ".attention.bias", ".attention.masked_bias"};
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family gpt_neox_family() {
  return {{"gpt_neox"}, make_gpt_neox};
}

}  // namespace attn
