// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/gpt2.h"

#include "engine/core/limits.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_gpt2(ConfigReader& reader) {
  TransformerSpec spec;
  spec.width.name = reader.key_of({"n_embd", "hidden_size"});
  spec.inner.name = "n_inner";
  spec.layers.name = reader.key_of({"n_layer", "num_hidden_layers"});
  spec.heads_key = reader.key_of({"n_head", "num_attention_heads"});
  spec.positions_key = reader.key_of({"n_positions", "max_position_embeddings"});
  reader.expect_causal();
  reader.expect({"add_cross_attention"}, false, "a decoder that reads an encoder is not supported");
  bool ok = reader.size(spec.width.name.c_str(), ConfigReader::kMostWidth, spec.width.size, 768);
  ok &= reader.size("n_inner", ConfigReader::kMostWidth, spec.inner.size, 4 * spec.width.size);
  ok &= reader.size(spec.layers.name.c_str(), kMostLayers, spec.layers.size, 12);
  ok &= reader.size("vocab_size", kMostVocabulary, spec.vocabulary.size, 50257);
  ok &= reader.size(spec.positions_key.c_str(), kMostPositions, spec.max_model_len, 1024);
  ok &= reader.heads(spec.width.size,
                     {.heads = spec.heads_key.c_str(),
                      .kv_heads = nullptr,
                      .size = nullptr,
                      .width = spec.width.name.c_str(),
                      .default_heads = 12},
                     spec.heads);
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  bool is_scaled = true;
  ok &= reader.flag("scale_attn_weights", is_scaled);
  if (!is_scaled) spec.scale = 1;
  ok &= reader.flag("scale_attn_by_inverse_layer_idx", spec.scale_by_layer);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation_function", Activation::kGeluTanh);
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.base = "transformer.";
  spec.layer_prefix = "h.";
  spec.embedding = "wte";
  spec.positions = "wpe";
  spec.final_norm = "ln_f";
  spec.attention_norms.before = "ln_1";
  spec.mlp_norms.before = "ln_2";
  spec.qkv = {{"attn.c_attn"}, true, WeightOrder::kInOut};
  spec.out = {{"attn.c_proj"}, true, WeightOrder::kInOut};
  spec.up = {{"mlp.c_fc"}, true, WeightOrder::kInOut};
  spec.down = {{"mlp.c_proj"}, true, WeightOrder::kInOut};
  spec.ignored = {".attn.bias", ".attn.masked_bias"};  // masks
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family gpt2_family() {
  return {{"gpt2"}, make_gpt2};
}

}  // namespace attn
