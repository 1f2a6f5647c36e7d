// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/decoder/llama.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/core/limits.h"
#include "engine/model/transformer/transformer.h"

namespace attn {
namespace {

enum class Windows {
  kNever,      // no layer; the key sliding_window is ignored
  kAll,        // all layers
  kAllIfUsed,  // all layers if use_sliding_window is true, else none
  // If use_sliding_window is true: the layers that layer_types names, and without that key those
  // from max_window_layers on.
  kUpperIfUsed,
  kByAdapt,  // the layers that adapt() chooses
  // The layers that layer_types names, and without that key all but the last of every `full_every`.
  kAllButEveryNth
};

// A model type: the defaults of keys that config.json leaves out, and what differs from Llama.
struct Variant {
  const char* type;
  int64_t kv_heads = 0;   // 0: as many as query heads
  int64_t head_size = 0;  // 0: hidden_size / num_attention_heads
  int64_t max_positions = 2048;
  float norm_epsilon = 1e-6f;
  double theta = 10000;
  bool ties = false;
  bool attention_bias = false, mlp_bias = false;  // the keys of these names are read
  Windows windows = Windows::kNever;
  int64_t window = 0;  // where sliding_window is missing; 0: none
  int64_t full_every = 2;
  const char* full_every_key = nullptr;  // a key of config.json that replaces full_every
  double local_theta = 0;                // theta of the layers with a window; 0: that of all layers
  // Sets what the fields above do not hold. False: a value is not usable.
  bool (*adapt)(ConfigReader& reader, TransformerSpec& spec) = nullptr;
};

// --- kinds of layers ---

bool is_sliding(const JsonAt& type) {
  if (type.text() == "sliding_attention") return true;
  if (type.text() == "full_attention") return false;
  type.not_supported("this kind of layer is not supported", type.shown(),
                     "\"full_attention\", \"sliding_attention\"");
}

void check_layer_types(const JsonAt& root, int64_t num_layers) {
  if (!root.has("layer_types")) return;
  const JsonAt types = root["layer_types"];
  types.expect_array();
  if (static_cast<int64_t>(types.size()) != num_layers)
    types.refuse("the number of layer types is not that of the layers",
                 fmt::format("{}", types.size()),
                 fmt::format("{}, the num_hidden_layers", num_layers));
}

void drop_empty_windows(TransformerSpec& spec) {
  if (std::ranges::all_of(spec.windows, [](int64_t w) { return w == 0; })) spec.windows.clear();
}

// --- what the types do beyond the table ---

bool adapt_qwen2(ConfigReader&, TransformerSpec& spec) {
  spec.qkv.has_bias = true;
  return true;
}

bool adapt_qwen3(ConfigReader&, TransformerSpec& spec) {
  spec.query_key_norm = QueryKeyNorm::kPerHead;
  return true;
}

bool refuse_bidirectional(ConfigReader& reader) {
  const char* const key = "use_bidirectional_attention";
  reader.expect({key}, false, "a model whose tokens see later tokens is not supported");
  return true;
}

bool adapt_gemma(ConfigReader& reader, TransformerSpec& spec) {
  spec.norm_offset = 1;
  spec.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(spec.width.size)));
  // Gemma's "gelu" means the form with tanh.
  if (spec.activation == Activation::kGelu) spec.activation = Activation::kGeluTanh;
  return refuse_bidirectional(reader);
}

// What Gemma 2 and Gemma 3 have in common, without the soft caps.
bool adapt_newer_gemma(ConfigReader& reader, TransformerSpec& spec) {
  spec.norm_offset = 1;
  spec.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(spec.width.size)));
  spec.attention_norms = {"input_layernorm", "post_attention_layernorm", ""};
  spec.mlp_norms = {"pre_feedforward_layernorm", "post_feedforward_layernorm", ""};
  spec.activation = reader.activation("hidden_activation", Activation::kGeluTanh);
  float scalar = 256;
  bool ok = reader.number("query_pre_attn_scalar", 1e-3, 1e6, scalar);
  spec.scale = static_cast<float>(1.0 / std::sqrt(double{scalar}));
  return refuse_bidirectional(reader) && ok;
}

