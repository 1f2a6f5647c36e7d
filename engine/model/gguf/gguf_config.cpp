// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/gguf_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/model/config_reader.h"

namespace attn {
namespace {

class ConfigMaker {
 public:
  ConfigMaker(const GgufFile& file, const GgufArchitecture& architecture, Problems& problems)
      : file_(file), m_(file.metadata()), architecture_(architecture), problems_(problems) {}
  ~ConfigMaker() { take_apart(json()); }
  ConfigMaker(const ConfigMaker&) = delete;
  ConfigMaker& operator=(const ConfigMaker&) = delete;

  GgufConfig make() && {
    json() = nlohmann::json::object();
    json()["model_type"] = architecture_.model_type;
    sizes();
    heads();
    norms();
    if (architecture_.has_rotary) rotary();
    const std::string_view name = architecture_.name;
    if (name == "llama") llama();
    if (name == "qwen3moe") experts("num_experts", "moe_intermediate_size");
    if (name == "gemma") json()["hidden_act"] = "gelu_pytorch_tanh";
    if (name == "gemma2") gemma2();
    if (name == "gemma3") gemma3();
    if (name == "phi3") number("sliding_window", "attention.sliding_window");
    if (name == "granite") granite();
    if (name == "gptneox") flag("use_parallel_residual", "use_parallel_residual");
    if (name == "falcon") falcon();
    if (name == "mpt") mpt();
    if (name == "t5") t5();
    biases();
    json()["tie_word_embeddings"] = !file_.find("output.weight");
    flag("is_causal", "attention.causal");
    stop_tokens();
    return std::move(result_);
  }

 private:
  nlohmann::json& json() { return result_.json; }
  std::string key(std::string_view name) const {
    return fmt::format("{}.{}", architecture_.name, name);
  }
  bool has(std::string_view name) const { return m_.has(key(name)); }

  // A size. Where the file has a list with one number for each layer, all of them must be equal.
  // Throws Error.
  int64_t size(std::string_view name, int64_t most) const {
    const std::string full = key(name);
    const GgufValue* value = m_.find(full);
    if (!value || value->type != GgufType::kArray) return m_.whole(full, 1, most);
    const std::vector<int64_t> all = m_.wholes(full, 0, most);
    if (all.empty()) m_.refuse(full, "list is empty", "[]", "one number for each layer");
    if (std::ranges::any_of(all, [&](int64_t one) { return one != all.front(); }) ||
        all.front() == 0)
      not_supported(full, "layers of different sizes are not supported",
                    GgufMetadata::shown(*value), "the same number for all layers");
    return all.front();
  }
  [[noreturn]] void not_supported(const std::string& full, std::string what, std::string found,
                                  std::string allowed, std::string advice = "") const {
    throw Error(ErrorCode::kNotSupported,
                {std::move(what), fmt::format("{}, {}", m_.file(), full), std::move(found),
                 std::move(allowed), std::move(advice)});
  }

  void number(const char* to, std::string_view name) {
    if (!has(name)) return;
    const GgufValue& value = *m_.find(key(name));
    problems_.holds([&] {
      if (value.type == GgufType::kF32 || value.type == GgufType::kF64)
        json()[to] = m_.number(key(name), -1e18, 1e18);
      else
        json()[to] = m_.whole(key(name), 0, int64_t{1} << 53);
    });
  }
  void flag(const char* to, std::string_view name) {
    if (has(name)) problems_.holds([&] { json()[to] = m_.flag(key(name)); });
  }

  void sizes() {
    const auto put = [&](const char* to, std::string_view name, int64_t most) {
      if (*to != '\0') problems_.holds([&] { json()[to] = size(name, most); });
    };
    put("hidden_size", "embedding_length", ConfigReader::kMostWidth);
    put("num_hidden_layers", "block_count", kMostLayers);
    put(architecture_.inner, "feed_forward_length", ConfigReader::kMostWidth);
    put(architecture_.positions, "context_length", kMostPositions);
    const GgufTensor* embedding = file_.find("token_embd.weight");
    if (embedding && embedding->shape.size() == 2)
      json()["vocab_size"] = embedding->shape[0];
    else
      put("vocab_size", "vocab_size", kMostVocabulary);
  }

