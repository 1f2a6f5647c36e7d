// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/gptj.h"

#include "engine/core/limits.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

std::unique_ptr<Model> make_gptj(ConfigReader& reader) {
  TransformerSpec spec;
  spec.width.name = reader.key_of({"n_embd", "hidden_size"});
  spec.inner.name = "n_inner";
  spec.layers.name = reader.key_of({"n_layer", "num_hidden_layers"});
  spec.heads_key = reader.key_of({"n_head", "num_attention_heads"});
  reader.expect_causal();
  bool ok = reader.size(spec.width.name.c_str(), ConfigReader::kMostWidth, spec.width.size, 4096);
  ok &= reader.size("n_inner", ConfigReader::kMostWidth, spec.inner.size, 4 * spec.width.size);
  ok &= reader.size(spec.layers.name.c_str(), kMostLayers, spec.layers.size, 28);
  ok &= reader.size("vocab_size", kMostVocabulary, spec.vocabulary.size, 50400);
  ok &= reader.size(reader.key_of({"n_positions", "max_position_embeddings"}), kMostPositions,
                    spec.max_model_len, 2048);
  ok &= reader.heads(spec.width.size,
                     {.heads = spec.heads_key.c_str(),
                      .kv_heads = nullptr,
                      .size = nullptr,
                      .width = spec.width.name.c_str(),
                      .default_heads = 16},
                     spec.heads);
  RotaryConfig rotary{.pairs = RotaryPairs::kInterleaved};
  ok = ok && reader.size("rotary_dim", spec.heads.size, rotary.size, 64);
  ok = ok && reader.holds([&] {
    if (rotary.size % 2 != 0)
      reader.root()["rotary_dim"].refuse("the number of elements that turn is odd",
                                         reader.root()["rotary_dim"].shown(), "an even number",
                                         "Rotary positions rotate pairs of elements");
  });
  spec.rotary = rotary;
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation_function", Activation::kGeluTanh);
  spec.gated = false;
  spec.parallel = true;
  spec.uses_layer_norm = true;
  spec.head_has_bias = true;
  spec.base = "transformer.";
  spec.layer_prefix = "h.";
  spec.embedding = "wte";
  spec.final_norm = "ln_f";
  spec.attention_norms.before = "ln_1";
  spec.mlp_norms.before = "";
  spec.qkv = {{"attn.q_proj", "attn.k_proj", "attn.v_proj"}};
  spec.out = {{"attn.out_proj"}};
  spec.up = {{"mlp.fc_in"}, true};
  spec.down = {{"mlp.fc_out"}, true};
  spec.ignored = {".attn.bias", ".attn.masked_bias"};  // masks
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family gptj_family() {
  return {{"gptj"}, make_gptj};
}

}  // namespace attn
