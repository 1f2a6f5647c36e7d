// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/folder_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/model/files/json_at.h"
#include "engine/model/gguf/split_rules.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

using Json = nlohmann::json;

// The values of tokenizer.ggml.token_type.
constexpr int32_t kNormalToken = 1, kUnknownToken = 2, kControlToken = 3, kUserToken = 4,
                  kUnusedToken = 5, kByteToken = 6;

Json read_json(const std::filesystem::path& folder, const char* name) {
  return parse_json(read_text_file(folder / name, JsonLimits{}.max_bytes), name);
}

class VocabularyWriter {
 public:
  VocabularyWriter(const Json& document, const ModelCheck& check, GgufWriter& writer)
      : root_(document, "tokenizer.json"), check_(check), writer_(writer) {}

  void write(const Tokenizer& tokenizer) {
    const JsonAt model = root_["model"];
    if (!model.has("type") || model["type"].text() != "BPE")
      root_["model"].not_supported("this kind of tokenizer cannot be written",
                                   model.has("type") ? model["type"].shown() : "no type",
                                   "\"BPE\"");
    const auto count = static_cast<size_t>(check_.shape.vocab_size);
    tokens_.resize(count);
    kinds_.assign(count, kUnusedToken);
    const JsonAt vocabulary = model["vocab"];
    for (const auto& [token, id] : vocabulary.json().items())
      put(id.get<size_t>(), token, kNormalToken);
    if (root_.has("added_tokens")) {
      const JsonAt list = root_["added_tokens"];
      for (const Json& added : list.json())
        put(added["id"].get<size_t>(), added["content"].get<std::string>(),
            added.value("special", false) ? kControlToken : kUserToken);
    }
    for (size_t id = 0; id < count; ++id)
      if (kinds_[id] == kUnusedToken) tokens_[id] = fmt::format("[PAD{}]", id);
    const bool is_sentence_piece = model.has("byte_fallback") && model["byte_fallback"].boolean();
    if (is_sentence_piece)
      write_sentence_piece(model);
    else
      write_byte_level(model);
    writer_.texts("tokenizer.ggml.tokens", tokens_);
    writer_.kinds("tokenizer.ggml.token_type", kinds_);
    const std::vector<int32_t> empty = tokenizer.encode("");
    writer_.flag("tokenizer.ggml.add_bos_token", !empty.empty());
    if (!empty.empty()) writer_.u32("tokenizer.ggml.bos_token_id", empty.front());
    const char* const ends[] = {"eos", "eot", "eom"};
    for (size_t i = 0; i < std::min<size_t>(std::size(ends), check_.stop_tokens.size()); ++i)
      writer_.u32(fmt::format("tokenizer.ggml.{}_token_id", ends[i]), check_.stop_tokens[i]);
  }

 private:
  void put(size_t id, const std::string& token, int32_t kind) {
    if (id >= tokens_.size()) return;  // added past the vocabulary of the model
    tokens_[id] = token;
    kinds_[id] = kind;
  }

  // The merges as "a b"; newer files have lists of two.
  std::vector<std::string> merges_of(const JsonAt& model) const {
    std::vector<std::string> merges;
    const JsonAt list = model["merges"];
    for (const Json& merge : list.json())
      merges.push_back(merge.is_string()
                           ? merge.get<std::string>()
                           : merge[0].get<std::string>() + " " + merge[1].get<std::string>());
    return merges;
  }

  void write_sentence_piece(const JsonAt& model) {
    writer_.text("tokenizer.ggml.model", "llama");
    const std::vector<std::string> merges = merges_of(model);
    // A merge that comes earlier gives a token with a higher score.
    std::unordered_map<std::string, size_t> rank;
    for (size_t i = 0; i < merges.size(); ++i) {
      std::string whole = merges[i];
      whole.erase(whole.find(' ', 1), 1);
      rank.try_emplace(std::move(whole), i);
    }
    std::vector<float> scores;
    for (size_t id = 0; id < tokens_.size(); ++id) {
      const auto place = rank.find(tokens_[id]);
      scores.push_back(
          -static_cast<float>(place == rank.end() ? merges.size() + id : place->second));
      if (tokens_[id].size() == 6 && tokens_[id].starts_with("<0x")) kinds_[id] = kByteToken;
    }
    if (model.has("unk_token"))
      for (size_t id = 0; id < tokens_.size(); ++id)
        if (tokens_[id] == model["unk_token"].text()) {
          kinds_[id] = kUnknownToken;
          writer_.u32("tokenizer.ggml.unknown_token_id", static_cast<int64_t>(id));
        }
    writer_.numbers("tokenizer.ggml.scores", scores);
    const std::string steps = root_.has("normalizer") ? root_["normalizer"].json().dump() : "";
    const bool has_metaspace =
        root_.has("pre_tokenizer") &&
        root_["pre_tokenizer"].json().value("prepend_scheme", "never") != std::string("never");
    writer_.flag("tokenizer.ggml.add_space_prefix",
                 has_metaspace || steps.find("\"Prepend\"") != std::string::npos);
  }