  void heads() {
    HeadShape& heads = result_.heads;
    problems_.holds([&] {
      heads.heads = heads.kv_heads = size("attention.head_count", kMostHeads);
      if (has("attention.head_count_kv"))
        heads.kv_heads = size("attention.head_count_kv", kMostHeads);
      if (heads.heads % heads.kv_heads != 0)
        m_.refuse(key("attention.head_count_kv"),
                  "the number of KV heads does not divide the number of query heads",
                  fmt::format("{} query and {} KV heads", heads.heads, heads.kv_heads),
                  "a number that divides attention.head_count");
      json()["num_attention_heads"] = heads.heads;
      if (*architecture_.kv_heads != '\0') json()[architecture_.kv_heads] = heads.kv_heads;
      if (*architecture_.kv_heads == '\0' && heads.heads != heads.kv_heads)
        not_supported(key("attention.head_count_kv"),
                      fmt::format("fewer KV heads than query heads are not supported in {}",
                                  architecture_.name),
                      fmt::format("{}", heads.kv_heads), fmt::format("{}", heads.heads));
    });
    if (heads.heads == 0 || !json().contains("hidden_size")) return;
    problems_.holds([&] {
      const auto width = json()["hidden_size"].get<int64_t>();
      heads.size = has("attention.key_length") ? size("attention.key_length", kMostHeadSize)
                                               : width / heads.heads;
      if (has("attention.value_length")) {
        const int64_t value = size("attention.value_length", kMostHeadSize);
        if (value != heads.size)
          not_supported(key("attention.value_length"),
                        "values of another size than keys are not supported",
                        fmt::format("{}", value), fmt::format("{}", heads.size));
      }
      if (architecture_.has_head_size && has("attention.key_length"))
        json()["head_dim"] = heads.size;
      else if (heads.size * heads.heads != width)
        m_.refuse(key("attention.head_count"), "heads do not divide the width",
                  fmt::format("{} heads, width {}", heads.heads, width),
                  "a number that divides embedding_length");
    });
  }

  void norms() {
    const bool is_rms = std::string_view(architecture_.norm_epsilon) == "rms_norm_eps";
    const char* const name =
        is_rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon";
    problems_.holds([&] { json()[architecture_.norm_epsilon] = m_.number(key(name), 0, 1); });
  }

  // --- rotary positions ---

  void rotary() {
    const bool is_neox = std::string_view(architecture_.name) == "gptneox";
    number(is_neox ? "rotary_emb_base" : "rope_theta", "rope.freq_base");
    if (has("rope.dimension_count") && result_.heads.size > 0)
      problems_.holds([&] {
        const int64_t turned = m_.whole(key("rope.dimension_count"), 1, kMostHeadSize),
                      size = result_.heads.size;
        const bool may_be_partial = is_neox || std::string_view(architecture_.name) == "phi3";
        if (turned > size || (turned != size && !may_be_partial))
          not_supported(key("rope.dimension_count"),
                        "rotary positions that rotate only a part of each head are not supported",
                        fmt::format("{}", turned), fmt::format("{}, the head size", size));
        if (may_be_partial)
          json()[is_neox ? "rotary_pct" : "partial_rotary_factor"] =
              static_cast<double>(turned) / static_cast<double>(size);
      });
    problems_.holds([&] { scaling(); });
    // The factors in this tensor hold for texts of any length. config.json can have a list of
    // factors only in longrope, so this takes the place of the scaling above.
    if (const GgufTensor* factors = file_.find("rope_freqs.weight"))
      problems_.holds([&] {
        nlohmann::json& scaling = json()["rope_scaling"];
        replace_json(scaling, nlohmann::json::object());
        scaling["rope_type"] = "longrope";
        scaling["factor"] = scaling["attention_factor"] = 1;
        scaling["short_factor"] = factors_of(*factors);
      });
  }

  std::vector<float> factors_of(const GgufTensor& tensor) const {
    const int64_t most = kMostHeadSize / 2;
    if (tensor.shape.size() != 1 || tensor.shape[0] > most || tensor.type->dtype != DType::kF32)
      throw_bad_input({"factors of rotary positions are not usable",
                       fmt::format("{}, {}", m_.file(), tensor.name),
                       fmt::format("{} of shape {}", tensor.type->name, to_string(tensor.shape)),
                       fmt::format("F32 of shape [n], n at most {}", most), ""});
    const Tensor factors = file_.read(tensor);
    return {factors.span<float>().begin(), factors.span<float>().end()};
  }

