// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/opt.h"

#include "engine/core/limits.h"
#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_opt(ConfigReader& reader) {
  TransformerSpec spec;
  spec.inner.name = "ffn_dim";
  reader.expect_causal();
  reader.expect({"layer_norm_elementwise_affine"}, true, "norms without weights are not supported");
  bool ok = read_shape(reader,
                       {.width = {{"hidden_size"}, 768},
                        .inner = {{"ffn_dim"}, 3072},
                        .layers = {{"num_hidden_layers"}, 12},
                        .vocabulary = {{"vocab_size"}, 50272},
                        .positions = {{"max_position_embeddings"}, 2048},
                        .heads = {{"num_attention_heads"}, 12}},
                       spec);
  int64_t embedding = 0;
  ok = ok &&
       reader.size("word_embed_proj_dim", ConfigReader::kMostWidth, embedding, spec.width.size);
  bool has_bias = true, before = true, no_final_norm = false;
  ok &= reader.flag("enable_bias", has_bias);
  ok &= reader.flag("do_layer_norm_before", before);
  ok &= reader.flag("_remove_final_layer_norm", no_final_norm);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation_function", Activation::kRelu);
  spec.norm_epsilon = 1e-5f;
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.layer_prefix = "decoder.layers.";
  spec.embedding = "decoder.embed_tokens";
  spec.positions = "decoder.embed_positions";
  spec.positions_key = "max_position_embeddings + 2";
  spec.position_offset = 2;
  if (embedding != spec.width.size) {
    spec.embedding_width = embedding;
    spec.project_in = "decoder.project_in";
    spec.project_out = "decoder.project_out";
  }
  const std::string attention_norm = "self_attn_layer_norm", mlp_norm = "final_layer_norm";
  spec.attention_norms =
      before ? NormNames{attention_norm, "", ""} : NormNames{"", "", attention_norm};
  spec.mlp_norms = before ? NormNames{mlp_norm, "", ""} : NormNames{"", "", mlp_norm};
  spec.final_norm = before && !no_final_norm ? "decoder.final_layer_norm" : "";
  spec.qkv.has_bias = has_bias;
  spec.out = {{"self_attn.out_proj"}, has_bias};
  spec.up = {{"fc1"}, has_bias};
  spec.down = {{"fc2"}, has_bias};
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family opt_family() {
  return {{"opt"}, make_opt};
}

}  // namespace attn
