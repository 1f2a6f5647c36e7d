// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/llama_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

constexpr int64_t kMostWidth = int64_t{1} << 20;
constexpr size_t kMostStopTokens = 256;
constexpr size_t kMostBytes = size_t{4} << 20;  // of one file

// Defaults of a model family for keys that config.json leaves out, and which keys it ignores.
struct Family {
  const char* model_type;
  int64_t num_kv_heads;  // 0: as many as query heads
  int64_t max_position_embeddings;
  bool has_biases;         // attention_bias and mlp_bias are read
  int64_t sliding_window;  // 0: the family has none and ignores the key
};
constexpr Family kLlama{"llama", 0, 2048, true, 0};
constexpr Family kMistral{"mistral", 8, 131072, false, 4096};

// Reads one config.json. Every check that fails is added to `problems`.
class ConfigReader {
 public:
  ConfigReader(const JsonAt& root, Problems& problems) : root_(root), problems_(problems) {}

  std::optional<LlamaConfig> read() {
    if (!problems_.holds([&] { root_.expect_object(); })) return std::nullopt;
    const bool is_known = problems_.holds([&] { read_family(); });
    const bool is_plain = problems_.holds([&] { refuse_quantised(); });
    if (!is_known) return std::nullopt;  // the other keys describe another network
    refuse_options();
    const bool has_sizes = read_sizes();
    read_rope();
    if (!has_sizes || !is_plain) return std::nullopt;
    return config_;
  }

 private:
  void read_family() {
    if (!root_.has("model_type")) return;
    const JsonAt type = root_["model_type"];
    for (const Family* family : {&kLlama, &kMistral})
      if (type.text() == family->model_type) {
        family_ = family;
        return;
      }
    type.not_supported("model family is not supported", type.shown(), "\"llama\", \"mistral\"");
  }

  void refuse_quantised() const {
    if (root_.has("quantization_config"))
      root_["quantization_config"].not_supported(
          "quantised weights are not supported", "a quantization_config",
          "f64, f32, f16 or bf16 weights", "Use the model's unquantised weights");
  }

  void refuse_options() {
    if (family_->has_biases)
      for (const char* key : {"attention_bias", "mlp_bias"})
        problems_.holds([&] {
          if (root_.has(key) && root_[key].boolean())
            root_[key].not_supported("biases in linear layers are not supported", "true", "false");
        });
    problems_.holds([&] {
      if (!root_.has("hidden_act")) return;
      const JsonAt name = root_["hidden_act"];
      if (name.text() != "silu" && name.text() != "swish")  // two names of the same function
        name.not_supported("activation is not supported", name.shown(), "\"silu\", \"swish\"");
    });
    problems_.holds([&] {
      if (!root_.json().contains("is_causal")) return;
      const JsonAt causal = root_["is_causal"];
      if (causal.is_null() || !causal.boolean())
        causal.not_supported("a model whose tokens see later tokens is not supported",
                             causal.shown(), "true",
                             "Such a model is an encoder and does not generate text");
    });
  }

  // Reads a number from 1 to `most` into `to`. Where the key is missing or null, `to` becomes
  // `otherwise`; with `otherwise` 0 the key is required. Returns false when a problem was added.
  bool read_size(const char* key, int64_t most, int64_t& to, int64_t otherwise = 0) {
    return problems_.holds(
        [&] { to = otherwise > 0 && !root_.has(key) ? otherwise : root_[key].whole(1, most); });
  }

  bool read_sizes() {
    LlamaConfig& c = config_;
    bool ok = read_size("hidden_size", kMostWidth, c.hidden_size);
    ok &= read_size("intermediate_size", kMostWidth, c.intermediate_size);
    ok &= read_size("num_hidden_layers", kMostLayers, c.num_layers);
    ok &= read_size("vocab_size", kMostVocabulary, c.vocab_size);
    ok &= read_size("num_attention_heads", kMostHeads, c.num_heads) && read_heads();
    ok &= read_size("max_position_embeddings", kMostPositions, c.max_model_len,
                    family_->max_position_embeddings) &&
          read_window();
    return problems_.holds([&] {
      if (root_.has("rms_norm_eps"))
        c.norm_epsilon = static_cast<float>(root_["rms_norm_eps"].number(0, 1));
      c.tie_embeddings = root_.has("tie_word_embeddings") && root_["tie_word_embeddings"].boolean();
    }) && ok;
  }

  bool read_heads() {
    LlamaConfig& c = config_;
    const char* kv_key = "num_key_value_heads";
    const bool left_out = !root_.json().contains(kv_key) && family_->num_kv_heads > 0;
    bool ok = read_size(kv_key, kMostHeads, c.num_kv_heads,
                        left_out ? family_->num_kv_heads : c.num_heads);
    ok = ok && problems_.holds([&] {
      if (c.num_heads % c.num_kv_heads != 0)
        (root_.has(kv_key) ? root_[kv_key] : root_)
            .refuse("the number of KV heads does not divide the number of query heads",
                    fmt::format("{} query and {} KV heads", c.num_heads, c.num_kv_heads),
                    "a number that divides num_attention_heads");
    });
    if (c.hidden_size == 0 && !root_.has("head_dim")) return false;  // already reported
    return problems_.holds([&] {
      if (root_.has("head_dim")) {
        c.head_size = root_["head_dim"].whole(1, kMostHeadSize);
      } else {
        c.head_size = c.hidden_size / c.num_heads;
        if (c.hidden_size % c.num_heads != 0 || c.head_size > kMostHeadSize)
          root_["hidden_size"].refuse("head size is not a whole number in range",
                                      fmt::format("{} / {} heads", c.hidden_size, c.num_heads),
                                      fmt::format("1 to {}, or head_dim", kMostHeadSize));
      }
      if (c.head_size % 2 != 0)
        root_[root_.has("head_dim") ? "head_dim" : "hidden_size"].refuse(
            "head size is odd", fmt::format("{}", c.head_size), "an even number",
            "Rotary positions turn pairs");
    }) && ok;
  }

