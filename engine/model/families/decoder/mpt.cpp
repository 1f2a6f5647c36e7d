// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/mpt.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

// Slope i of n heads is 2^(-8 (i + 1) / p), with p the smallest power of two that is not below n.
// Where n is no power of two, the slopes of i = 1, 3, 5, ... come first, then those of i = 0, 2, 4,
// ..., and the first n are taken.
std::vector<float> mpt_slopes(int64_t heads) {
  int64_t power = 1;
  while (power < heads) power *= 2;
  std::vector<float> all, slopes;
  for (int64_t i = 1; i <= power; ++i)
    all.push_back(1.0f / std::exp2(static_cast<float>(i) * (8.0f / static_cast<float>(power))));
  if (power == heads) return all;
  for (const size_t first : {size_t{1}, size_t{0}})
    for (size_t i = first; i < all.size(); i += 2) slopes.push_back(all[i]);
  slopes.resize(static_cast<size_t>(heads));
  return slopes;
}

bool read_attention(ConfigReader& reader, TransformerSpec& spec) {
  return reader.holds([&] {
    if (!reader.root().has("attn_config")) return;
    const JsonAt attention = reader.root()["attn_config"];
    attention.expect_object();
    const auto expect = [&](const char* key, const nlohmann::json& wanted, const char* what) {
      if (attention.has(key) && attention[key].json() != wanted)
        reader.holds(
            [&] { attention[key].not_supported(what, attention[key].shown(), wanted.dump()); });
    };
    expect("attn_type", "multihead_attention", "this kind of attention is not supported");
    expect("alibi", true, "MPT without ALiBi is not supported");
    expect("alibi_bias_max", 8, "ALiBi with other slopes is not supported");
    expect("prefix_lm", false, "a prefix whose tokens see later ones is not supported");
    expect("qk_ln", false, "norms of queries and keys are not supported in MPT");
    if (attention.has("clip_qkv"))
      spec.clip_qkv = static_cast<float>(attention["clip_qkv"].number(0, 1e9));
    if (attention.has("softmax_scale"))
      spec.scale = static_cast<float>(attention["softmax_scale"].number(1e-9, 1e9));
  });
}

std::unique_ptr<Model> make_mpt(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  reader.expect({"no_bias"}, true, "MPT with biases is not supported");
  bool ok = read_shape(reader,
                       {.width = {{"d_model", "hidden_size"}, 2048},
                        .inner = {},
                        .layers = {{"n_layers", "num_hidden_layers"}, 24},
                        .vocabulary = {{"vocab_size"}, 50368},
                        .positions = {{"max_seq_len"}, 2048},
                        .heads = {{"n_heads", "num_attention_heads"}, 16}},
                       spec);
  reader.holds([&] {
    if (reader.root().has("logit_scale"))
      reader.root()["logit_scale"].not_supported("scaled logits are not supported in MPT",
                                                 reader.root()["logit_scale"].shown(), "null");
  });
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  ok &= read_attention(reader, spec);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = Activation::kGelu;
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.norm_has_bias = false;
  spec.base = "transformer.";
  spec.layer_prefix = "blocks.";
  spec.embedding = "wte";
  spec.final_norm = "norm_f";
  spec.attention_norms.before = "norm_1";
  spec.mlp_norms.before = "norm_2";
  spec.qkv = {{"attn.Wqkv"}};
  spec.out = {{"attn.out_proj"}};
  spec.up = {{"ffn.up_proj"}};
  spec.down = {{"ffn.down_proj"}};
  if (!ok) return nullptr;
  spec.alibi_slopes = mpt_slopes(spec.heads.heads);
  return make_transformer(std::move(spec));
}

}  // namespace

Family mpt_family() {
  return {{"mpt"}, make_mpt};
}

}  // namespace attn
