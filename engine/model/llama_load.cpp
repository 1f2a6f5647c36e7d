// SPDX-License-Identifier: GPL-3.0-or-later
// Loads a LlamaModel from a folder. The configs and the headers of the weight files are checked and
// all problems reported before the first weight is read.
#include <fmt/format.h>

#include <cmath>

#include "engine/core/files/paths.h"
#include "engine/core/memory.h"
#include "engine/model/llama.h"
#include "engine/model/llama_weights.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

// A folder before the numbers of its weights are read; parts that could not be read are absent.
struct Folder {
  std::optional<LlamaConfig> config;
  std::optional<Tokenizer> tokenizer;
  std::optional<WeightFiles> files;
  std::optional<LlamaWeights> weights;
  ModelCheck check;
};

SourceShape shape_of(const LlamaConfig& config, const fs::path& folder) {
  std::error_code error;
  fs::path named = folder.filename().empty() ? folder.parent_path() : folder;
  if (named.filename() == "." || named.filename() == "..")
    named = fs::weakly_canonical(named, error);
  return {.name = named.filename().string(),
          .num_layers = config.num_layers,
          .num_heads = config.num_heads,
          .num_kv_heads = config.num_kv_heads,
          .head_size = config.head_size,
          .scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(config.head_size))),
          .vocab_size = config.vocab_size,
          .max_model_len = config.max_model_len};
}

void check_weights(Folder& result, int64_t available) {
  ModelCheck& check = result.check;
  const LlamaWeights& weights = result.weights.emplace(LlamaWeights(*result.config, *result.files));
  check.has_own_head = weights.has_own_head();
  check.stored_bytes = weights.stored_bytes(*result.files);
  if (std::string unused = weights.unused(*result.files); !unused.empty())
    check.notes.push_back(std::move(unused));
  Problems problems;
  weights.check(*result.files, problems);
  check.problems.add_all(problems);
  if (!problems.empty()) return;
  check.needed_bytes = weights.needed_bytes(*result.files);
  if (check.needed_bytes > allowed_memory_bytes(available))
    check.problems.add(
        {ErrorCode::kBadInput,
         {"the model does not fit in memory", check.shape.name,
          fmt::format("{} while it is loaded, because the weights, {} in the files, are converted "
                      "to 32-bit floats",
                      bytes_text(static_cast<double>(check.needed_bytes)),
                      bytes_text(static_cast<double>(check.stored_bytes))),
          allowed_memory_text(available), "Use a smaller model, or close other programs"}});
}

Folder open_folder(const fs::path& folder, int64_t available) {
  Folder result;
  ModelCheck& check = result.check;
  if (const std::string found = why_no_folder(folder); !found.empty()) {
    const bool forbidden = is_forbidden(folder);
    check.problems.add(
        {forbidden ? ErrorCode::kFailed : ErrorCode::kBadInput,
         {forbidden           ? "model folder cannot be read"
          : has_entry(folder) ? "this is not a model folder"
                              : "model folder is missing",
          folder.string(), found, "a folder with config.json, model.safetensors and tokenizer.json",
          forbidden ? "Give this user the right to read it" : ""}});
    return result;
  }
  result.config = LlamaConfig::load(folder, check.problems);
  check.problems.holds([&] { result.tokenizer = Tokenizer::load_folder(folder); });
  check.problems.holds([&] { result.files = WeightFiles::open(folder); });
  if (!result.config) return result;
  const LlamaConfig& config = *result.config;
  check.shape = shape_of(config, folder);
  check.stop_tokens = config.stop_tokens;
  check.notes = config.notes;
  // Only the model's own vocabulary must fit. A token that the tokenizer added past vocab_size is
  // refused later, when a prompt contains it.
  if (result.tokenizer && result.tokenizer->model_vocab_size() > config.vocab_size)
    check.problems.add({ErrorCode::kBadInput,
                        {"tokenizer.json does not fit config.json", "tokenizer.json",
                         fmt::format("{} tokens", result.tokenizer->model_vocab_size()),
                         fmt::format("at most {}, the vocab_size", config.vocab_size), ""}});
  if (result.files) check_weights(result, available);
  return result;
}

