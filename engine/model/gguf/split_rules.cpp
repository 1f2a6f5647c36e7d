// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/split_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"

namespace attn {
namespace {

using Json = nlohmann::json;

Json split(const char* pattern) {
  return {{"type", "Split"},
          {"pattern", {{"Regex", pattern}}},
          {"behavior", "Isolated"},
          {"invert", false}};
}
Json digits(bool each) {
  return {{"type", "Digits"}, {"individual_digits", each}};
}
// The step that writes bytes as letters. With `cuts_as_gpt2` it first cuts the text into words, by
// the rule of GPT-2.
Json bytes(bool cuts_as_gpt2) {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", false},
          {"trim_offsets", true},
          {"use_regex", cuts_as_gpt2}};
}

constexpr const char* kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kTekken =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr const char* kDeepSeek =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

const std::vector<SplitRule>& split_rules() {
  static const std::vector<SplitRule> rules = {
      {.names = {"gpt-2", "default", "mpt", "olmo", "phi-2", "jais", "jina-es", "jina-de",
                 "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum", "modern-bert",
                 "exaone4", "trillion"},
       .steps = Json::array({bytes(true)})},
      {.names = {"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0",
                 "lfm2"},
       .steps = {split(kLlama3), bytes(false)},
       .ignores_merges = true,
       .adds_bos = true},
      {.names = {"dbrx", "smaug-bpe", "chatglm-bpe", "glm4"},
       .steps = {split(kLlama3), bytes(false)}},
      {.names = {"qwen2", "deepseek-r1-qwen", "megrez", "kormo", "f2llmv2"},
       .steps = {split(kQwen2), bytes(false)},
       .has_nfc = true},
      {.names = {"stablelm2", "hunyuan", "solar-open"}, .steps = {split(kQwen2), bytes(false)}},
      {.names = {"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"},
       .steps = {digits(true), bytes(true)}},
      {.names = {"gpt-4o", "llama4", "kanana2"}, .steps = {split(kGpt4o), bytes(false)}},
      {.names = {"tekken"},
       .steps = {split(kTekken), bytes(false)},
       .ignores_merges = true,
       .adds_bos = true},
      {.names = {"falcon"},
       .steps = {{{"type", "Punctuation"}, {"behavior", "Contiguous"}},
                 bytes(true),
                 digits(false),
                 split("[0-9][0-9][0-9]")}},
      {.names = {"bloom", "gpt3-finnish"},
       .steps = {split(" ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+"),
                 bytes(false)}},
      {.names = {"deepseek-v3", "hunyuan-dense"},
       .steps = {split(R"(\p{N}{1,3})"), split("[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+"),
                 split(kDeepSeek), bytes(false)}},
      {.names = {"deepseek-coder"},
       .steps = {split("[\r\n]"), split(R"(\s?\p{L}+)"), split(R"(\s?\p{P}+)"),
                 split("[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+"), digits(true), bytes(false)}},
  };
  return rules;
}

// The members of a pre-tokenizer that decide where a text is cut, as one text for comparison.
std::string cuts_of(const Json& step) {
  const auto member = [&](const char* name, const char* otherwise) {
    const auto at = step.find(name);
    return ' ' + (at == step.end() ? std::string(otherwise) : at->dump());
  };
  const std::string type = member("type", "null");
  if (type == " \"ByteLevel\"")
    return type + member("use_regex", "true") + member("add_prefix_space", "true");
  if (type == " \"Digits\"") return type + member("individual_digits", "false");
  return type + member("pattern", "null") + member("behavior", "null") + member("invert", "false");
}
std::vector<std::string> cuts_of_all(const Json& steps) {
  std::vector<std::string> cuts;
  for (const Json& step : steps) cuts.push_back(cuts_of(step));
  return cuts;
}

}  // namespace

const SplitRule* find_split_rule(std::string_view name) {
  for (const SplitRule& rule : split_rules())
    if (std::ranges::find(rule.names, name) != rule.names.end()) return &rule;
  return nullptr;
}

std::string known_split_rules() {
  std::string names;
  for (const SplitRule& rule : split_rules())
    for (const char* name : rule.names)
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  return names;
}

std::string split_rule_of(const JsonAt& tokenizer) {
  const auto part = [](const JsonAt& of, const char* name) {
    const auto at = of.json().find(name);
    return at == of.json().end() || at->is_null() ? nullptr : &*at;
  };
  const Json *cutter = part(tokenizer, "pre_tokenizer"),
             *normalizer = part(tokenizer, "normalizer");
  std::vector<std::string> cuts;
  if (cutter && cutter->contains("pretokenizers"))
    cuts = cuts_of_all(cutter->at("pretokenizers"));
  else if (cutter)
    cuts.push_back(cuts_of(*cutter));
  const bool has_nfc = normalizer && normalizer->dump().find("\"NFC\"") != std::string::npos;
  const JsonAt model = tokenizer["model"];
  const bool ignores_merges = model.has("ignore_merges") && model["ignore_merges"].boolean();
  for (const SplitRule& rule : split_rules())
    if (rule.has_nfc == has_nfc && rule.ignores_merges == ignores_merges &&
        cuts_of_all(rule.steps) == cuts)
      return rule.names.front();
  tokenizer.not_supported(
      fmt::format("this way of cutting texts into words cannot be written{}{}",
                  has_nfc ? ", with composed letters (NFC)" : "",
                  ignores_merges ? ", with ignore_merges" : ""),
      cutter ? quote_text(cutter->dump(), 200) : "no pre_tokenizer",
      "that of GPT-2, Llama 3, Qwen 2, SmolLM, GPT-4o, Falcon, BLOOM, DeepSeek or Tekken");
}

}  // namespace attn