  void scaling() {
    if (!has("rope.scaling.type")) return;
    const std::string& type = m_.text(key("rope.scaling.type"));
    if (type == "none" || type.empty()) return;
    nlohmann::json& scaling = json()["rope_scaling"];
    scaling = nlohmann::json::object();
    scaling["rope_type"] = type;
    const auto put = [&](const char* to, std::string_view name, double low, double high) {
      if (has(name)) scaling[to] = m_.number(key(name), low, high);
    };
    if (type != "linear" && type != "yarn" && type != "longrope")
      not_supported(key("rope.scaling.type"),
                    "rotary positions scaled in this way are not supported", quote_text(type),
                    "\"none\", \"linear\", \"yarn\", \"longrope\"");
    put("factor", "rope.scaling.factor", 1e-3, 1e6);
    if (has("rope.scaling.original_context_length"))
      (type == "longrope" ? json() : scaling)["original_max_position_embeddings"] =
          m_.whole(key("rope.scaling.original_context_length"), 1, kMostPositions);
    if (type == "yarn") {
      put("beta_fast", "rope.scaling.yarn_beta_fast", 0, 1e6);
      put("beta_slow", "rope.scaling.yarn_beta_slow", 0, 1e6);
      put("mscale_all_dim", "rope.scaling.yarn_log_multiplier", 0, 1e6);
    }
    if (type == "longrope") {
      put("attention_factor", "rope.scaling.attn_factor", 0, 1e6);
      for (const char* kind : {"long", "short"})
        if (const GgufTensor* factors = file_.find(fmt::format("rope_factors_{}.weight", kind)))
          scaling[fmt::format("{}_factor", kind)] = factors_of(*factors);
    }
  }

  // --- what only some architectures have ---

  void llama() {
    if (has("attention.sliding_window")) {
      json()["model_type"] = "mistral";
      number("sliding_window", "attention.sliding_window");
    }
    if (!has("expert_count")) return;
    problems_.holds([&] {
      if (m_.whole(key("expert_count"), 0, kMostExperts) == 0) return;
      json()["model_type"] = "mixtral";
      experts("num_local_experts", "");
    });
  }

  void experts(const char* count, const char* inner) {
    number(count, "expert_count");
    number("num_experts_per_tok", "expert_used_count");
    if (*inner == '\0') return;
    number(inner, "expert_feed_forward_length");
    json()["norm_topk_prob"] = true;
  }

  void gemma2() {
    json()["sliding_window"] = 4096;
    number("sliding_window", "attention.sliding_window");
    number("attn_logit_softcapping", "attn_logit_softcapping");
    number("final_logit_softcapping", "final_logit_softcapping");
    divide_scores(46);
  }

  void gemma3() {
    const char *const window = "attention.sliding_window", *const pattern =
                                                               "attention.sliding_window_pattern";
    bool has_window = false;
    problems_.holds(
        [&] { has_window = has(window) && m_.whole(key(window), 0, int64_t{1} << 53) > 0; });
    if (has_window) number("sliding_window", window);
    // Without a window all layers are full layers. A pattern that is a list is not read.
    json()["sliding_window_pattern"] = has_window ? 6 : 1;
    if (has_window && has(pattern) && m_.find(key(pattern))->type != GgufType::kArray)
      number("sliding_window_pattern", pattern);
    number("rope_local_base_freq", "rope.freq_base_swa");
    number("final_logit_softcapping", "final_logit_softcapping");
    divide_scores(62);
  }

  // The files do not say by what number a Gemma model divides its scores. In the 27B model, which
  // is the one with `layers_of_27b` layers, the number is the square root of width / number of
  // heads, in the others the square root of the head size.
  void divide_scores(int layers_of_27b) {
    const HeadShape& heads = result_.heads;
    if (heads.size == 0 || !json().contains("num_hidden_layers")) return;
    json()["query_pre_attn_scalar"] = json()["num_hidden_layers"] == layers_of_27b
                                          ? json()["hidden_size"].get<int64_t>() / heads.heads
                                          : heads.size;
  }

  void granite() {
    number("attention_multiplier", "attention.scale");
    number("embedding_multiplier", "embedding_scale");
    number("residual_multiplier", "residual_scale");
    number("logits_scaling", "logit_scale");
  }

