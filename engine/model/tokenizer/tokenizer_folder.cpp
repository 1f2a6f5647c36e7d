// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the tokenizer of a Hugging Face folder. For the classes and families of kFamilies,
// transformers 5 takes the vocabulary and the merges from tokenizer.json and makes most of the rest
// itself. Here the JSON document is changed in the same way before tokenizer_from_json() reads it.
#include "engine/model/tokenizer/tokenizer_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
#include "engine/model/tokenizer/tokenizer_parse.h"

namespace attn {
namespace {

using Json = nlohmann::json;

constexpr const char* kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

bool is_named(const std::string& key) {
  return std::find(kNamedTokens.begin(), kNamedTokens.end(), key) != kNamedTokens.end();
}

struct ListedTokenFlags {
  bool single_word = false, lstrip = false, rstrip = false, normalized = false;
};
struct ListedToken {
  std::string content;
  bool special = false;
  std::optional<ListedTokenFlags> flags = std::nullopt;  // of a token that is an object
};

// The added tokens of the rebuilt tokenizer. New ones get their ids in this order.
class AddedTokens {
 public:
  // `at` is the token's text or an object. A later token with the same text replaces an earlier
  // one.
  void set(const JsonAt& at, bool is_special) {
    if (!at.json().is_object()) return set({.content = at.text(), .special = is_special});
    const auto flag = [&](const char* key) { return at.has(key) && at[key].boolean(); };
    ListedToken token{.content = at["content"].text(),
                      .special = is_special || flag("special"),
                      .flags = ListedTokenFlags{.single_word = flag("single_word"),
                                                .lstrip = flag("lstrip"),
                                                .rstrip = flag("rstrip")}};
    token.flags->normalized = at.has("normalized") ? at["normalized"].boolean() : !token.special;
    set(std::move(token));
  }
  // Sets the flag "special" of the token that a key such as bos_token names, or adds that token
  // with the flag where it is missing.
  void name(const JsonAt& at) {
    const JsonAt text = at.json().is_object() ? at["content"] : at;
    if (!make_special(text.text())) set(at, true);
  }
  void name(const char* content) {
    if (!make_special(content)) set({.content = content, .special = true});
  }
  // Writes the tokens with their ids: those of the vocabulary, or for new tokens the next ids after
  // it.
  void list(const Json& vocab, Json& list) const {
    replace_json(list, Json::array());
    size_t next = vocab.size();
    for (const ListedToken& token : tokens_) {
      Json& item = list.emplace_back(Json::value_t::object);
      item["content"] = token.content;
      item["special"] = token.special;
      if (token.flags) {
        item["single_word"] = token.flags->single_word;
        item["lstrip"] = token.flags->lstrip;
        item["rstrip"] = token.flags->rstrip;
        item["normalized"] = token.flags->normalized;
      }
      put_id(vocab, token.content, next, item["id"]);
    }
  }

 private:
  void set(ListedToken token) {
    const auto [place, is_new] = places_.try_emplace(token.content, tokens_.size());
    if (is_new)
      tokens_.push_back(std::move(token));
    else
      tokens_[place->second] = std::move(token);
  }
  bool make_special(const std::string& content) {
    const auto place = places_.find(content);
    if (place != places_.end()) tokens_[place->second].special = true;
    return place != places_.end();
  }
  static void put_id(const Json& vocab, const std::string& content, size_t& next, Json& id) {
    const auto known = vocab.find(content);
    if (known == vocab.end())
      id = next++;
    else if (known->is_number())  // other values are refused when the document is parsed
      id = *known;
  }