// Where the key is missing, the cap is `otherwise`; where it is null, there is no cap.
bool read_cap(ConfigReader& reader, const char* key, float otherwise, float& to) {
  to = reader.root().json().contains(key) ? 0 : otherwise;
  return reader.number(key, 1e-3, 1e6, to);
}

bool adapt_gemma2(ConfigReader& reader, TransformerSpec& spec) {
  bool ok = adapt_newer_gemma(reader, spec);
  ok &= read_cap(reader, "attn_logit_softcapping", 50, spec.soft_cap);
  return read_cap(reader, "final_logit_softcapping", 30, spec.logit_soft_cap) && ok;
}

bool adapt_gemma3(ConfigReader& reader, TransformerSpec& spec) {
  spec.query_key_norm = QueryKeyNorm::kPerHead;
  const bool ok = adapt_newer_gemma(reader, spec);
  const char* const key = "attn_logit_softcapping";  // only noted, not used
  if (reader.root().has(key))
    reader.note(fmt::format("{} ({}) has no effect in a gemma3_text model.", key,
                            reader.root()[key].shown()));
  return read_cap(reader, "final_logit_softcapping", 0, spec.logit_soft_cap) && ok;
}

bool adapt_phi3(ConfigReader&, TransformerSpec& spec) {
  spec.qkv.names = {"self_attn.qkv_proj"};
  spec.up.names = {"mlp.gate_up_proj"};
  return true;
}

bool adapt_olmo2(ConfigReader&, TransformerSpec& spec) {
  spec.attention_norms = {"", "post_attention_layernorm", ""};
  spec.mlp_norms = {"", "post_feedforward_layernorm", ""};
  spec.query_key_norm = QueryKeyNorm::kAllHeads;
  return true;
}

bool adapt_granite(ConfigReader& reader, TransformerSpec& spec) {
  float logits = 1;
  spec.scale = 1;
  const bool ok = reader.number("attention_multiplier", 1e-9, 1e9, spec.scale) &&
                  reader.number("embedding_multiplier", -1e9, 1e9, spec.embedding_scale) &&
                  reader.number("residual_multiplier", -1e9, 1e9, spec.residual_scale) &&
                  reader.number("logits_scaling", 1e-9, 1e9, logits);
  spec.logit_scale = 1 / logits;
  return ok;
}

// Every fourth layer has no rotary positions, unless no_rope_layer_interval or no_rope_layers says
// otherwise. The layers that layer_types names have the window. Without layer_types, the layers
// without rotary positions have it if use_sliding_window is true.
bool adapt_smollm3(ConfigReader& reader, TransformerSpec& spec) {
  int64_t interval = 4;
  bool ok = reader.size("no_rope_layer_interval", kMostLayers, interval, interval);
  const auto layers = static_cast<size_t>(spec.layers.size);
  for (size_t i = 0; i < layers; ++i)
    spec.local_layers.push_back((static_cast<int64_t>(i) + 1) % interval == 0);
  const char* const key = "no_rope_layers";  // [layers] 1: with rotary positions, 0: without
  ok &= reader.holds([&] {
    if (!reader.root().has(key)) return;
    const JsonAt list = reader.root()[key];
    list.expect_array();
    if (list.size() < layers)
      list.refuse("there are fewer entries than layers", fmt::format("{}", list.size()),
                  fmt::format("at least {}, the num_hidden_layers", layers));
    for (size_t i = 0; i < layers; ++i) spec.local_layers[i] = list.item(i).whole(0, 1) == 0;
  });
  bool has_window = false;
  ok &= reader.flag("use_sliding_window", has_window);
  const JsonAt& root = reader.root();
  int64_t window = 0;
  if (root.has("sliding_window")) ok &= reader.size("sliding_window", int64_t{1} << 53, window);
  if (window >= spec.max_model_len) window = 0;  // such a window hides nothing
  return ok && reader.holds([&] {
    check_layer_types(root, spec.layers.size);
    for (size_t i = 0; i < layers; ++i) {
      const bool is_windowed = root.has("layer_types") ? is_sliding(root["layer_types"].item(i))
                                                       : has_window && spec.local_layers[i];
      spec.windows.push_back(is_windowed ? window : 0);
    }
    drop_empty_windows(spec);
  });
}

