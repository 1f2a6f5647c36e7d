// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/families/llama.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/core/limits.h"
#include "engine/model/layers/embedding.h"
#include "engine/model/layers/linear.h"
#include "engine/model/layers/norm.h"
#include "engine/model/layers/rows.h"

namespace attn {
namespace {

// --- config.json ---

struct LlamaConfig {
  int64_t hidden_size = 0;        // C
  int64_t intermediate_size = 0;  // F
  int64_t num_layers = 0;
  HeadShape heads;  // H, Hkv, D; H * D need not equal C
  int64_t vocab_size = 0;
  int64_t max_model_len = 0;  // tokens; at most the sliding window, which the layers do not apply
  RotaryConfig rotary;
  float norm_epsilon = 1e-6f;
  Activation activation = Activation::kSilu;
  bool tie_embeddings = false;
};

// Defaults of a model type for keys that config.json leaves out, and which keys it ignores.
struct LlamaVariant {
  int64_t num_kv_heads;  // 0: as many as query heads
  int64_t max_position_embeddings;
  bool has_biases;         // attention_bias and mlp_bias are read
  int64_t sliding_window;  // 0: there is none, and the key is ignored
};
constexpr LlamaVariant kLlama{0, 2048, true, 0};
constexpr LlamaVariant kMistral{8, 131072, false, 4096};

// The layers here attend to all earlier tokens. A model with a sliding window would not see tokens
// further back than the window, so texts must not become longer than it. Returns false when a
// problem was added.
bool read_window(ConfigReader& reader, const LlamaVariant& variant, int64_t& max_model_len) {
  const char* key = "sliding_window";
  const JsonAt& root = reader.root();
  if (variant.sliding_window == 0) {
    if (root.has(key))
      reader.note(fmt::format(
          "{} ({}) has no effect, because the layers of a {} model have no sliding window.", key,
          root[key].shown(), reader.model_type()));
    return true;
  }
  if (root.json().contains(key) && root[key].is_null()) return true;
  int64_t window = 0;
  if (!reader.size(key, int64_t{1} << 53, window, variant.sliding_window)) return false;
  if (window < max_model_len) {
    reader.note(fmt::format(
        "Sequences are limited to {} tokens instead of {}. In longer ones the model's sliding "
        "window, which is not used here, would hide the first tokens.",
        window, max_model_len));
    max_model_len = window;
  }
  return true;
}

// Reads the config; nullopt where it does not tell the shapes of the tensors.
std::optional<LlamaConfig> read_llama_config(ConfigReader& reader) {
  const LlamaVariant& variant = reader.model_type() == "mistral" ? kMistral : kLlama;
  LlamaConfig c;
  if (variant.has_biases)
    reader.expect({"attention_bias", "mlp_bias"}, false,
                  "biases in linear layers are not supported");
  c.activation = reader.activation("hidden_act", {"silu", "swish"});
  reader.expect_causal();
  bool ok = reader.size("hidden_size", ConfigReader::kMostWidth, c.hidden_size);
  ok &= reader.size("intermediate_size", ConfigReader::kMostWidth, c.intermediate_size);
  ok &= reader.size("num_hidden_layers", kMostLayers, c.num_layers);
  ok &= reader.size("vocab_size", kMostVocabulary, c.vocab_size);
  ok &= reader.heads(c.hidden_size, variant.num_kv_heads, c.heads) &&
        reader.expect_even_heads(c.heads.size);
  ok &= reader.size("max_position_embeddings", kMostPositions, c.max_model_len,
                    variant.max_position_embeddings);
  const int64_t max_positions = c.max_model_len;
  ok &= read_window(reader, variant, c.max_model_len);
  ok &= reader.number("rms_norm_eps", 0, 1, c.norm_epsilon);
  ok &= reader.flag("tie_word_embeddings", c.tie_embeddings);
  c.rotary = reader.rotary(c.heads.size, max_positions);
  if (!ok) return std::nullopt;
  return c;
}

SourceShape shape_of(const LlamaConfig& c) {
  return {.name = "",
          .num_layers = c.num_layers,
          .num_heads = c.heads.heads,
          .num_kv_heads = c.heads.kv_heads,
          .head_size = c.heads.size,
          .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(c.heads.size))),
          .vocab_size = c.vocab_size,
          .max_model_len = c.max_model_len};
}