  std::vector<ListedToken> tokens_;
  std::map<std::string, size_t, std::less<>> places_;
};

// A class of transformers that builds its tokenizer itself.
struct TokenizerClass {
  const char* name;  // without the ending "Fast"
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
      added_tokens(file).list(model["vocab"], document["added_tokens"]);
    const std::string_view name = type_.name;
    for (const char* key : {"dropout", "ignore_merges", "continuing_subword_prefix",
                            "end_of_word_suffix", "unk_token"})
      if (name != "BertTokenizer" && model.contains(key)) {
        take_apart(model[key]);
        model.erase(key);
      }
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
  // Replaces the part of the document under `key` by this JSON text, and returns the part.
  static Json& put(Json& document, const char* key, std::string_view text) {
    Json& part = document[key];
    replace_json(part, parse_json(text, "a part of the tokenizer"));
    return part;
  }
  static void set_bytes(Json& document, bool fuse_unknown, bool byte_fallback) {
    replace_json(document["model"]["fuse_unk"], fuse_unknown);
    replace_json(document["model"]["byte_fallback"], byte_fallback);
  }

  void build_llama(Json& document) const {
    set_bytes(document, true, true);
    const bool has_prefix = flag("add_prefix_space", true);
    put(document, "normalizer", "null");
    put(document, "pre_tokenizer",
        R"({"type": "Metaspace", "replacement": "\u2581", "split": false})")["prepend_scheme"] =
        !has_prefix             ? "never"
        : flag("legacy", false) ? "always"
                                : "first";
    put(document, "decoder",
        has_prefix ? R"({"type": "Sequence", "decoders": [
          {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
          {"type": "ByteFallback"}, {"type": "Fuse"},
          {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})"
                   : R"({"type": "Sequence", "decoders": [
          {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
          {"type": "ByteFallback"}, {"type": "Fuse"}]})");
  }

  void build_gpt2(Json& document) const {
    set_bytes(document, false, false);
    put(document, "normalizer", "null");
    put(document, "pre_tokenizer", R"({"type": "ByteLevel"})")["add_prefix_space"] =
        flag("add_prefix_space", false);
    put(document, "decoder", R"({"type": "ByteLevel"})");
  }

  void build_roberta(Json& document) const {
    build_gpt2(document);
    put_around(document);
  }

  void put_around(Json& document) const {
    Json& around = put(document, "post_processor", R"({"type": "BertProcessing"})");
    for (const auto& [key, end] : {std::pair("cls_token", "cls"), {"sep_token", "sep"}}) {
      const std::string text = named(key).value_or("");
      Json& token = around[end];
      token = Json::array();
      token.push_back(text);
      put_id_of(document, text, token.emplace_back());
    }
  }
  static const std::string* text_in(const Json& value, const char* key) {
    const auto at = value.find(key);
    return at == value.end() || !at->is_string() ? nullptr : at->get_ptr<const std::string*>();
  }
  static void put_id_of(const Json& document, const std::string& text, Json& id) {
    if (const auto list = document.find("added_tokens"); list != document.end())
      for (const Json& added : *list)
        if (const std::string* content = text_in(added, "content"); content && *content == text) {
          if (added.contains("id") && added["id"].is_number()) id = added["id"];
          return;
        }
    id = 0;
    const Json& model = document["model"];
    const auto vocab = model.find("vocab");
    if (vocab == model.end()) return;
    if (const auto known = vocab->find(text); known != vocab->end() && known->is_number())
      id = *known;
  }