bool read_experts(ConfigReader& reader, TransformerSpec& spec, const char* count_key, int64_t count,
                  int64_t chosen, const char* inner_key, int64_t inner) {
  ExpertSpec& experts = spec.experts;
  experts.count.name = count_key;
  experts.inner.name = inner_key;
  experts.layers.assign(static_cast<size_t>(spec.layers.size), true);
  return reader.size(count_key, kMostExperts, experts.count.size, count) &&
         reader.size("num_experts_per_tok", experts.count.size, experts.chosen,
                     std::min(chosen, experts.count.size)) &&
         reader.size(inner_key, ConfigReader::kMostWidth, experts.inner.size, inner);
}

bool adapt_mixtral(ConfigReader& reader, TransformerSpec& spec) {
  if (!read_experts(reader, spec, "num_local_experts", 8, 2, "intermediate_size", spec.inner.size))
    return false;
  spec.experts.router = "block_sparse_moe.gate";
  spec.experts.experts = "block_sparse_moe.experts.";
  spec.experts.gate = "w1";
  spec.experts.up = "w3";
  spec.experts.down = "w2";
  return true;
}

bool adapt_qwen3_moe(ConfigReader& reader, TransformerSpec& spec) {
  adapt_qwen3(reader, spec);
  ExpertSpec& experts = spec.experts;
  if (!read_experts(reader, spec, reader.key_of({"num_experts", "num_local_experts"}), 128, 8,
                    "moe_intermediate_size", 768))
    return false;
  experts.normalised = false;
  experts.router = "mlp.gate";
  experts.experts = "mlp.experts.";
  int64_t step = 1;
  bool ok = reader.flag("norm_topk_prob", experts.normalised) &&
            reader.size("decoder_sparse_step", kMostLayers, step, 1);
  for (int64_t i = 0; i < spec.layers.size; ++i)
    experts.layers[static_cast<size_t>(i)] = (i + 1) % step == 0;
  ok &= reader.holds([&] {
    if (!reader.root().has("mlp_only_layers")) return;
    const JsonAt list = reader.root()["mlp_only_layers"];
    list.expect_array();
    for (size_t i = 0; i < list.size(); ++i)
      if (const int64_t layer = list.item(i).whole(0, kMostLayers); layer < spec.layers.size)
        experts.layers[static_cast<size_t>(layer)] = false;
  });
  return ok;
}

// --- the table ---