// --- the network ---

class LlamaModel : public Model {
 public:
  explicit LlamaModel(const LlamaConfig& config)
      : Model(shape_of(config)),
        config_(config),
        rotary_(config.rotary),
        final_norm_(config.norm_epsilon) {}

  void take_weights(TensorReader& reader) override;
  bool begin_step(const StepTokens& tokens, const Execution& execution) override;
  bool qkv(int64_t layer, Tensor& query, Tensor& key, Tensor& value,
           const Execution& execution) override;
  bool attention_output(int64_t layer, const Tensor& out, const Execution& execution) override;
  bool end_step(Tensor& logits, const Execution& execution) override;
  Network network() const override;
  bool read_out(const float* x, std::span<const int64_t> rows, Tensor& logits,
                const Execution& execution) override;

 private:
  struct Layer {
    explicit Layer(float epsilon) : attention_norm(epsilon), mlp_norm(epsilon) {}
    RmsNorm attention_norm, mlp_norm;  // C
    Linear qkv;                        // C -> H*D query, Hkv*D key, Hkv*D value
    Linear out;                        // H*D -> C
    Linear gate_up;                    // C -> F gate, F up
    Linear down;                       // F -> C
  };
  bool normalize(const RmsNorm& norm, const Execution& execution) {
    make_room(normed_, num_rows() * config_.hidden_size);
    return norm.forward(hidden_.data(), num_rows(), normed_.data(), execution);
  }
  int64_t num_rows() const { return static_cast<int64_t>(step_.token_ids.size()); }

  LlamaConfig config_;
  Rotary rotary_;
  Embedding embedding_;  // [V, C]
  std::vector<Layer> layers_;
  RmsNorm final_norm_;
  Linear head_;  // C -> V

  // The step being computed; T rows.
  StepTokens step_;
  std::vector<float> hidden_, normed_;      // [T, C]
  std::vector<float> cosine_, sine_;        // [T, D/2]
  std::vector<float> qkv_;                  // [T, (H + 2 Hkv) * D]
  std::vector<float> gate_up_, activated_;  // [T, 2F], [T, F]
};

void LlamaModel::take_weights(TensorReader& reader) {
  const LlamaConfig& c = config_;
  const Axis width{"hidden_size", c.hidden_size}, inner{"intermediate_size", c.intermediate_size},
      query{"num_attention_heads * head_dim", c.heads.heads * c.heads.size},
      kv{"num_key_value_heads * head_dim", c.heads.kv_heads * c.heads.size};
  reader.layers("model.layers.", {"num_hidden_layers", c.num_layers});
  reader.ignore("rotary_emb.inv_freq");  // follows from config.json
  has_own_head_ =
      take_embeddings(reader, {"model.embed_tokens", "lm_head"}, {"vocab_size", c.vocab_size},
                      width, c.tie_embeddings, embedding_, head_);
  final_norm_.take(reader, "model.norm", width);
  layers_.reserve(static_cast<size_t>(c.num_layers));  // the reader keeps pointers into it
  for (int64_t i = 0; i < c.num_layers; ++i) {
    const std::string at = fmt::format("model.layers.{}.", i), attention = at + "self_attn.",
                      mlp = at + "mlp.";
    Layer& layer = layers_.emplace_back(c.norm_epsilon);
    layer.attention_norm.take(reader, at + "input_layernorm", width);
    layer.mlp_norm.take(reader, at + "post_attention_layernorm", width);
    layer.qkv.take(
        reader, width,
        {{attention + "q_proj", query}, {attention + "k_proj", kv}, {attention + "v_proj", kv}});
    layer.out.take(reader, query, {{attention + "o_proj", width}});
    layer.gate_up.take(reader, width, {{mlp + "gate_proj", inner}, {mlp + "up_proj", inner}});
    layer.down.take(reader, inner, {{mlp + "down_proj", width}});
  }
}

