// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the tokenizer of a Hugging Face folder. Where its tokenizer_class is LlamaTokenizer (or
// LlamaTokenizerFast), transformers 5 does not use tokenizer.json as it is: the class takes
// vocabulary, merges and post-processor from it and makes the rest itself, so " Hello" becomes
// other tokens than by the file alone. Here the JSON document is changed in the same way before it
// is parsed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxConfigBytes = size_t{64} << 20;  // room for a chat template and added tokens
constexpr const char* kMark = "\u2581";

// Keys that name the token for a purpose (begin of a text, padding, ...), in the order in which the
// class adds them.
constexpr std::array kNamedTokens = {"bos_token", "eos_token", "unk_token", "sep_token",
                                     "pad_token", "cls_token", "mask_token"};

bool is_named(const std::string& key) {
  return std::find(kNamedTokens.begin(), kNamedTokens.end(), key) != kNamedTokens.end();
}

// A small JSON file of the folder; an empty object where there is none.
class FolderFile {
 public:
  FolderFile(const std::filesystem::path& folder, const char* name) : FolderFile(name) {
    if (has_entry(folder / name))
      json_ = parse_json(read_text_file(folder / name, kMaxConfigBytes), name,
                         {.max_bytes = kMaxConfigBytes});
    root().expect_object();
  }
  ~FolderFile() { take_apart(json_); }
  FolderFile(const FolderFile&) = delete;
  FolderFile& operator=(const FolderFile&) = delete;
  JsonAt root() const { return {json_, name_}; }

 private:
  // The other constructor delegates to this one, so that the destructor runs when it throws.
  explicit FolderFile(const char* name) : name_(name) {}

  Json json_ = Json::object();
  std::string name_;
};

// The added tokens of the rebuilt tokenizer, in the order in which they get their ids.
class AddedTokens {
 public:
  bool has(const std::string& content) const { return places_.contains(content); }
  // `at` is the token's text or an object. A later token with the same text replaces an earlier
  // one.
  void set(const JsonAt& at, bool is_special) {
    Json token = {{"content", at.json().is_object() ? at["content"].text() : at.text()},
                  {"special", is_special}};
    if (at.json().is_object()) {
      const auto flag = [&](const char* key) { return at.has(key) && at[key].boolean(); };
      token["single_word"] = flag("single_word");
      token["lstrip"] = flag("lstrip");
      token["rstrip"] = flag("rstrip");
      token["special"] = is_special || flag("special");
      token["normalized"] = at.has("normalized") ? at["normalized"].boolean() : !token["special"];
    }
    const std::string content = token["content"];
    const auto [place, is_new] = places_.try_emplace(content, tokens_.size());
    if (is_new)
      tokens_.push_back(std::move(token));
    else
      tokens_[place->second] = std::move(token);
  }
  // Sets the flag "special" of the token that a key such as bos_token names, or adds that token
  // with the flag where it is missing.
  void name(const JsonAt& at) {
    const JsonAt text = at.json().is_object() ? at["content"] : at;
    const std::string& content = text.text();
    if (const auto place = places_.find(content); place != places_.end())
      tokens_[place->second]["special"] = true;
    else
      set(at, true);
  }
  void name(const char* content) {
    const Json text = content;
    name(JsonAt(text, "LlamaTokenizer"));
  }
  // The tokens with their ids: those of the vocabulary, or for new tokens the next ids after it.
  Json list(const Json& vocab) && {
    Json list = Json::array();
    size_t next = vocab.size();
    for (Json& token : tokens_) {
      const auto known = vocab.find(token["content"].get_ref<const std::string&>());
      token["id"] = known != vocab.end() ? *known : Json(next++);
      list.push_back(std::move(token));
    }
    return list;
  }

 private:
  std::vector<Json> tokens_;
  std::map<std::string, size_t, std::less<>> places_;
};

// The entries of an object {"id": token}, sorted by id.
std::map<int64_t, JsonAt> by_id(const JsonAt& at) {
  at.expect_object();
  std::map<int64_t, JsonAt> entries;
  for (const auto& [key, value] : at.json().items()) {
    int64_t id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc{} || end != key.data() + key.size() || id < 0 || id >= kMostVocabulary)
      at[key].refuse("token id is not valid", quote_text(key),
                     fmt::format("0 to {}", kMostVocabulary - 1));
    entries.emplace(id, at[key]);
  }
  return entries;
}

class LlamaClass {
 public:
  LlamaClass(const std::filesystem::path& folder, const FolderFile& config)
      : config_(config.root()),
        special_(folder, "special_tokens_map.json"),
        added_(folder, "added_tokens.json") {}

