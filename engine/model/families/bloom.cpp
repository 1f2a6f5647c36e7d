// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/bloom.h"

#include "engine/attention/attention_bias.h"
#include "engine/core/limits.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_bloom(ConfigReader& reader) {
  TransformerSpec spec;
  spec.width.name = reader.key_of({"n_embed", "hidden_size"});
  spec.inner.name = "4 * " + spec.width.name;
  spec.layers.name = reader.key_of({"n_layer", "num_hidden_layers"});
  spec.heads_key = reader.key_of({"n_head", "num_attention_heads"});
  reader.expect_causal();
  reader.expect({"apply_residual_connection_post_layernorm"}, false,
                "residual connections after the norm are not supported");
  bool ok = reader.size(spec.width.name.c_str(), ConfigReader::kMostWidth / 4, spec.width.size, 64);
  spec.inner.size = 4 * spec.width.size;
  ok &= reader.size(spec.layers.name.c_str(), kMostLayers, spec.layers.size, 2);
  ok &= reader.size("vocab_size", kMostVocabulary, spec.vocabulary.size, 250880);
  // ALiBi sets no limit; this is how long the texts were in training.
  ok &= reader.size("seq_length", kMostPositions, spec.max_model_len, 2048);
  ok &= reader.heads(spec.width.size,
                     {.heads = spec.heads_key.c_str(),
                      .kv_heads = nullptr,
                      .size = nullptr,
                      .width = spec.width.name.c_str(),
                      .default_heads = 8},
                     spec.heads);
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = Activation::kGeluTanh;
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.base = "transformer.";
  spec.layer_prefix = "h.";
  spec.embedding = "word_embeddings";
  spec.embedding_norm = "word_embeddings_layernorm";
  spec.final_norm = "ln_f";
  spec.qkv = {{"self_attention.query_key_value"}, true};
  spec.qkv_by_group = true;
  spec.out = {{"self_attention.dense"}, true};
  spec.up = {{"mlp.dense_h_to_4h"}, true};
  spec.down = {{"mlp.dense_4h_to_h"}, true};
  if (!ok) return nullptr;
  spec.alibi_slopes = standard_alibi_slopes(spec.heads.heads);
  return make_transformer(std::move(spec));
}

}  // namespace

Family bloom_family() {
  return {{"bloom"}, make_bloom};
}

}  // namespace attn