constexpr Variant kVariants[] = {
    {.type = "llama", .attention_bias = true, .mlp_bias = true},
    {.type = "mistral",
     .kv_heads = 8,
     .max_positions = 131072,
     .windows = Windows::kAll,
     .window = 4096},
    {.type = "qwen2",
     .kv_heads = 32,
     .max_positions = 32768,
     .windows = Windows::kUpperIfUsed,
     .window = 4096,
     .adapt = adapt_qwen2},
    {.type = "qwen3",
     .kv_heads = 32,
     .head_size = 128,
     .max_positions = 32768,
     .attention_bias = true,
     .windows = Windows::kUpperIfUsed,
     .window = 4096,
     .adapt = adapt_qwen3},
    {.type = "gemma",
     .kv_heads = 16,
     .head_size = 256,
     .max_positions = 8192,
     .ties = true,
     .attention_bias = true,
     .adapt = adapt_gemma},
    {.type = "gemma2",
     .kv_heads = 4,
     .head_size = 256,
     .max_positions = 8192,
     .ties = true,
     .attention_bias = true,
     .windows = Windows::kAllButEveryNth,
     .window = 4096,
     .adapt = adapt_gemma2},
    {.type = "gemma3_text",
     .kv_heads = 4,
     .head_size = 256,
     .max_positions = 131072,
     .theta = 1e6,
     .ties = true,
     .attention_bias = true,
     .windows = Windows::kAllButEveryNth,
     .window = 4096,
     .full_every = 6,
     .full_every_key = "sliding_window_pattern",
     .local_theta = 10000,
     .adapt = adapt_gemma3},
    {.type = "phi3",
     .max_positions = 4096,
     .norm_epsilon = 1e-5f,
     .windows = Windows::kAll,
     .adapt = adapt_phi3},
    {.type = "olmo2", .norm_epsilon = 1e-5f, .attention_bias = true, .adapt = adapt_olmo2},
    {.type = "granite", .attention_bias = true, .mlp_bias = true, .adapt = adapt_granite},
    {.type = "smollm3",
     .kv_heads = 4,
     .max_positions = 32768,
     .theta = 2e6,
     .ties = true,
     .attention_bias = true,
     .mlp_bias = true,
     .windows = Windows::kByAdapt,
     .adapt = adapt_smollm3},
    {.type = "mixtral",
     .kv_heads = 8,
     .max_positions = 131072,
     .norm_epsilon = 1e-5f,
     .theta = 1e6,
     .windows = Windows::kAll,
     .adapt = adapt_mixtral},
    {.type = "qwen3_moe",
     .kv_heads = 4,
     .max_positions = 32768,
     .attention_bias = true,
     .windows = Windows::kAllIfUsed,
     .window = 4096,
     .adapt = adapt_qwen3_moe},
};

// --- config.json ---

// Whether layer `layer` has the window. first_upper: the first layer with a window, for
// kUpperIfUsed. full_every: the last of every so many layers has none, for kAllButEveryNth.
bool is_windowed(const JsonAt& root, const Variant& variant, int64_t layer, int64_t first_upper,
                 int64_t full_every) {
  const bool by_type =
      variant.windows == Windows::kUpperIfUsed || variant.windows == Windows::kAllButEveryNth;
  if (by_type && root.has("layer_types"))
    return is_sliding(root["layer_types"].item(static_cast<size_t>(layer)));
  if (variant.windows == Windows::kUpperIfUsed) return layer >= first_upper;
  return variant.windows != Windows::kAllButEveryNth || (layer + 1) % full_every != 0;
}

int64_t full_every(const JsonAt& root, const Variant& variant) {
  const char* const key = variant.full_every_key;
  return key && root.has(key) ? root[key].whole(1, kMostLayers) : variant.full_every;
}

// The layers with a window have rotary positions of their own, also where the window hides nothing.
bool read_local_rotary(ConfigReader& reader, const Variant& variant, TransformerSpec& spec) {
  spec.local_rotary = reader.rotary(spec.heads.size, spec.max_model_len,
                                    {.theta = "rope_local_base_freq",
                                     .default_theta = variant.local_theta,
                                     .layer_kind = "sliding_attention"});
  return reader.holds([&] {
    check_layer_types(reader.root(), spec.layers.size);
    const int64_t every = full_every(reader.root(), variant);
    for (int64_t i = 0; i < spec.layers.size; ++i)
      spec.local_layers.push_back(is_windowed(reader.root(), variant, i, 0, every));
  });
}