  void falcon() {
    const bool two_norms = file_.find("blk.0.attn_norm_2.weight") != nullptr;
    const bool is_new = two_norms || result_.heads.kv_heads > 1;
    json()["new_decoder_architecture"] = is_new;
    json()["multi_query"] = result_.heads.kv_heads == 1;
    json()["parallel_attn"] = true;
    json()["num_ln_in_parallel_attn"] = two_norms ? 2 : 1;
    json()["alibi"] = false;
    json()["bias"] = file_.find("blk.0.attn_qkv.bias") != nullptr;
  }

  void mpt() {
    nlohmann::json& attention = json()["attn_config"];
    attention = nlohmann::json::object();
    attention["alibi"] = has("attention.max_alibi_bias");
    problems_.holds([&] {
      if (has("attention.max_alibi_bias"))
        attention["alibi_bias_max"] = m_.number(key("attention.max_alibi_bias"), 0, 1e6);
      if (has("attention.clamp_kqv"))
        attention["clip_qkv"] = m_.number(key("attention.clamp_kqv"), 0, 1e9);
    });
  }

  void t5() {
    const auto rename = [&](const char* from, const char* to) {
      if (const auto found = json().find(from); found != json().end()) {
        json()[to] = *found;
        json().erase(from);
      }
    };
    rename("hidden_size", "d_model");
    rename("num_hidden_layers", "num_layers");
    rename("num_attention_heads", "num_heads");
    rename("rms_norm_eps", "layer_norm_epsilon");
    json().erase("head_dim");
    if (result_.heads.size > 0) json()["d_kv"] = result_.heads.size;
    number("num_decoder_layers", "decoder_block_count");
    problems_.holds([&] {
      json()["relative_attention_num_buckets"] =
          m_.whole(key("attention.relative_buckets_count"), 1, 1024);
    });
    json()["relative_attention_max_distance"] = 128;  // not in the files
    json()["feed_forward_proj"] = file_.find("enc.blk.0.ffn_gate.weight") ? "gated-gelu" : "relu";
    json()["pad_token_id"] = 0;
    number("decoder_start_token_id", "decoder_start_token_id");
  }

  void biases() {
    const std::string_view name = architecture_.name;
    if (name != "llama" && name != "olmo2" && name != "granite" && name != "smollm3" &&
        name != "gptneox")
      return;
    const bool fused = name == "gptneox";
    json()["attention_bias"] =
        file_.find(fused ? "blk.0.attn_qkv.bias" : "blk.0.attn_q.bias") != nullptr;
    if (!fused) json()["mlp_bias"] = file_.find("blk.0.ffn_up.bias") != nullptr;
  }

  void stop_tokens() {
    const int64_t last =
        json().contains("vocab_size") ? json()["vocab_size"].get<int64_t>() - 1 : 0;
    for (const char* name : {"eos", "eot", "eom"}) {
      const std::string full = fmt::format("tokenizer.ggml.{}_token_id", name);
      if (!m_.has(full)) continue;
      problems_.holds([&] {
        const auto token = static_cast<int32_t>(m_.whole(full, 0, std::max<int64_t>(0, last)));
        if (std::ranges::find(result_.stop_tokens, token) == result_.stop_tokens.end())
          result_.stop_tokens.push_back(token);
      });
    }
  }

  const GgufFile& file_;
  const GgufMetadata& m_;
  const GgufArchitecture& architecture_;
  Problems& problems_;
  GgufConfig result_;
};

}  // namespace

const GgufArchitecture& architecture_of(const GgufFile& file) {
  const char* const key = "general.architecture";
  const std::string& name = file.metadata().text(key);
  if (const GgufArchitecture* architecture = architecture_named(name)) return *architecture;
  if (name == "t5encoder")
    throw Error(ErrorCode::kNotSupported,
                {"the encoder of a T5 without its decoder is not supported",
                 fmt::format("{}, {}", file.metadata().file(), key), quote_text(name),
                 "\"t5\", which has both", ""});
  throw Error(ErrorCode::kNotSupported,
              {"model family is not supported", fmt::format("{}, {}", file.metadata().file(), key),
               quote_text(name), known_architectures(), ""});
}

GgufConfig config_of(const GgufFile& file, const GgufArchitecture& architecture,
                     Problems& problems) {
  return ConfigMaker(file, architecture, problems).make();
}

}  // namespace attn
