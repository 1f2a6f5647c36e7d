// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/language_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace attn {
namespace {

// A model type that also reads pictures. `language`: the type of its language model where
// "text_config" names none. `ties`: whether the embedding is also the head where no key says so.
struct WholeType {
  const char* name;
  const char* language;
  bool ties = false;
};
constexpr std::array<WholeType, 8> kWholeTypes{{{"gemma3", "gemma3_text", true},
                                                {"idefics3", "llama"},
                                                {"internvl", "qwen2", true},
                                                {"llava", "llama"},
                                                {"llava_next", "llama"},
                                                {"llava_onevision", "qwen2"},
                                                {"mistral3", "mistral", true},
                                                {"smolvlm", "llama"}}};

// The sizes of a language model where its "text_config" leaves them out: the defaults of its class
// in transformers.
struct DefaultSizes {
  const char* language;
  int64_t vocab_size, hidden_size, intermediate_size, num_hidden_layers, num_attention_heads;
};
constexpr std::array<DefaultSizes, 5> kDefaultSizes{{
    {"llama", 32000, 4096, 11008, 32, 32},
    {"mistral", 32000, 4096, 14336, 32, 32},
    {"qwen2", 151936, 4096, 22016, 32, 32},
    {"qwen3", 151936, 4096, 22016, 32, 32},
    {"gemma3_text", 262208, 2304, 9216, 26, 8},
}};

void fill(nlohmann::json& config, const char* key, int64_t value) {
  if (!config.contains(key) || config[key].is_null()) config[key] = value;
}

// Prefixes of the language part's tensors in files of newer and older versions of transformers, and
// the prefix that each has in a model without pictures.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPrefixes{
    {{"model.language_model.", "model."},
     {"model.text_model.", "model."},
     {"language_model.model.", "model."},
     {"language_model.lm_head.", "lm_head."}}};

}  // namespace

std::vector<std::string> types_with_language_part() {
  std::vector<std::string> types;
  for (const WholeType& type : kWholeTypes) types.emplace_back(type.name);
  return types;
}

std::optional<std::string> complete_language_part(nlohmann::json& config, const char* file) {
  const JsonAt root(config, file);
  if (!root.has("model_type")) return std::nullopt;
  const std::string type = root["model_type"].text();
  const auto whole =
      std::ranges::find_if(kWholeTypes, [&](const WholeType& known) { return type == known.name; });
  if (whole == kWholeTypes.end()) return std::nullopt;
  root["text_config"].expect_object();

  nlohmann::json& text = config["text_config"];
  if (!root["text_config"].has("model_type")) text["model_type"] = whole->language;
  const std::string language = root["text_config"]["model_type"].text();
  for (const DefaultSizes& sizes : kDefaultSizes) {
    if (language != sizes.language) continue;
    fill(text, "vocab_size", sizes.vocab_size);
    fill(text, "hidden_size", sizes.hidden_size);
    fill(text, "intermediate_size", sizes.intermediate_size);
    fill(text, "num_hidden_layers", sizes.num_hidden_layers);
    fill(text, "num_attention_heads", sizes.num_attention_heads);
  }
  const char* const tie = "tie_word_embeddings";
  if (root.has(tie))
    text[tie] = config[tie];
  else if (!text.contains(tie))
    text[tie] = whole->ties;
  if (root.has("eos_token_id")) text["eos_token_id"] = config["eos_token_id"];
  return fmt::format(
      "The model also reads pictures ({}). Only its language model ({}) is opened: it answers as "
      "the whole model does to a text without pictures.",
      type, language);
}

LanguageWeights::LanguageWeights(std::unique_ptr<WeightSource> all) : all_(std::move(all)) {
  for (const std::string& name : all_->names()) {
    if (name.starts_with("lm_head.")) stored_.emplace(name, name);
    for (const auto& [prefix, own] : kPrefixes)
      if (name.starts_with(prefix))
        stored_.emplace(std::string(own) + name.substr(prefix.size()), name);
  }
}

std::vector<std::string> LanguageWeights::names() const {
  std::vector<std::string> names;
  for (const auto& [name, stored] : stored_) names.push_back(name);
  return names;
}

const TensorEntry* LanguageWeights::find(std::string_view name) const {
  const auto at = stored_.find(name);
  return at == stored_.end() ? nullptr : all_->find(at->second);
}

bool LanguageWeights::has_any(std::string_view beginning) const {
  const auto at = stored_.lower_bound(beginning);
  return at != stored_.end() && at->first.starts_with(beginning);
}

std::string LanguageWeights::stored_name(std::string_view name) const {
  const auto at = stored_.find(name);
  if (at != stored_.end()) return at->second;
  // A tensor that the files lack. For the message: the name that it has in newer files of most of
  // these types.
  return name.starts_with("model.")
             ? "model.language_model." + std::string(name.substr(std::string_view("model.").size()))
             : std::string(name);
}

}  // namespace attn
