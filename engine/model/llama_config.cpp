// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/llama_config.h"

#include <fmt/format.h>

#include "engine/core/json.h"
#include "engine/model/json_at.h"
#include "engine/model/text_file.h"

namespace attn {
namespace {

// Bounds of a trace event: a layer and a head fit in 8 bits, a position in 24.
constexpr int64_t kMaxLayers = 254, kMaxHeads = 255, kMaxPositions = (int64_t{1} << 24) - 1;
constexpr int64_t kMaxWidth = int64_t{1} << 20, kMaxHeadSize = 1024, kMaxVocab = 10'000'000;

void refuse_unsupported(const JsonAt& root) {
  if (root.has("model_type") && root["model_type"].text() != "llama")
    root["model_type"].not_supported("model family is not supported", root["model_type"].shown(),
                                     "\"llama\"");
  if (root.has("quantization_config"))
    root["quantization_config"].not_supported("quantised weights are not supported",
                                              "a quantization_config", "f32, f16 or bf16 weights",
                                              "Use the model's unquantised weights");
  for (const char* key : {"attention_bias", "mlp_bias"})
    if (root.has(key) && root[key].boolean())
      root[key].not_supported("biases in linear layers are not supported", "true", "false");
  if (root.has("hidden_act") && root["hidden_act"].text() != "silu")
    root["hidden_act"].not_supported("activation is not supported", root["hidden_act"].shown(),
                                     "\"silu\"");
  if (root.has("sliding_window"))
    root["sliding_window"].not_supported("sliding windows are not supported in Llama models",
                                         root["sliding_window"].shown(), "null");
  if (root.has("partial_rotary_factor") && root["partial_rotary_factor"].number(0, 1) != 1)
    root["partial_rotary_factor"].not_supported(
        "rotary positions on a part of a head are not supported",
        root["partial_rotary_factor"].shown(), "1");
}

// "rope_scaling" of older files, "rope_parameters" of newer ones: only plain rotary positions are
// known here.
void read_rope(const JsonAt& root, LlamaConfig& config) {
  const auto theta = [&](const JsonAt& at) {
    config.rope_theta = at["rope_theta"].number(1e-3, 1e12);
  };
  if (root.has("rope_theta")) theta(root);
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (!root.has(key)) continue;
    const JsonAt rope = root[key];
    rope.expect_object();
    for (const char* type : {"rope_type", "type"})
      if (rope.has(type) && rope[type].text() != "default")
        rope[type].not_supported("scaled rotary positions are not supported", rope[type].shown(),
                                 "\"default\", or no rope_scaling");
    if (!rope.has("rope_type") && !rope.has("type") && rope.has("factor"))
      rope.not_supported("scaled rotary positions are not supported", rope.shown(), "null");
    if (rope.has("rope_theta")) theta(rope);
  }
}

}  // namespace

LlamaConfig LlamaConfig::parse(std::string_view json, const std::string& where) {
  const nlohmann::json document = parse_json(json, where, {.max_bytes = size_t{4} << 20});
  const JsonAt root(document, where);
  root.expect_object();
  refuse_unsupported(root);
  const auto whole = [&](const char* key, int64_t high) { return root[key].whole(1, high); };
  LlamaConfig config;
  config.hidden_size = whole("hidden_size", kMaxWidth);
  config.intermediate_size = whole("intermediate_size", kMaxWidth);
  config.num_layers = whole("num_hidden_layers", kMaxLayers);
  config.num_heads = whole("num_attention_heads", kMaxHeads);
  config.num_kv_heads =
      root.has("num_key_value_heads") ? whole("num_key_value_heads", kMaxHeads) : config.num_heads;
  if (config.num_heads % config.num_kv_heads != 0)
    root["num_key_value_heads"].refuse(
        "query heads cannot be shared out evenly over KV heads",
        fmt::format("{} query and {} KV heads", config.num_heads, config.num_kv_heads),
        "a number that divides num_attention_heads");
  if (root.has("head_dim")) {
    config.head_size = whole("head_dim", kMaxHeadSize);
  } else if (config.hidden_size % config.num_heads == 0 &&
             config.hidden_size / config.num_heads <= kMaxHeadSize) {
    config.head_size = config.hidden_size / config.num_heads;
  } else {
    root["hidden_size"].refuse("head size is not a whole number in range",
                               fmt::format("{} / {} heads", config.hidden_size, config.num_heads),
                               fmt::format("1 to {}, or head_dim", kMaxHeadSize));
  }
  if (config.head_size % 2 != 0)
    root.refuse("head size is odd", fmt::format("{}", config.head_size), "an even number",
                "Rotary positions turn pairs");
  config.vocab_size = whole("vocab_size", kMaxVocab);
  config.max_model_len =
      root.has("max_position_embeddings") ? whole("max_position_embeddings", kMaxPositions) : 2048;
  if (root.has("rms_norm_eps"))
    config.norm_epsilon = static_cast<float>(root["rms_norm_eps"].number(0, 1));
  config.tie_embeddings = root.has("tie_word_embeddings") && root["tie_word_embeddings"].boolean();
  read_rope(root, config);
  if (root.has("eos_token_id")) {
    const JsonAt eos = root["eos_token_id"];
    if (!eos.json().is_array())
      config.stop_token = static_cast<int32_t>(eos.whole(0, config.vocab_size - 1));
    else if (eos.size() > 0)  // several: the first ends a text
      config.stop_token = static_cast<int32_t>(eos.item(0).whole(0, config.vocab_size - 1));
  }
  return config;
}

LlamaConfig LlamaConfig::load(const std::filesystem::path& file) {
  return parse(read_text_file(file, size_t{4} << 20), file.filename().string());
}

}  // namespace attn
