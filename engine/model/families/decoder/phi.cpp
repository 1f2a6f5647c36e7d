// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/phi.h"

#include <string_view>

#include "engine/core/limits.h"
#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

void refuse_head_norms(ConfigReader& reader) {
  reader.expect({"qk_layernorm"}, false, "norms of queries and keys are not supported here");
}

// In Phi, attention and MLP read the output of the same norm.
bool read_phi(ConfigReader& reader, TransformerSpec& spec) {
  refuse_head_norms(reader);
  spec.parallel = true;
  spec.mlp_norms.before = "";
  spec.final_norm = "final_layernorm";
  spec.qkv.has_bias = true;
  spec.out = {{"self_attn.dense"}, true};
  spec.gated = false;
  spec.up = {{"mlp.fc1"}, true};
  spec.down = {{"mlp.fc2"}, true};
  spec.head_has_bias = true;
  spec.activation = reader.activation("hidden_act", Activation::kGeluTanh);
  spec.rotary = reader.rotary(spec.heads.size, spec.max_model_len,
                              {.partial = "partial_rotary_factor", .default_partial = 0.5});
  return reader.number("layer_norm_eps", 0, 1, spec.norm_epsilon);
}

bool read_stablelm(ConfigReader& reader, TransformerSpec& spec) {
  refuse_head_norms(reader);
  bool ok = reader.flag("use_parallel_residual", spec.parallel);
  if (spec.parallel) spec.mlp_norms.before = "";
  ok &= reader.flag("use_qkv_bias", spec.qkv.has_bias);
  spec.activation = reader.activation("hidden_act", Activation::kSilu);
  spec.rotary = reader.rotary(spec.heads.size, spec.max_model_len,
                              {.partial = "partial_rotary_factor", .default_partial = 0.25});
  return reader.number("layer_norm_eps", 0, 1, spec.norm_epsilon) && ok;
}

bool read_starcoder2(ConfigReader& reader, TransformerSpec& spec) {
  bool has_bias = true;
  bool ok = reader.flag("use_bias", has_bias);
  spec.qkv.has_bias = spec.out.has_bias = has_bias;
  spec.gated = false;
  spec.up = {{"mlp.c_fc"}, has_bias};
  spec.down = {{"mlp.c_proj"}, has_bias};
  spec.activation = reader.activation("hidden_act", Activation::kGeluTanh);
  if (!(ok &= reader.expect_even_heads(spec.heads.size))) return false;
  spec.rotary = reader.rotary(spec.heads.size, spec.max_model_len);
  const char* const key = "sliding_window";
  if (int64_t window = 0; reader.root().has(key)) {
    ok &= reader.size(key, int64_t{1} << 53, window);
    if (ok && window < spec.max_model_len)
      spec.windows.assign(static_cast<size_t>(spec.layers.size), window);
  }
  return reader.number("norm_epsilon", 0, 1, spec.norm_epsilon) && ok;
}

struct LayerNormType {
  const char* type;
  // The values where keys are missing. kv_heads 0: as many as heads.
  int64_t width, inner, layers, vocabulary, positions, heads, kv_heads;
  bool ties;
  const char* head_size;  // its key; null: no key, the size is width / heads
  bool (*read)(ConfigReader& reader, TransformerSpec& spec);
};

constexpr LayerNormType kLayerNormTypes[] = {
    {"phi", 2048, 8192, 24, 51200, 2048, 32, 0, false, "head_dim", read_phi},
    {"stablelm", 2560, 6912, 32, 50304, 4096, 32, 32, false, nullptr, read_stablelm},
    {"starcoder2", 3072, 12288, 30, 49152, 4096, 24, 2, true, "head_dim", read_starcoder2},
};

std::unique_ptr<Model> make_phi(ConfigReader& reader) {
  const LayerNormType* type = kLayerNormTypes;
  while (type->type != reader.model_type()) ++type;
  TransformerSpec spec;
  reader.expect_causal();
  bool ok = read_shape(reader,
                       {.width = {{"hidden_size"}, type->width},
                        .inner = {{"intermediate_size"}, type->inner},
                        .layers = {{"num_hidden_layers"}, type->layers},
                        .vocabulary = {{"vocab_size"}, type->vocabulary},
                        .positions = {{"max_position_embeddings"}, type->positions},
                        .heads = {{"num_attention_heads"}, type->heads},
                        .kv_heads = "num_key_value_heads",
                        .default_kv_heads = type->kv_heads,
                        .size = type->head_size},
                       spec);
  spec.uses_layer_norm = true;
  spec.norm_epsilon = 1e-5f;
  spec.tie_embeddings = type->ties;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  if (!ok || !type->read(reader, spec)) return nullptr;
  return make_transformer(std::move(spec));
}

}  // namespace

Family phi_family() {
  Family family{{}, make_phi};
  for (const LayerNormType& type : kLayerNormTypes) family.model_types.emplace_back(type.type);
  return family;
}

}  // namespace attn