bool read_windows(ConfigReader& reader, const Variant& variant, TransformerSpec& spec) {
  const char* const key = "sliding_window";
  const JsonAt& root = reader.root();
  if (variant.windows == Windows::kNever) {
    if (root.has(key))
      reader.note(fmt::format(
          "{} ({}) has no effect, because the layers of a {} model have no sliding window.", key,
          root[key].shown(), reader.model_type()));
    return true;
  }
  if (variant.windows == Windows::kByAdapt) return true;
  bool used = true;
  if (variant.windows == Windows::kAllIfUsed || variant.windows == Windows::kUpperIfUsed) {
    used = false;
    if (!reader.flag("use_sliding_window", used)) return false;
  }
  if (!used || (root.json().contains(key) && root[key].is_null())) return true;
  if (!root.has(key) && variant.window == 0) return true;
  int64_t window = 0, first_upper = 28;
  if (!reader.size(key, int64_t{1} << 53, window, variant.window)) return false;
  if (root.has("max_window_layers") && variant.windows == Windows::kUpperIfUsed &&
      !reader.holds([&] { first_upper = root["max_window_layers"].whole(0, int64_t{1} << 31); }))
    return false;
  if (window >= spec.max_model_len) return true;  // such a window hides nothing
  return reader.holds([&] {
    check_layer_types(root, spec.layers.size);
    const int64_t every = full_every(root, variant);
    for (int64_t i = 0; i < spec.layers.size; ++i)
      spec.windows.push_back(is_windowed(root, variant, i, first_upper, every) ? window : 0);
    drop_empty_windows(spec);
  });
}

std::optional<TransformerSpec> read_config(ConfigReader& reader, const Variant& variant) {
  TransformerSpec spec;
  spec.activation = reader.activation("hidden_act", Activation::kSilu);
  reader.expect_causal();
  bool ok = reader.size("hidden_size", ConfigReader::kMostWidth, spec.width.size);
  ok &= reader.size("intermediate_size", ConfigReader::kMostWidth, spec.inner.size);
  ok &= reader.size("num_hidden_layers", kMostLayers, spec.layers.size);
  ok &= reader.size("vocab_size", kMostVocabulary, spec.vocabulary.size);
  ok &= reader.heads(spec.width.size,
                     {.default_kv_heads = variant.kv_heads, .default_size = variant.head_size},
                     spec.heads);
  ok &= reader.size("max_position_embeddings", kMostPositions, spec.max_model_len,
                    variant.max_positions);
  spec.norm_epsilon = variant.norm_epsilon;
  ok &= reader.number("rms_norm_eps", 0, 1, spec.norm_epsilon);
  spec.tie_embeddings = variant.ties;
  ok &= reader.flag("tie_word_embeddings", spec.tie_embeddings);
  if (variant.attention_bias) {
    ok &= reader.flag("attention_bias", spec.qkv.has_bias);
    spec.out.has_bias = spec.qkv.has_bias;
  }
  if (variant.mlp_bias) {
    ok &= reader.flag("mlp_bias", spec.up.has_bias);
    spec.down.has_bias = spec.up.has_bias;
  }
  const bool is_phi = std::string_view(variant.type) == "phi3";
  RotaryKeys keys{.default_theta = variant.theta};
  if (variant.local_theta > 0) keys.layer_kind = "full_attention";
  if (is_phi) {
    keys.partial = "partial_rotary_factor";
    keys.default_trained_length = 4096;
    keys.all_scalings_are_longrope = true;
  }
  if (spec.heads.size > 0 && (is_phi || (ok &= reader.expect_even_heads(spec.heads.size))))
    spec.rotary = reader.rotary(spec.heads.size, spec.max_model_len, keys);
  if (!ok) return std::nullopt;
  if (variant.local_theta > 0) ok &= read_local_rotary(reader, variant, spec);
  ok &= read_windows(reader, variant, spec);
  if (variant.adapt) ok &= variant.adapt(reader, spec);
  if (!ok) return std::nullopt;
  return spec;
}

}  // namespace

Family llama_family() {
  Family family{{}, [](ConfigReader& reader) -> std::unique_ptr<Model> {
                  const auto variant = std::ranges::find_if(
                      kVariants, [&](const Variant& v) { return v.type == reader.model_type(); });
                  std::optional<TransformerSpec> spec = read_config(reader, *variant);
                  return spec ? make_transformer(*std::move(spec)) : nullptr;
                }};
  for (const Variant& variant : kVariants) family.model_types.emplace_back(variant.type);
  return family;
}

}  // namespace attn