bool LlamaModel::begin_step(const StepTokens& tokens, const Execution& execution) {
  check_step(tokens);
  step_ = tokens;
  const int64_t rows = num_rows(), width = config_.hidden_size, half = rotary_.num_pairs();
  make_room(hidden_, rows * width);
  make_room(cosine_, rows * half);
  make_room(sine_, rows * half);
  if (!for_rows(execution, KernelId::kEmbed, rows, 40.0 * static_cast<double>(half),
                8.0 * static_cast<double>(width), [&](int64_t row) {
                  const auto at = static_cast<size_t>(row);
                  embedding_.look_up(step_.token_ids[at], hidden_.data() + row * width);
                  rotary_.angles(step_.positions[at], cosine_.data() + row * half,
                                 sine_.data() + row * half);
                }))
    return false;
  show(ResidualSite::kEmbed, 0, hidden_.data(), rows, width);
  return true;
}

bool LlamaModel::qkv(int64_t layer_index, Tensor& query, Tensor& key, Tensor& value,
                     const Execution& execution) {
  const Layer& layer = layers_[static_cast<size_t>(layer_index)];
  make_room(qkv_, num_rows() * layer.qkv.out());
  return normalize(layer.attention_norm, execution) &&
         layer.qkv.forward(normed_.data(), num_rows(), qkv_.data(), false, KernelId::kLinear,
                           execution) &&
         split_heads(qkv_.data(), num_rows(), config_.heads,
                     {&rotary_, cosine_.data(), sine_.data()}, query, key, value, execution);
}

bool LlamaModel::attention_output(int64_t layer_index, const Tensor& out,
                                  const Execution& execution) {
  const Layer& layer = layers_[static_cast<size_t>(layer_index)];
  const int64_t rows = num_rows(), inner = config_.intermediate_size;
  make_room(gate_up_, rows * 2 * inner);
  make_room(activated_, rows * inner);
  if (!layer.out.forward(out.data<float>(), rows, hidden_.data(), true, KernelId::kLinear,
                         execution))
    return false;
  show(ResidualSite::kMid, layer_index, hidden_.data(), rows, config_.hidden_size);
  if (!normalize(layer.mlp_norm, execution) ||
      !layer.gate_up.forward(normed_.data(), rows, gate_up_.data(), false, KernelId::kLinear,
                             execution) ||
      !activate_gated(config_.activation, gate_up_.data(), rows, inner, activated_.data(),
                      execution) ||
      !layer.down.forward(activated_.data(), rows, hidden_.data(), true, KernelId::kLinear,
                          execution))
    return false;
  show(ResidualSite::kPost, layer_index, hidden_.data(), rows, config_.hidden_size);
  return true;
}

bool LlamaModel::end_step(Tensor& logits, const Execution& execution) {
  return read_out(hidden_.data(), step_.logit_rows, logits, execution);
}

bool LlamaModel::read_out(const float* x, std::span<const int64_t> rows, Tensor& logits,
                          const Execution& execution) {
  const auto count = static_cast<int64_t>(rows.size());
  make_room(logits, {count, config_.vocab_size});
  make_room(normed_, count * config_.hidden_size);
  return final_norm_.forward(x, rows, normed_.data(), execution) &&
         head_.forward(normed_.data(), count, logits.data<float>(), false, KernelId::kLogits,
                       execution);
}

Network LlamaModel::network() const {
  Network network;
  network.width = config_.hidden_size;
  network.heads = config_.heads;
  network.vocab_size = config_.vocab_size;
  for (const Layer& layer : layers_) {
    NetworkLayer shown;
    shown.qkv = &layer.qkv;
    shown.out = &layer.out;
    shown.before = &layer.attention_norm;
    network.layers.push_back(shown);
  }
  network.embedding = &embedding_;
  network.rotary = &rotary_;
  network.final_norm = &final_norm_;
  network.head = &head_;
  return network;
}

}  // namespace

Family llama_family() {
  return {{"llama", "mistral"}, [](ConfigReader& reader) -> std::unique_ptr<Model> {
            const std::optional<LlamaConfig> config = read_llama_config(reader);
            if (!config) return nullptr;
            return std::make_unique<LlamaModel>(*config);
          }};
}

}  // namespace attn
