// SPDX-License-Identifier: GPL-3.0-or-later
// Folder -> LlamaModel: the config says which tensors there must be; each is checked before it is
// read.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "engine/core/error.h"
#include "engine/core/json.h"
#include "engine/model/llama.h"

namespace attn {
namespace {

// Reads tensors by name and keeps account of which were asked for.
class CheckedReader {
 public:
  CheckedReader(const WeightFiles& files, const std::function<bool(double)>& progress)
      : files_(files), progress_(progress), total_(static_cast<double>(files.names().size())) {}

  Tensor read(const std::string& name, const Shape& shape, const char* why) {
    const TensorEntry* entry = files_.find(name);
    if (!entry)
      throw_bad_input({"tensor is missing", files_.file_of(name), fmt::format("no {}", name),
                       fmt::format("{} of shape {}", name, to_string(shape)),
                       "config.json asks for it"});
    const std::string where = fmt::format("{}, {}", files_.file_of(name), name);
    if (entry->shape != shape)
      throw_bad_input({"tensor does not fit config.json", where, to_string(entry->shape),
                       to_string(shape), fmt::format("Shape by config.json: {}", why)});
    if (entry->dtype != DType::kF32 && entry->dtype != DType::kF16 && entry->dtype != DType::kBF16)
      throw Error(ErrorCode::kNotSupported, {"weights of this element type are not supported",
                                             where, entry->dtype_name, "F32, F16, BF16", ""});
    const auto done = static_cast<double>(asked_.size());
    if (progress_ && !progress_(done / total_))
      throw Error(ErrorCode::kCancelled, {"loading was cancelled", where, "", "", ""});
    asked_.insert(name);
    return files_.read(name);
  }
  std::vector<float> read_vector(const std::string& name, int64_t length, const char* why) {
    const Tensor tensor = convert(read(name, {length}, why), DType::kF32);
    return {tensor.span<float>().begin(), tensor.span<float>().end()};
  }
  // A tensor nobody asked for is part of a network that this is not: results would be wrong without
  // a word.
  void refuse_rest(bool head_is_tied) const {
    for (const std::string& name : files_.names()) {
      const bool is_known = asked_.contains(name) || name.ends_with("rotary_emb.inv_freq") ||
                            (head_is_tied && name == "lm_head.weight");
      if (!is_known)
        throw Error(ErrorCode::kNotSupported,
                    {"tensor has no place in a Llama model",
                     fmt::format("{}, {}", files_.file_of(name), name), quote_text(name),
                     "the tensors that config.json asks for", ""});
    }
  }

 private:
  const WeightFiles& files_;
  const std::function<bool(double)>& progress_;
  double total_;
  std::set<std::string> asked_;
};

}  // namespace

std::unique_ptr<LlamaModel> LlamaModel::load(const std::filesystem::path& folder,
                                             const std::function<bool(double)>& progress) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw_bad_input({"model folder is missing", folder.string(),
                     error ? error.message() : "not a folder",
                     "a folder with config.json, model.safetensors and tokenizer.json", ""});
  std::unique_ptr<LlamaModel> model(new LlamaModel);
  model->config_ = LlamaConfig::load(folder / "config.json");
  const LlamaConfig& config = model->config_;
  model->tokenizer_ = Tokenizer::load_folder(folder);
  // Tokens added past the model's vocabulary are refused where a prompt has one.
  if (model->tokenizer_.model_vocab_size() > config.vocab_size)
    throw_bad_input({"tokenizer.json does not fit config.json", "tokenizer.json",
                     fmt::format("{} tokens", model->tokenizer_.model_vocab_size()),
                     fmt::format("at most {}, the vocab_size", config.vocab_size), ""});
  model->read_weights(WeightFiles::open(folder), progress);

  std::filesystem::path named = folder.filename().empty() ? folder.parent_path() : folder;
  if (named.filename() == "." || named.filename() == "..")
    named = std::filesystem::weakly_canonical(named, error);
  model->shape_ = {
      .name = named.filename().string(),
      .num_layers = config.num_layers,
      .num_heads = config.num_heads,
      .num_kv_heads = config.num_kv_heads,
      .head_size = config.head_size,
      .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config.head_size))),
      .vocab_size = config.vocab_size,
      .max_model_len = config.max_model_len};
  for (int64_t i = 0; i < config.head_size / 2; ++i) {
    // In f32 step by step, as the model was trained: near position 400 exact angles would move
    // weights by 1e-5.
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(config.head_size);
    const auto power =
        static_cast<float>(std::pow(config.rope_theta, static_cast<double>(exponent)));
    model->inverse_frequency_.push_back(1.0f / power);
  }
  return model;
}

void LlamaModel::read_weights(const WeightFiles& files,
                              const std::function<bool(double)>& progress) {
  CheckedReader reader(files, progress);
  const int64_t width = config_.hidden_size, inner = config_.intermediate_size;
  const int64_t query = config_.num_heads * config_.head_size,
                kv = config_.num_kv_heads * config_.head_size;
  embedding_ = reader.read("model.embed_tokens.weight", {config_.vocab_size, width},
                           "[vocab_size, hidden_size]");
  final_norm_ = reader.read_vector("model.norm.weight", width, "[hidden_size]");
  num_parameters_ = embedding_.size() + width;
  const auto part = [&](Linear& linear, int64_t first, const std::string& name, int64_t out,
                        int64_t in, const char* why) {
    linear.set_weight(first, reader.read(name, {out, in}, why));
    num_parameters_ += out * in;
  };
  for (int64_t i = 0; i < config_.num_layers; ++i) {
    const std::string at = fmt::format("model.layers.{}.", i), attention = at + "self_attn.",
                      mlp = at + "mlp.";
    Layer& layer = layers_.emplace_back();
    layer.attention_norm =
        reader.read_vector(at + "input_layernorm.weight", width, "[hidden_size]");
    layer.mlp_norm =
        reader.read_vector(at + "post_attention_layernorm.weight", width, "[hidden_size]");
    num_parameters_ += 2 * width;
    layer.qkv = Linear(width, query + 2 * kv);
    part(layer.qkv, 0, attention + "q_proj.weight", query, width,
         "[num_attention_heads * head_dim, hidden_size]");
    part(layer.qkv, query, attention + "k_proj.weight", kv, width,
         "[num_key_value_heads * head_dim, hidden_size]");
    part(layer.qkv, query + kv, attention + "v_proj.weight", kv, width,
         "[num_key_value_heads * head_dim, hidden_size]");
    layer.out = Linear(query, width);
    part(layer.out, 0, attention + "o_proj.weight", width, query,
         "[hidden_size, num_attention_heads * head_dim]");
    layer.gate_up = Linear(width, 2 * inner);
    part(layer.gate_up, 0, mlp + "gate_proj.weight", inner, width,
         "[intermediate_size, hidden_size]");
    part(layer.gate_up, inner, mlp + "up_proj.weight", inner, width,
         "[intermediate_size, hidden_size]");
    layer.down = Linear(inner, width);
    part(layer.down, 0, mlp + "down_proj.weight", width, inner, "[hidden_size, intermediate_size]");
  }
  head_ = Linear(width, config_.vocab_size);
  if (config_.tie_embeddings)
    head_.set_weight(0, embedding_);
  else
    part(head_, 0, "lm_head.weight", config_.vocab_size, width, "[vocab_size, hidden_size]");
  reader.refuse_rest(config_.tie_embeddings);
}

}  // namespace attn
