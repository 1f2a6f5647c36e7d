// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/bloom.h"

#include "engine/attention/attention_bias.h"
#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_bloom(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  reader.expect({"apply_residual_connection_post_layernorm"}, false,
                "residual connections after the norm are not supported");
  // ALiBi itself sets no limit. seq_length, the length of the texts in training, is taken as the
  // limit.
  bool ok = read_shape(reader,
                       {.width = {{"n_embed", "hidden_size"}, 64},
                        .inner = {},
                        .layers = {{"n_layer", "num_hidden_layers"}, 2},
                        .vocabulary = {{"vocab_size"}, 250880},
                        .positions = {{"seq_length"}, 2048},
                        .heads = {{"n_head", "num_attention_heads"}, 8}},
                       spec);
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