  void write_byte_level(const JsonAt& model) {
    writer_.text("tokenizer.ggml.model", "gpt2");
    writer_.text("tokenizer.ggml.pre", split_rule_of(root_));
    writer_.texts("tokenizer.ggml.merges", merges_of(model));
  }

  JsonAt root_;
  const ModelCheck& check_;
  GgufWriter& writer_;
  std::vector<std::string> tokens_;
  std::vector<int32_t> kinds_;
};

}  // namespace

const GgufArchitecture& write_folder_metadata(const std::filesystem::path& folder,
                                              const ModelCheck& check, GgufWriter& writer) {
  Json config = read_json(folder, "config.json");
  const TakenApart apart(config);
  const JsonAt root(config, "config.json");
  const std::string type = root.has("model_type") ? root["model_type"].text() : "llama";
  if (type != "llama" && type != "mistral" && type != "qwen2" && type != "qwen3")
    root["model_type"].not_supported("models of this family cannot be written as GGUF",
                                     root["model_type"].shown(),
                                     "\"llama\", \"mistral\", \"qwen2\", \"qwen3\"");
  const GgufArchitecture& architecture = *architecture_named(type == "mistral" ? "llama" : type);
  for (const char* key : {"rope_scaling", "rope_parameters"})
    if (root.has(key) && root[key].json().is_object()) {
      const JsonAt rope = root[key];
      const char* const kind = rope.has("rope_type") ? "rope_type" : "type";
      if (rope.has(kind) && rope[kind].text() != "default")
        rope[kind].not_supported("scaled rotary positions cannot be written as GGUF",
                                 rope[kind].shown(), "\"default\"");
    }
  const auto key = [&](const char* name) { return fmt::format("{}.{}", architecture.name, name); };
  const SourceShape& shape = check.shape;
  writer.text("general.architecture", architecture.name);
  writer.text("general.name", shape.name);
  writer.u32(key("vocab_size"), shape.vocab_size);
  writer.u32(key("context_length"), root.has("max_position_embeddings")
                                        ? root["max_position_embeddings"].whole(1, int64_t{1} << 31)
                                        : shape.max_model_len);
  writer.u32(key("embedding_length"), root["hidden_size"].whole(1, int64_t{1} << 31));
  writer.u32(key("block_count"), shape.num_layers);
  writer.u32(key("feed_forward_length"), root["intermediate_size"].whole(1, int64_t{1} << 31));
  writer.u32(key("attention.head_count"), shape.num_heads);
  writer.u32(key("attention.head_count_kv"), shape.num_kv_heads);
  writer.u32(key("attention.key_length"), shape.head_size);
  writer.u32(key("attention.value_length"), shape.head_size);
  writer.u32(key("rope.dimension_count"), shape.head_size);
  writer.f32(key("attention.layer_norm_rms_epsilon"),
             root.has("rms_norm_eps") ? root["rms_norm_eps"].number(0, 1) : 1e-6);
  const bool in_rope = root.has("rope_parameters") && root["rope_parameters"].has("rope_theta");
  const JsonAt holder = in_rope ? root["rope_parameters"] : root;
  writer.f32(key("rope.freq_base"),
             holder.has("rope_theta") ? holder["rope_theta"].number(1e-3, 1e12) : 10000);
  if (type == "mistral" && root.has("sliding_window"))
    writer.u32(key("attention.sliding_window"),
               root["sliding_window"].whole(1, (int64_t{1} << 32) - 1));
  Json tokenizer = read_json(folder, "tokenizer.json");
  const TakenApart tokenizer_apart(tokenizer);
  VocabularyWriter(tokenizer, check, writer).write(load_tokenizer(folder));
  return architecture;
}

void check_same_tokens(const Tokenizer& before, const Tokenizer& after, const std::string& where) {
  for (const char* text :
       {"", "Once upon a time", " Hello  world", "it's 2024, isn't it?\n\n\tYes!", "x=[1234567];",
        "Gr\xC3\xBC\xC3\x9F"
        "e \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80"})
    if (before.encode(text) != after.encode(text))
      throw Error(ErrorCode::kNotSupported,
                  {"the tokenizer cannot be written as GGUF", where,
                   fmt::format("other tokens for {}", quote_text(text)), "the same tokens", ""});
}

}  // namespace attn
