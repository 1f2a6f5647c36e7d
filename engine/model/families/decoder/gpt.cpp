// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/gpt.h"

#include <fmt/format.h>

#include "engine/core/limits.h"
#include "engine/model/transformer/shape_keys.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

// --- GPT-2 ---

std::unique_ptr<Model> make_gpt2(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  reader.expect({"add_cross_attention"}, false, "a decoder that reads an encoder is not supported");
  bool ok = read_shape(reader,
                       {.width = {{"n_embd", "hidden_size"}, 768},
                        .inner = {{"n_inner"}, 0},
                        .layers = {{"n_layer", "num_hidden_layers"}, 12},
                        .vocabulary = {{"vocab_size"}, 50257},
                        .positions = {{"n_positions", "max_position_embeddings"}, 1024},
                        .heads = {{"n_head", "num_attention_heads"}, 12}},
                       spec);
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

// --- GPT-Neo ---

// Sets spec.windows from attention_types, a list of pairs [names, repetitions] such as [[["global",
// "local"], 12]]. Without the key, "global" and "local" alternate in 24 layers.
bool read_windows(ConfigReader& reader, TransformerSpec& spec) {
  int64_t window = 256;
  if (!reader.size("window_size", kMostTokens, window, window)) return false;
  return reader.holds([&] {
    std::vector<int64_t> windows;
    const char* const key = "attention_types";
    const auto layers = static_cast<size_t>(spec.layers.size);
    const auto add = [&](const JsonAt& name) {
      if (name.text() != "global" && name.text() != "local")
        name.not_supported("this kind of attention is not supported", name.shown(),
                           "\"global\", \"local\"");
      windows.push_back(name.text() == "local" ? window : 0);
    };
    if (!reader.root().has(key)) {
      for (size_t i = 0; i < 24; ++i) windows.push_back(i % 2 == 1 ? window : 0);
    } else {
      const JsonAt types = reader.root()[key];
      types.expect_array();
      for (size_t i = 0; i < types.size() && windows.size() <= layers; ++i) {
        const JsonAt names = types.item(i).item(0);
        names.expect_array();
        const int64_t times = types.item(i).item(1).whole(0, kMostLayers);
        for (int64_t time = 0; time < times && windows.size() <= layers; ++time)
          for (size_t n = 0; n < names.size(); ++n) add(names.item(n));
      }
    }
    if (windows.size() != layers)
      (reader.root().has(key) ? reader.root()[key] : reader.root())
          .refuse("the number of attention types is not that of the layers",
                  fmt::format("{}", windows.size()),
                  fmt::format("{}, the {}", layers, spec.layers.name));
    bool any = false;
    for (int64_t& w : windows) {
      if (w >= spec.max_model_len) w = 0;  // such a window hides nothing
      any = any || w > 0;
    }
    if (any) spec.windows = std::move(windows);
  });
}

std::unique_ptr<Model> make_gpt_neo(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  bool ok = read_shape(reader,
                       {.width = {{"hidden_size"}, 2048},
                        .inner = {{"intermediate_size"}, 0},
                        .layers = {{"num_layers", "num_hidden_layers"}, 24},
                        .vocabulary = {{"vocab_size"}, 50257},
                        .positions = {{"max_position_embeddings"}, 2048},
                        .heads = {{"num_heads", "num_attention_heads"}, 16}},
                       spec);
  spec.norm_epsilon = 1e-5f;
  ok &= reader.number("layer_norm_epsilon", 0, 1, spec.norm_epsilon);
  ok &= read_windows(reader, spec);
  spec.tie_embeddings = true;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  spec.activation = reader.activation("activation_function", Activation::kGeluTanh);
  spec.gated = false;
  spec.scale = 1;
  spec.uses_layer_norm = true;
  spec.base = "transformer.";
  spec.layer_prefix = "h.";
  spec.embedding = "wte";
  spec.positions = "wpe";
  spec.final_norm = "ln_f";
  spec.attention_norms.before = "ln_1";
  spec.mlp_norms.before = "ln_2";
  const std::string at = "attn.attention.";
  spec.qkv = {{at + "q_proj", at + "k_proj", at + "v_proj"}};
  spec.out = {{at + "out_proj"}, true};
  spec.up = {{"mlp.c_fc"}, true};
  spec.down = {{"mlp.c_proj"}, true};
  spec.ignored = {".attention.bias", ".attention.masked_bias"};  // masks
  if (!ok) return nullptr;
  return make_transformer(std::move(spec));
}

// --- GPT-J ---

std::unique_ptr<Model> make_gptj(ConfigReader& reader) {
  TransformerSpec spec;
  reader.expect_causal();
  bool ok = read_shape(reader,
                       {.width = {{"n_embd", "hidden_size"}, 4096},
                        .inner = {{"n_inner"}, 0},
                        .layers = {{"n_layer", "num_hidden_layers"}, 28},
                        .vocabulary = {{"vocab_size"}, 50400},
                        .positions = {{"n_positions", "max_position_embeddings"}, 2048},
                        .heads = {{"n_head", "num_attention_heads"}, 16}},
                       spec);
  RotaryConfig rotary{.pairs = RotaryPairs::kInterleaved};
  ok = ok && reader.size("rotary_dim", spec.heads.size, rotary.size, 64);
  ok = ok && reader.holds([&] {
    if (rotary.size % 2 != 0)
      reader.root()["rotary_dim"].refuse("the number of rotated elements is odd",
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

Family gpt2_family() {
  return {{"gpt2"}, make_gpt2};
}

Family gpt_neo_family() {
  return {{"gpt_neo"}, make_gpt_neo};
}

Family gptj_family() {
  return {{"gptj"}, make_gptj};
}

}  // namespace attn