  void build_qwen2(Json& document) const {
    set_bytes(document, false, false);
    put(document, "normalizer", R"({"type": "NFC"})");
    Json& steps = put(document, "pre_tokenizer", R"({"type": "Sequence", "pretokenizers": [
          {"type": "Split", "pattern": {}, "behavior": "Isolated", "invert": false},
          {"type": "ByteLevel", "use_regex": false}]})")["pretokenizers"];
    steps[0]["pattern"]["Regex"] = kQwen2Pattern;
    steps[1]["add_prefix_space"] = flag("add_prefix_space", false);
    put(document, "decoder", R"({"type": "ByteLevel"})");
  }

  void build_gemma(Json& document) const {
    set_bytes(document, true, true);
    if (const auto unknown = named("unk_token")) document["model"]["unk_token"] = *unknown;
    put(document, "normalizer",
        R"({"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"})");
    put(document, "pre_tokenizer", R"({"type": "Split", "pattern": {"String": " "},
      "behavior": "MergedWithPrevious", "invert": false})");
    put(document, "decoder", R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
      {"type": "ByteFallback"}, {"type": "Fuse"}]})");
  }

  void build_bert(Json& document) const {
    Json& model = document["model"];
    replace_json(model["type"], "WordPiece");
    replace_json(model["continuing_subword_prefix"], "##");
    replace_json(model["max_input_chars_per_word"], 100);
    if (const auto unknown = named("unk_token")) replace_json(model["unk_token"], *unknown);
    Json& normalizer =
        put(document, "normalizer",
            R"({"type": "BertNormalizer", "clean_text": true, "strip_accents": null})");
    normalizer["handle_chinese_chars"] = flag("tokenize_chinese_chars", true);
    normalizer["lowercase"] = flag("do_lower_case", true);
    if (config_.has("strip_accents")) normalizer["strip_accents"] = flag("strip_accents", true);
    put(document, "pre_tokenizer", R"({"type": "BertPreTokenizer"})");
    put(document, "decoder", R"({"type": "WordPiece", "prefix": "##", "cleanup": true})");
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

// Families of models, and the tokenizer class that is rebuilt for each.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kFamilies = {
    {{"llama", "LlamaTokenizer"},     {"gpt2", "GPT2Tokenizer"},
     {"gpt_neo", "GPT2Tokenizer"},    {"gptj", "GPT2Tokenizer"},
     {"opt", "GPT2Tokenizer"},        {"phi", "GPT2Tokenizer"},
     {"starcoder2", "GPT2Tokenizer"}, {"roberta", "RobertaTokenizer"},
     {"bart", "RobertaTokenizer"},    {"qwen2", "Qwen2Tokenizer"},
     {"qwen3", "Qwen2Tokenizer"},     {"qwen3_moe", "Qwen2Tokenizer"},
     {"gemma", "GemmaTokenizer"},     {"gemma2", "GemmaTokenizer"},
     {"gemma3", "GemmaTokenizer"},    {"gemma3_text", "GemmaTokenizer"},
     {"internvl", "Qwen2Tokenizer"},  {"bert", "BertTokenizer"},
     {"distilbert", "BertTokenizer"}, {"electra", "BertTokenizer"}}};

// The class by which the tokenizer.json of this folder is rebuilt; nullptr: the file is used as it
// is.
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
  // Folders with byte-level BPE may name LlamaTokenizer too, but their file is used as it is.
  if (name == "LlamaTokenizer" && file.find("\"ByteLevel\"") != std::string_view::npos)
    return nullptr;
  const auto type = std::find_if(kClasses.begin(), kClasses.end(),
                                 [&](const TokenizerClass& known) { return known.name == name; });
  return &*type;
}

}  // namespace

Tokenizer tokenizer_of_folder(const std::filesystem::path& folder) {
  const char* const name = "tokenizer.json";
  if (!has_entry(folder / name)) {
    if (std::optional<Tokenizer> pieces = tokenizer_of_pieces(folder)) return *std::move(pieces);
    throw_bad_input({"tokenizer is missing", folder / name, found_at(folder / name),
                     "tokenizer.json, or model files of SentencePiece: source.spm and target.spm "
                     "with vocab.json, spiece.model, or tokenizer.model",
                     ""});
  }
  const std::string text = read_text_file(folder / name, JsonLimits{}.max_bytes);
  Json document = parse_json(text, name, kTokenizerLimits);
  const TakenApart apart(document);
  const FolderFile config(folder, "tokenizer_config.json"), model_config(folder, "config.json");
  if (const TokenizerClass* type = class_of(config.root(), model_config.root(), text))
    RebuiltTokenizer(*type, folder, config).rebuild(document);
  return tokenizer_from_json(document, name);
}

}  // namespace attn
