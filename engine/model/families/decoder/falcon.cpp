// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/falcon.h"

#include <cmath>

#include "engine/attention/attention_bias.h"
#include "engine/core/tensor.h"
#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

struct Architecture {
  bool is_new = false;      // the architecture that Falcon 40B has
  bool multi_query = true;  // in the old architecture: there is one KV head
  bool parallel = true;
  bool has_alibi = false;
  bool has_bias = false;
  int64_t parallel_norms = 0;  // norms before parallel branches: 1 for both, or 2, one for each
};

bool read_architecture(ConfigReader& reader, Architecture& to) {
  bool ok = reader.flag("new_decoder_architecture", to.is_new);
  ok &= reader.flag("multi_query", to.multi_query);
  ok &= reader.flag("parallel_attn", to.parallel);
  ok &= reader.flag("alibi", to.has_alibi);
  ok &= reader.flag("bias", to.has_bias);
  ok &= reader.size("num_ln_in_parallel_attn", 2, to.parallel_norms, to.is_new ? 2 : 1);
  return ok && reader.holds([&] {
    const JsonAt& root = reader.root();
    if (to.is_new && !to.parallel)
      root["parallel_attn"].not_supported(
          "the new architecture without parallel branches is not supported", "false", "true");
    if (!to.is_new && to.parallel && to.parallel_norms == 2)
      root["num_ln_in_parallel_attn"].not_supported(
          "two norms of parallel branches in the old architecture are not supported", "2", "1");
  });
}

// Slopes are rounded to bf16 and, like the scores, divided by the root of the head size.
std::vector<float> falcon_slopes(const HeadShape& heads) {
  std::vector<float> slopes = standard_alibi_slopes(heads.heads);
  for (float& slope : slopes)
    slope = to_f32(from_f32<BFloat16>(slope)) / std::sqrt(static_cast<float>(heads.size));
  return slopes;
}

std::unique_ptr<Model> make_falcon(ConfigReader& reader) {
  TransformerSpec spec;
  Architecture architecture;
  spec.kv_heads_key = "num_kv_heads";
  reader.expect_causal();
  bool ok = read_architecture(reader, architecture);
  ok &= read_shape(reader,
                   {.width = {{"hidden_size", "n_embed"}, 4544},
                    .inner = {{"ffn_hidden_size"}, 0},
                    .layers = {{"num_hidden_layers"}, 32},
                    .vocabulary = {{"vocab_size"}, 65024},
                    .positions = {{"max_position_embeddings"}, 2048},
                    .heads = {{"num_attention_heads"}, 71},
                    .kv_heads = architecture.is_new ? "num_kv_heads" : nullptr},
                   spec);
  if (!architecture.is_new && architecture.multi_query) spec.heads.kv_heads = 1;
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation", Activation::kGelu);
  if (!architecture.has_alibi && spec.heads.size > 0) {
    ok &= reader.expect_even_heads(spec.heads.size);
    spec.rotary = reader.rotary(spec.heads.size, spec.max_model_len);
  }
  spec.gated = false;
  spec.uses_layer_norm = true;
  spec.parallel = architecture.parallel;
  spec.base = "transformer.";
  spec.layer_prefix = "h.";
  spec.embedding = "word_embeddings";
  spec.final_norm = "ln_f";
  if (spec.parallel) spec.mlp_norms.before = "";
  if (architecture.is_new && architecture.parallel_norms == 2) {
    spec.attention_norms.before = "ln_attn";
    spec.mlp_norms.before = "ln_mlp";
  }
  spec.qkv = {{"self_attention.query_key_value"}, architecture.has_bias};
  spec.qkv_by_group = true;
  spec.out = {{"self_attention.dense"}, architecture.has_bias};
  spec.up = {{"mlp.dense_h_to_4h"}, architecture.has_bias};
  spec.down = {{"mlp.dense_4h_to_h"}, architecture.has_bias};
  if (!ok) return nullptr;
  if (architecture.has_alibi) {
    spec.alibi_slopes = falcon_slopes(spec.heads);
    reader.note(
        "Biases of ALiBi are not rounded to bf16 here. In transformers they are, so that numbers "
        "differ in texts of more than 256 tokens, and where the number of heads is no power of "
        "two.");
  }
  return make_transformer(std::move(spec));
}

}  // namespace

Family falcon_family() {
  return {{"falcon"}, make_falcon};
}

}  // namespace attn