  void rebuild(Json& document) const {
    const JsonAt file(document, "tokenizer.json");
    file.expect_object();
    file["model"].expect_object();
    if (flag("split_special_tokens", false))
      config_["split_special_tokens"].not_supported("tokenizer option is not supported", "true",
                                                    "false");
    Json& model = document["model"];
    if (model.contains("vocab") && model["vocab"].is_object())
      document["added_tokens"] = added_tokens(file).list(model["vocab"]);
    model["fuse_unk"] = model["byte_fallback"] = true;
    for (const char* key : {"unk_token", "dropout", "ignore_merges", "continuing_subword_prefix",
                            "end_of_word_suffix"})
      model.erase(key);
    const bool has_prefix = flag("add_prefix_space", true);
    document["normalizer"] = nullptr;
    document["pre_tokenizer"] = {{"type", "Metaspace"},
                                 {"replacement", kMark},
                                 {"prepend_scheme", !has_prefix             ? "never"
                                                    : flag("legacy", false) ? "always"
                                                                            : "first"},
                                 {"split", false}};
    Json steps = {{{"type", "Replace"}, {"pattern", {{"String", kMark}}}, {"content", " "}},
                  {{"type", "ByteFallback"}},
                  {{"type", "Fuse"}}};
    if (has_prefix)
      steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
    document["decoder"] = {{"type", "Sequence"}, {"decoders", std::move(steps)}};
  }

 private:
  bool flag(const char* key, bool otherwise) const {
    return config_.has(key) ? config_[key].boolean() : otherwise;
  }

  AddedTokens added_tokens(const JsonAt& file) const {
    AddedTokens tokens;
    const bool is_listed = config_.has("added_tokens_decoder");
    const JsonAt special = special_.root();
    if (is_listed) {
      for (const auto& [id, token] : by_id(config_["added_tokens_decoder"])) {
        token.expect_object();
        tokens.set(token, false);
      }
    } else {
      add_older(file, tokens);
    }
    // Where the config lists the added tokens, special_tokens_map.json of older versions is
    // ignored.
    const auto find = [&](const char* key) -> std::optional<JsonAt> {
      if (!is_listed && special.json().contains(key)) return special[key];
      if (config_.json().contains(key)) return config_[key];
      return std::nullopt;
    };
    for (const char* key : kNamedTokens) {
      const std::string_view name = key;
      if (const auto token = find(key)) {
        if (!token->is_null()) tokens.name(*token);
      } else if (name == "bos_token" || name == "eos_token" || name == "unk_token") {
        tokens.name(name == "bos_token" ? "<s>" : name == "eos_token" ? "</s>" : "<unk>");
      }
    }
    for (const auto& [key, value] : config_.json().items())
      if (key.ends_with("_token") && value.is_string() && !is_named(key)) tokens.name(config_[key]);
    const auto name_all = [&](const JsonAt& at, const char* key) {
      if (!at.has(key) || at[key].size() == 0) return false;
      const JsonAt list = at[key];
      if (list.json().is_object()) {
        for (const auto& [name, value] : list.json().items()) tokens.name(list[name]);
      } else {
        list.expect_array();
        for (size_t i = 0; i < list.size(); ++i) tokens.name(list.item(i));
      }
      return true;
    };
    bool has_more =
        name_all(config_, "extra_special_tokens") || name_all(config_, "additional_special_tokens");
    if (!is_listed) {
      has_more = name_all(special, "extra_special_tokens") || has_more;
      if (!has_more) name_all(special, "additional_special_tokens");
    }
    return tokens;
  }

  // Older folders, whose tokenizer_config.json does not list the added tokens, have them in
  // added_tokens.json and tokenizer.json. For the same id, tokenizer.json wins.
  void add_older(const JsonAt& file, AddedTokens& tokens) const {
    std::map<int64_t, JsonAt> entries;
    const JsonAt added = added_.root();
    std::vector<Json> older;  // `entries` points into these
    older.reserve(added.size());
    for (const auto& [content, id] : added.json().items()) {
      older.push_back(content);
      entries.insert_or_assign(added[content].whole(0, kMostVocabulary - 1),
                               JsonAt(older.back(), "added_tokens.json"));
    }
    if (file.has("added_tokens")) {
      const JsonAt list = file["added_tokens"];
      list.expect_array();
      for (size_t i = 0; i < list.size(); ++i)
        entries.insert_or_assign(list.item(i)["id"].whole(0, kMostVocabulary - 1), list.item(i));
    }
    for (const auto& [id, token] : entries) tokens.set(token, false);
  }

  JsonAt config_;
  FolderFile special_, added_;
};

// Whether transformers 5 uses its class LlamaTokenizer for the tokenizer.json of this folder.
bool is_llama_class(const JsonAt& config, const JsonAt& model_config, std::string_view file) {
  // Other model families have their own class or use the file as it is.
  if (model_config.has("model_type") && model_config["model_type"].text() != "llama") return false;
  const JsonAt& at = config.has("tokenizer_class") ? config : model_config;
  if (!at.has("tokenizer_class")) return false;
  std::string_view name = at["tokenizer_class"].text();
  if (name.ends_with("Fast")) name.remove_suffix(4);
  // Folders of Llama 3 name the class too; transformers recognises them by this word in the file.
  return name == "LlamaTokenizer" && file.find("\"ByteLevel\"") == std::string_view::npos;
}

}  // namespace

Tokenizer Tokenizer::load_folder(const std::filesystem::path& folder) {
  const char* const name = "tokenizer.json";
  const std::string text = read_text_file(folder / name, JsonLimits{}.max_bytes);
  Json document = parse_json(text, name, kLimits);
  const TakenApart apart(document);
  const FolderFile config(folder, "tokenizer_config.json"), model_config(folder, "config.json");
  if (is_llama_class(config.root(), model_config.root(), text))
    LlamaClass(folder, config).rebuild(document);
  return from_json(document, name);
}

}  // namespace attn
