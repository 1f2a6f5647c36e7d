// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the tokenizer of a Hugging Face folder. Where its tokenizer_class is LlamaTokenizer,
// GPT2Tokenizer, RobertaTokenizer, Qwen2Tokenizer, GemmaTokenizer or BertTokenizer (with or without
// "Fast") and this is the class of its family, transformers 5 does not use tokenizer.json as it is:
// the class takes vocabulary, merges and post-processor from it and makes the rest itself, so "
// Hello" becomes other tokens than by the file alone. Here the JSON document is changed in the same
// way before it is parsed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/folder_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer.h"

namespace attn {
namespace {

using Json = nlohmann::json;

constexpr const char* kMark = "\u2581";
constexpr const char* kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Keys that name the token for a purpose (begin of a text, padding, ...), in the order in which the
// class adds them.
constexpr std::array kNamedTokens = {"bos_token", "eos_token", "unk_token", "sep_token",
                                     "pad_token", "cls_token", "mask_token"};

bool is_named(const std::string& key) {
  return std::find(kNamedTokens.begin(), kNamedTokens.end(), key) != kNamedTokens.end();
}

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
    name(JsonAt(text, "the class of the tokenizer"));
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

// A class of transformers that builds its tokenizer itself.
struct TokenizerClass {
  const char* name;  // without "Fast"
  // The token for each purpose, where the files name none; nullptr: the class has none either.
  const char *bos, *eos, *unknown, *separator, *padding, *classifier, *mask;
};

constexpr std::array kClasses = {
    TokenizerClass{"LlamaTokenizer", "<s>", "</s>", "<unk>", nullptr, nullptr, nullptr, nullptr},
    TokenizerClass{"GPT2Tokenizer", "<|endoftext|>", "<|endoftext|>", "<|endoftext|>", nullptr,
                   nullptr, nullptr, nullptr},
    TokenizerClass{"RobertaTokenizer", "<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
    TokenizerClass{"Qwen2Tokenizer", nullptr, "<|endoftext|>", "<|endoftext|>", nullptr,
                   "<|endoftext|>", nullptr, nullptr},
    TokenizerClass{"GemmaTokenizer", "<bos>", "<eos>", "<unk>", nullptr, "<pad>", nullptr,
                   "<mask>"},
    TokenizerClass{"BertTokenizer", nullptr, nullptr, "[UNK]", "[SEP]", "[PAD]", "[CLS]",
                   "[MASK]"}};

class RebuiltTokenizer {
 public:
  RebuiltTokenizer(const TokenizerClass& type, const std::filesystem::path& folder,
                   const FolderFile& config)
      : type_(type),
        config_(config.root()),
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
    const std::string_view name = type_.name;
    for (const char* key : {"dropout", "ignore_merges", "continuing_subword_prefix",
                            "end_of_word_suffix", "unk_token"})
      if (name != "BertTokenizer") model.erase(key);
    if (name == "LlamaTokenizer")
      build_llama(document);
    else if (name == "GPT2Tokenizer")
      build_gpt2(document);
    else if (name == "RobertaTokenizer")
      build_roberta(document);
    else if (name == "Qwen2Tokenizer")
      build_qwen2(document);
    else if (name == "GemmaTokenizer")
      build_gemma(document);
    else
      build_bert(document);
  }

 private:
  void build_llama(Json& document) const {
    Json& model = document["model"];
    model["fuse_unk"] = model["byte_fallback"] = true;
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

  void build_gpt2(Json& document) const {
    document["model"]["fuse_unk"] = document["model"]["byte_fallback"] = false;
    document["normalizer"] = nullptr;
    document["pre_tokenizer"] = {{"type", "ByteLevel"},
                                 {"add_prefix_space", flag("add_prefix_space", false)}};
    document["decoder"] = {{"type", "ByteLevel"}};
  }

  void build_roberta(Json& document) const {
    build_gpt2(document);
    put_around(document);
  }

  // The tokens cls and sep around a text.
  void put_around(Json& document) const {
    const Json& vocab = document["model"]["vocab"];
    const auto token = [&](const char* key) {
      const std::string text = named(key).value_or("");
      for (const Json& added : document["added_tokens"])
        if (added["content"] == text) return Json{text, added["id"]};
      return Json{text, vocab.contains(text) ? vocab[text] : Json(0)};
    };
    document["post_processor"] = {
        {"type", "BertProcessing"}, {"cls", token("cls_token")}, {"sep", token("sep_token")}};
  }

  void build_qwen2(Json& document) const {
    document["model"]["fuse_unk"] = document["model"]["byte_fallback"] = false;
    document["normalizer"] = {{"type", "NFC"}};
    const Json split = {{"type", "Split"},
                        {"pattern", {{"Regex", kQwen2Pattern}}},
                        {"behavior", "Isolated"},
                        {"invert", false}};
    const Json bytes = {{"type", "ByteLevel"},
                        {"add_prefix_space", flag("add_prefix_space", false)},
                        {"use_regex", false}};
    document["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", {split, bytes}}};
    document["decoder"] = {{"type", "ByteLevel"}};
  }

  void build_gemma(Json& document) const {
    Json& model = document["model"];
    model["fuse_unk"] = model["byte_fallback"] = true;
    if (const auto unknown = named("unk_token")) model["unk_token"] = *unknown;
    document["normalizer"] = {
        {"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", kMark}};
    document["pre_tokenizer"] = {{"type", "Split"},
                                 {"pattern", {{"String", " "}}},
                                 {"behavior", "MergedWithPrevious"},
                                 {"invert", false}};
    const Json spaces = {{"type", "Replace"}, {"pattern", {{"String", kMark}}}, {"content", " "}};
    document["decoder"] = {{"type", "Sequence"},
                           {"decoders", {spaces, {{"type", "ByteFallback"}}, {{"type", "Fuse"}}}}};
  }

  void build_bert(Json& document) const {
    Json& model = document["model"];
    model["type"] = "WordPiece";
    model["continuing_subword_prefix"] = "##";
    model["max_input_chars_per_word"] = 100;
    if (const auto unknown = named("unk_token")) model["unk_token"] = *unknown;
    const bool has_accents_key = config_.has("strip_accents");
    document["normalizer"] = {{"type", "BertNormalizer"},
                              {"clean_text", true},
                              {"handle_chinese_chars", flag("tokenize_chinese_chars", true)},
                              {"strip_accents", nullptr},
                              {"lowercase", flag("do_lower_case", true)}};
    if (has_accents_key) document["normalizer"]["strip_accents"] = flag("strip_accents", true);
    document["pre_tokenizer"] = {{"type", "BertPreTokenizer"}};
    document["decoder"] = {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
    put_around(document);
  }

  bool flag(const char* key, bool otherwise) const {
    return config_.has(key) ? config_[key].boolean() : otherwise;
  }

  const char* default_of(std::string_view key) const {
    return key == "bos_token"   ? type_.bos
           : key == "eos_token" ? type_.eos
           : key == "unk_token" ? type_.unknown
           : key == "sep_token" ? type_.separator
           : key == "pad_token" ? type_.padding
           : key == "cls_token" ? type_.classifier
                                : type_.mask;
  }

  // The token for a purpose as the files name it. Where the config lists the added tokens,
  // special_tokens_map.json of older versions is ignored.
  std::optional<JsonAt> find(const char* key) const {
    const JsonAt special = special_.root();
    if (!config_.has("added_tokens_decoder") && special.json().contains(key)) return special[key];
    if (config_.json().contains(key)) return config_[key];
    return std::nullopt;
  }

  // The text of the token for a purpose.
  std::optional<std::string> named(const char* key) const {
    if (const auto at = find(key)) {
      if (at->is_null()) return std::nullopt;
      return at->json().is_object() ? (*at)["content"].text() : at->text();
    }
    const char* otherwise = default_of(key);
    return otherwise ? std::optional<std::string>(otherwise) : std::nullopt;
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
    for (const char* key : kNamedTokens) {
      const std::string_view name = key;
      if (const auto token = find(key)) {
        if (!token->is_null()) tokens.name(*token);
      } else if (const char* otherwise = default_of(name)) {
        tokens.name(otherwise);
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

  const TokenizerClass& type_;
  JsonAt config_;
  FolderFile special_, added_;
};

// The families whose folders transformers 5 reads by a class of its own, and that class. For others
// it has another class or uses the file as it is.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kFamilies = {
    {{"llama", "LlamaTokenizer"},
     {"gpt2", "GPT2Tokenizer"},
     {"gpt_neo", "GPT2Tokenizer"},
     {"opt", "GPT2Tokenizer"},
     {"roberta", "RobertaTokenizer"},
     {"bart", "RobertaTokenizer"},
     {"qwen2", "Qwen2Tokenizer"},
     {"qwen3", "Qwen2Tokenizer"},
     {"gemma", "GemmaTokenizer"},
     {"gemma2", "GemmaTokenizer"},
     {"bert", "BertTokenizer"},
     {"distilbert", "BertTokenizer"},
     {"electra", "BertTokenizer"}}};

// The class that transformers 5 uses for the tokenizer.json of this folder; nullptr: the file as
// it is.
const TokenizerClass* class_of(const JsonAt& config, const JsonAt& model_config,
                               std::string_view file) {
  const JsonAt& at = config.has("tokenizer_class") ? config : model_config;
  if (!at.has("tokenizer_class")) return nullptr;
  std::string_view name = at["tokenizer_class"].text();
  if (name.ends_with("Fast")) name.remove_suffix(4);
  const std::string_view family = model_config.has("model_type")
                                      ? std::string_view(model_config["model_type"].text())
                                      : "llama";
  const auto usual = std::find_if(kFamilies.begin(), kFamilies.end(),
                                  [&](const auto& entry) { return entry.first == family; });
  if (usual == kFamilies.end() || usual->second != name) return nullptr;
  // Folders of Llama 3 name the class too; transformers recognises them by this word in the file.
  if (name == "LlamaTokenizer" && file.find("\"ByteLevel\"") != std::string_view::npos)
    return nullptr;
  const auto type = std::find_if(kClasses.begin(), kClasses.end(),
                                 [&](const TokenizerClass& known) { return known.name == name; });
  return &*type;
}

}  // namespace

Tokenizer Tokenizer::load_folder(const std::filesystem::path& folder) {
  const char* const name = "tokenizer.json";
  if (!has_entry(folder / name)) {
    if (std::optional<Tokenizer> pieces = tokenizer_of_pieces(folder)) return *std::move(pieces);
    throw_bad_input({"tokenizer is missing", folder / name, found_at(folder / name),
                     "tokenizer.json, or model files of SentencePiece: source.spm and target.spm "
                     "with vocab.json, spiece.model, or tokenizer.model",
                     ""});
  }
  const std::string text = read_text_file(folder / name, JsonLimits{}.max_bytes);
  Json document = parse_json(text, name, kLimits);
  const TakenApart apart(document);
  const FolderFile config(folder, "tokenizer_config.json"), model_config(folder, "config.json");
  if (const TokenizerClass* type = class_of(config.root(), model_config.root(), text))
    RebuiltTokenizer(*type, folder, config).rebuild(document);
  return from_json(document, name);
}

}  // namespace attn