  // The layers here attend to all earlier tokens. A model with a sliding window would not see
  // tokens further back than the window, so texts must not become longer than it.
  bool read_window() {
    const char* key = "sliding_window";
    if (family_->sliding_window == 0) {
      if (root_.has(key))
        note(
            fmt::format("sliding_window ({}) has no effect, because the layers of a {} model have "
                        "no sliding window.",
                        root_[key].shown(), family_->model_type));
      return true;
    }
    if (root_.json().contains(key) && root_[key].is_null()) return true;
    int64_t window = 0;
    if (!read_size(key, int64_t{1} << 53, window, family_->sliding_window)) return false;
    if (window < config_.max_model_len) {
      note(fmt::format(
          "Sequences are limited to {} tokens instead of {}. In longer ones the model's sliding "
          "window, which is not used here, would hide the first tokens.",
          window, config_.max_model_len));
      config_.max_model_len = window;
    }
    return true;
  }

  // Older files have "rope_scaling", newer ones "rope_parameters"; where both are present,
  // "rope_scaling" is used unless it is empty. Only rotary positions without scaling are supported.
  void read_rope() {
    const auto theta = [&](const JsonAt& at) {
      if (at.has("rope_theta")) config_.rope_theta = at["rope_theta"].number(1e-3, 1e12);
    };
    const char* const key = root_.has("rope_scaling") && root_["rope_scaling"].size() > 0
                                ? "rope_scaling"
                                : "rope_parameters";
    problems_.holds([&] { theta(root_); });
    if (root_.has(key))
      problems_.holds([&] {
        const JsonAt rope = root_[key];
        rope.expect_object();
        theta(rope);
        const char* const type = rope.has("rope_type") ? "rope_type" : "type";
        if (rope.has(type) && rope[type].text() != "default")
          rope[type].not_supported("scaled rotary positions are not supported", rope[type].shown(),
                                   "\"default\", or no rope_scaling");
        if (!rope.has(type) && rope.has("factor"))
          rope.not_supported("scaled rotary positions are not supported", rope.shown(), "null");
        for (const auto& [name, value] : rope.json().items())
          if (value.is_object())
            rope[name].not_supported("rotary positions that differ by layer are not supported",
                                     rope[name].shown(), "one set for all layers");
        note_partial(rope);
      });
    note_partial(root_);
  }

  void note_partial(const JsonAt& at) {
    const char* key = "partial_rotary_factor";
    if (at.has(key) && at[key].json() != 1)
      note(
          fmt::format("{} ({}) has no effect, because a {} model without scaled positions rotates "
                      "the whole head.",
                      key, at[key].shown(), family_->model_type));
  }

  void note(std::string sentence) { config_.notes.push_back(std::move(sentence)); }

  JsonAt root_;
  Problems& problems_;
  const Family* family_ = &kLlama;
  LlamaConfig config_;
};

// "eos_token_id" is one id, a list of ids, or missing.
std::vector<int32_t> stop_tokens_of(const JsonAt& root, int64_t vocab_size) {
  std::vector<int32_t> tokens;
  if (!root.has("eos_token_id")) return tokens;
  const JsonAt eos = root["eos_token_id"];
  const auto take = [&](const JsonAt& at) {
    const auto token = static_cast<int32_t>(at.whole(0, vocab_size - 1));
    if (std::ranges::find(tokens, token) == tokens.end()) tokens.push_back(token);
  };
  if (!eos.json().is_array()) take(eos);
  if (eos.json().is_array() && eos.size() > kMostStopTokens)
    eos.refuse("too many tokens that end a text", fmt::format("{}", eos.size()),
               fmt::format("at most {}", kMostStopTokens));
  for (size_t i = 0; eos.json().is_array() && i < eos.size(); ++i) take(eos.item(i));
  return tokens;
}

}  // namespace

std::optional<LlamaConfig> LlamaConfig::load(const std::filesystem::path& folder,
                                             Problems& problems) {
  const auto document_of = [&](const char* name) {
    return parse_json(read_text_file(folder / name, kMostBytes), name, {.max_bytes = kMostBytes});
  };
  const char* name = "config.json";
  nlohmann::json document;
  if (!problems.holds([&] { document = document_of(name); })) return std::nullopt;
  std::optional<LlamaConfig> config = ConfigReader(JsonAt(document, name), problems).read();
  // Where there is a generation_config.json, it alone says which tokens end a text, even when it
  // names none.
  const char* other = "generation_config.json";
  problems.holds([&] {
    if (has_entry(folder / other)) {
      document = document_of(other);
      name = other;
      JsonAt(document, name).expect_object();
    }
    if (config) config->stop_tokens = stop_tokens_of(JsonAt(document, name), config->vocab_size);
  });
  return config;
}

}  // namespace attn