// Reads tensors that were already checked, and counts them.
class WeightReader {
 public:
  WeightReader(const WeightFiles& files, const std::function<bool(double)>& progress)
      : files_(files), progress_(progress), total_(static_cast<double>(files.names().size())) {}

  // The result is f32, f16 or bf16, as in the file; f64 is rounded to f32.
  Tensor read(const WeightSpec& weight) {
    if (progress_ && !progress_(static_cast<double>(count_) / total_))
      throw Error(ErrorCode::kCancelled, {"loading was cancelled", weight.name, "", "", ""});
    ++count_;
    parameters_ += element_count(weight.shape);
    Tensor tensor = files_.read(weight.name);
    return tensor.dtype() == DType::kF64 ? convert(tensor, DType::kF32) : std::move(tensor);
  }
  std::vector<float> read_vector(const WeightSpec& weight) {
    const Tensor tensor = convert(read(weight), DType::kF32);
    return {tensor.span<float>().begin(), tensor.span<float>().end()};
  }
  int64_t parameters() const { return parameters_; }  // of all tensors read

 private:
  const WeightFiles& files_;
  const std::function<bool(double)>& progress_;
  double total_;
  int64_t count_ = 0, parameters_ = 0;
};

}  // namespace

ModelCheck LlamaModel::check(const fs::path& folder, int64_t available) {
  return open_folder(folder, available).check;
}

std::unique_ptr<LlamaModel> LlamaModel::load(const fs::path& folder,
                                             const std::function<bool(double)>& progress) {
  Folder opened = open_folder(folder, available_memory_bytes());
  opened.check.problems.throw_if_any();
  std::unique_ptr<LlamaModel> model(new LlamaModel);
  model->config_ = *std::move(opened.config);
  model->tokenizer_ = *std::move(opened.tokenizer);
  model->shape_ = std::move(opened.check.shape);
  model->notes_ = std::move(opened.check.notes);
  model->read_weights(*opened.files, *opened.weights, progress);

  const LlamaConfig& config = model->config_;
  for (int64_t i = 0; i < config.head_size / 2; ++i) {
    // Every step is rounded to f32, as when the model was trained: with exact angles, attention
    // weights near position 400 would change by 1e-5.
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(config.head_size);
    const auto power =
        static_cast<float>(std::pow(config.rope_theta, static_cast<double>(exponent)));
    model->inverse_frequency_.push_back(1.0f / power);
  }
  return model;
}

void LlamaModel::read_weights(const WeightFiles& files, const LlamaWeights& weights,
                              const std::function<bool(double)>& progress) {
  WeightReader reader(files, progress);
  // One linear layer with the outputs of all parts, one part after the other.
  const auto linear = [&](std::initializer_list<const WeightSpec*> parts) {
    int64_t out = 0;
    for (const WeightSpec* part : parts) out += part->shape[0];
    Linear whole((*parts.begin())->shape[1], out);
    int64_t first = 0;
    for (const WeightSpec* part : parts) {
      whole.set_weight(first, reader.read(*part));
      first += part->shape[0];
    }
    return whole;
  };
  embedding_ = reader.read(weights.embedding);
  final_norm_ = reader.read_vector(weights.final_norm);
  for (const LlamaWeights::Layer& from : weights.layers) {
    Layer& layer = layers_.emplace_back();
    layer.attention_norm = reader.read_vector(from.attention_norm);
    layer.mlp_norm = reader.read_vector(from.mlp_norm);
    layer.qkv = linear({&from.query, &from.key, &from.value});
    layer.out = linear({&from.out});
    layer.gate_up = linear({&from.gate, &from.up});
    layer.down = linear({&from.down});
  }
  if (weights.has_own_head()) {
    head_ = linear({&weights.head});
  } else {
    head_ = Linear(config_.hidden_size, config_.vocab_size);
    head_.set_weight(0, embedding_);
  }
  num_parameters_ = reader.parameters();
}

}  // namespace attn
