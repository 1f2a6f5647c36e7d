// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/gguf_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/core/limits.h"
#include "engine/core/memory.h"
#include "engine/core/utf8.h"
#include "engine/model/gguf/split_rules.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/tokenizer_parse.h"

namespace attn {
namespace {

using Json = nlohmann::json;

constexpr const char *kModelKey = "tokenizer.ggml.model", *kTokensKey = "tokenizer.ggml.tokens";
constexpr const char* kWordMark = "\u2581";
// Estimated bytes of memory for each token, each merge, each byte of their texts, each byte of a
// token that is kept in a tree (WordPiece, Unigram), and each byte of the table of characters.
constexpr double kMemoryOfToken = 1024, kMemoryOfMerge = 512, kMemoryOfTextByte = 8,
                 kMemoryOfTreeByte = 64, kMemoryOfTableByte = 4;

// What tokenizer.ggml.token_type says of a token.
enum TokenKind : int64_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

bool is_byte_name(std::string_view token) {
  const auto is_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
  };
  return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>') &&
         is_digit(token[3]) && is_digit(token[4]);
}

Json fixed(std::string_view text) {
  return parse_json(text, "a part of the tokenizer");
}
Json& add(Json& list, std::string_view text) {
  Json& item = list.emplace_back();
  item = fixed(text);
  return item;
}

// Makes the document of a tokenizer.json from the vocabulary of a GGUF file.
class VocabularyReader {
 public:
  explicit VocabularyReader(const GgufMetadata& metadata) : m_(metadata) {}
  ~VocabularyReader() { take_apart(result_); }
  VocabularyReader(const VocabularyReader&) = delete;
  VocabularyReader& operator=(const VocabularyReader&) = delete;

  Json document() {
    const std::string& model = m_.text(kModelKey);
    if (model != "llama" && model != "gpt2" && model != "bert" && model != "t5")
      not_supported(kModelKey, "this kind of vocabulary is not supported", quote_text(model),
                    "\"llama\", \"gpt2\", \"bert\", \"t5\"");
    read_tokens();
    result_ = fixed(R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
      "normalizer": null, "pre_tokenizer": null, "post_processor": null, "decoder": null})");
    list_added(result_["added_tokens"]);
    if (model == "llama") sentence_piece();
    if (model == "gpt2") byte_level();
    if (model == "bert") word_piece();
    if (model == "t5") unigram();
    return std::move(result_);
  }

  // The number of the piece that stands for unknown text; 2, as in T5, where the key is missing.
  size_t unknown_piece() const {
    const std::optional<size_t> id = named("unknown", 2);
    if (id) return *id;
    const char* const key = "tokenizer.ggml.unknown_token_id";
    if (m_.has(key))
      m_.refuse(key, "no token stands for unknown text", "none",
                fmt::format("0 to {}", tokens_->size() - 1));
    m_.refuse(kTokensKey, "no token stands for unknown text",
              fmt::format("{} tokens", tokens_->size()), "3 tokens or more");
  }
  // The pieces of a vocabulary of Unigram. To be called after document().
  PieceFile pieces() const {
    PieceFile file;
    const std::vector<float> score = scores();
    for (size_t id = 0; id < tokens_->size(); ++id) {
      if (token(id).size() > kMostPieceBytes)
        m_.refuse(kTokensKey, fmt::format("token {} is too long", id),
                  fmt::format("{} bytes", token(id).size()),
                  fmt::format("at most {} bytes", kMostPieceBytes));
      // A token of an unknown type counts as a normal one.
      const bool is_known = kind(id) >= kNormal && kind(id) <= kByte;
      file.pieces.push_back(
          {token(id), score[id], static_cast<PieceFile::Kind>(is_known ? kind(id) : kNormal)});
    }
    file.unknown = static_cast<int32_t>(unknown_piece());
    file.adds_space = flag("add_space_prefix", true);
    file.removes_spaces = flag("remove_extra_whitespaces", true);
    const char* const key = "tokenizer.ggml.precompiled_charsmap";
    if (m_.has(key) && !m_.byte_array(key).empty()) {
      file.normalizer = "precompiled_charsmap";
      if (!Charsmap::read(m_.byte_array(key), file.charsmap))
        m_.refuse(key, "table of characters is not valid",
                  fmt::format("{} bytes", m_.byte_array(key).size()),
                  "a double array and the texts to which it leads");
    }
    return file;
  }

 private:
  [[noreturn]] void not_supported(const char* key, std::string what, std::string found,
                                  std::string allowed) const {
    throw Error(ErrorCode::kNotSupported, {std::move(what), fmt::format("{}, {}", m_.file(), key),
                                           std::move(found), std::move(allowed), ""});
  }

  // Checks that memory suffices for a list of texts, which takes `of_text` bytes for each text and
  // `of_byte` for each byte of the texts.
  void ask_for_texts(const char* what, const char* key, const char* name, double of_text,
                     double of_byte) const {
    const std::vector<std::string>& texts = m_.texts(key);
    size_t bytes = 0;
    for (const std::string& text : texts) bytes += text.size();
    ask_memory({.bytes = of_text * static_cast<double>(texts.size()) +
                         of_byte * static_cast<double>(bytes),
                .what = what,
                .where = fmt::format("{}, {}", m_.file(), key),
                .found = fmt::format("{} {} x {} bytes + {} bytes in them x {}", texts.size(), name,
                                     of_text, bytes, of_byte),
                .advice = ""});
  }

  void read_tokens() {
    tokens_ = &m_.texts(kTokensKey);
    const size_t count = tokens_->size();
    if (count == 0 || static_cast<int64_t>(count) > kMostVocabulary)
      m_.refuse(kTokensKey, "number of tokens is out of range", fmt::format("{}", count),
                fmt::format("1 to {}", kMostVocabulary));
    const std::string& model = m_.text(kModelKey);
    ask_for_texts("vocabulary does not fit in memory", kTokensKey, "tokens", kMemoryOfToken,
                  model == "bert" || model == "t5" ? kMemoryOfTreeByte : kMemoryOfTextByte);
    ids_.reserve(count);
    for (size_t id = 0; id < count; ++id) {
      const std::string& token = (*tokens_)[id];
      if (!is_utf8(token))
        m_.refuse(kTokensKey, fmt::format("token {} is not UTF-8", id), quote_text(token),
                  "UTF-8 text");
      const auto [first, is_new] = ids_.try_emplace(token, id);
      if (!is_new)
        m_.refuse(kTokensKey, fmt::format("token {} is in the vocabulary twice", id),
                  quote_text(token), "each token once",
                  fmt::format("The first one is token {}", first->second));
    }
    const char* const kinds = "tokenizer.ggml.token_type";
    if (m_.has(kinds)) kinds_ = m_.wholes(kinds, 0, 255);
    if (!kinds_.empty() && kinds_.size() != count)
      m_.refuse(kinds, "number of token types is not that of the tokens",
                fmt::format("{}", kinds_.size()), fmt::format("{}", count));
    for (size_t id = 0; id < kinds_.size(); ++id)
      if (kinds_[id] == kByte && !is_byte_name((*tokens_)[id]))
        m_.refuse(kTokensKey, fmt::format("token {} is not the name of a byte", id),
                  quote_text((*tokens_)[id]), "<0x00> to <0xFF>");
  }

  int64_t kind(size_t id) const { return kinds_.empty() ? kNormal : kinds_[id]; }
  const std::string& token(size_t id) const { return (*tokens_)[id]; }

  // The id that a key names. Without the key: `otherwise`, if the vocabulary has this id.
  std::optional<size_t> named(std::string_view name,
                              std::optional<size_t> otherwise = std::nullopt) const {
    const std::string key = fmt::format("tokenizer.ggml.{}_token_id", name);
    if (!m_.has(key)) return otherwise && *otherwise < tokens_->size() ? otherwise : std::nullopt;
    // -1 and the greatest u32 mean "none".
    const int64_t id = m_.whole(key, -1, (int64_t{1} << 32) - 1);
    if (id == -1 || id == (int64_t{1} << 32) - 1) return std::nullopt;
    if (id >= static_cast<int64_t>(tokens_->size()))
      m_.refuse(key, "token is not in the vocabulary", fmt::format("{}", id),
                fmt::format("0 to {}", tokens_->size() - 1));
    return static_cast<size_t>(id);
  }
  bool flag(std::string_view name, bool otherwise) const {
    const std::string key = fmt::format("tokenizer.ggml.{}", name);
    return m_.has(key) ? m_.flag(key) : otherwise;
  }

  std::optional<size_t> if_flag(std::string_view name, bool otherwise,
                                std::optional<size_t> id) const {
    return flag(name, otherwise) ? id : std::nullopt;
  }

  // Lists the tokens that are searched for in a text before the text is cut into words.
  void list_added(Json& list) const {
    for (size_t id = 0; id < kinds_.size(); ++id) {
      const bool special = kinds_[id] == kControl || kinds_[id] == kUnknown;
      if (!special && kinds_[id] != kUserDefined) continue;
      if (token(id).empty()) continue;
      Json& added = list.emplace_back(Json::value_t::object);
      added["id"] = id;
      added["content"] = token(id);
      for (const char* key : {"single_word", "lstrip", "rstrip", "normalized"}) added[key] = false;
      added["special"] = special;
    }
  }

  void list_vocabulary(Json& vocabulary) const {
    for (size_t id = 0; id < tokens_->size(); ++id) vocabulary[token(id)] = id;
  }

  // Writes the post-processor, which puts the token `before` in front of a text and `after` behind
  // it.
  void add_template(std::optional<size_t> before, std::optional<size_t> after) {
    if (!before && !after) return;
    Json& steps = result_["post_processor"];
    steps = fixed(R"({"type": "TemplateProcessing", "single": [], "pair": [],
      "special_tokens": {}})");
    Json& single = steps["single"];
    const auto add_token = [&](size_t id) {
      add(single, R"({"SpecialToken": {"type_id": 0}})")["SpecialToken"]["id"] = token(id);
      Json& special = steps["special_tokens"][token(id)];
      if (!special.is_null()) return;
      special = fixed(R"({"ids": [], "tokens": []})");
      special["id"] = token(id);
      special["ids"].push_back(id);
      special["tokens"].push_back(token(id));
    };
    if (before) add_token(*before);
    add(single, R"({"Sequence": {"id": "A", "type_id": 0}})");
    if (after) add_token(*after);
  }

  // --- SentencePiece with byte pairs: tokens have scores, and there are no merges ---

  void sentence_piece() {
    const bool has_space = flag("add_space_prefix", true);
    result_["normalizer"] = fixed(R"({"type": "Sequence", "normalizers": []})");
    Json& steps = result_["normalizer"]["normalizers"];
    if (has_space) add(steps, R"({"type": "Prepend", "prepend": "\u2581"})");
    add(steps, R"({"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"})");
    result_["decoder"] = fixed(R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
      {"type": "ByteFallback"}, {"type": "Fuse"}]})");
    if (has_space)
      add(result_["decoder"]["decoders"],
          R"({"type": "Strip", "content": " ", "start": 1, "stop": 0})");
    Json& model = result_["model"];
    model = fixed(R"({"type": "BPE", "dropout": null, "unk_token": null,
      "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": true,
      "byte_fallback": true, "vocab": {}, "merges": []})");
    if (const std::optional<size_t> unknown = named("unknown"))
      model["unk_token"] = token(*unknown);
    list_vocabulary(model["vocab"]);
    list_merges_by_score(model["merges"]);
    add_template(if_flag("add_bos_token", true, named("bos")),
                 if_flag("add_eos_token", false, named("eos")));
  }

  std::vector<float> scores() const {
    const char* const key = "tokenizer.ggml.scores";
    std::vector<float> scores = m_.numbers(key);
    if (scores.size() != tokens_->size())
      m_.refuse(key, "number of scores is not that of the tokens", fmt::format("{}", scores.size()),
                fmt::format("{}", tokens_->size()));
    for (size_t id = 0; id < scores.size(); ++id)
      if (!std::isfinite(scores[id]))
        m_.refuse(key, fmt::format("score of token {} is not a number", id),
                  std::isnan(scores[id]) ? "NaN" : "infinite", "a finite number");
    return scores;
  }

  // SentencePiece merges the two neighbours whose union has the highest score. So the merges are
  // the ways to cut a token into two tokens, sorted by the score of the token.
  void list_merges_by_score(Json& list) const {
    struct Merge {
      float score;
      size_t left, right;
    };
    const std::vector<float> score = scores();
    std::vector<Merge> merges;
    size_t asked = 100'000;
    for (size_t id = 0; id < tokens_->size(); ++id) {
      if (kind(id) != kNormal && kind(id) != kUserDefined) continue;
      const std::string_view text = token(id);
      if (text.size() > kLongestToken) continue;
      if (merges.size() > asked) {
        asked = 2 * merges.size();
        ask_memory({.bytes = kMemoryOfMerge * static_cast<double>(asked),
                    .what = "merges of the vocabulary do not fit in memory",
                    .where = fmt::format("{}, {}", m_.file(), kTokensKey),
                    .found = fmt::format("{} merges x {} bytes", asked, kMemoryOfMerge),
                    .advice = ""});
      }
      for (size_t at = 1; at < text.size(); ++at) {
        if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;  // inside a character
        const auto left = ids_.find(text.substr(0, at)), right = ids_.find(text.substr(at));
        if (left != ids_.end() && right != ids_.end())
          merges.push_back({score[id], left->second, right->second});
      }
    }
    std::ranges::stable_sort(merges, [](const Merge& a, const Merge& b) {
      return a.score != b.score ? a.score > b.score
                                : std::pair(a.left, a.right) < std::pair(b.left, b.right);
    });
    for (const Merge& merge : merges) add_merge(list, token(merge.left), token(merge.right));
  }
  static void add_merge(Json& list, const std::string& left, const std::string& right) {
    Json& merge = list.emplace_back(Json::value_t::array);
    merge.push_back(left);
    merge.push_back(right);
  }

  // --- byte pairs on bytes, as in GPT-2 ---

  void byte_level() {
    const char* const pre_key = "tokenizer.ggml.pre";
    const std::string pre = m_.has(pre_key) ? m_.text(pre_key) : "default";
    const SplitRule* const rule = find_split_rule(pre);
    if (!rule)
      not_supported(pre_key, "texts cut into words by this rule are not supported", quote_text(pre),
                    known_split_rules());
    result_["pre_tokenizer"] = fixed(R"({"type": "Sequence"})");
    Json& steps = result_["pre_tokenizer"]["pretokenizers"];
    steps = fixed(rule->steps.dump());
    if (flag("add_space_prefix", false))
      for (Json& step : steps)
        if (step["type"].get_ref<const std::string&>() == "ByteLevel")
          step["add_prefix_space"] = true;
    if (rule->has_nfc) result_["normalizer"] = fixed(R"({"type": "NFC"})");
    result_["decoder"] = fixed(R"({"type": "ByteLevel", "add_prefix_space": true,
      "trim_offsets": true, "use_regex": true})");
    Json& model = result_["model"];
    model = fixed(R"({"type": "BPE", "dropout": null, "unk_token": null,
      "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": false,
      "byte_fallback": false, "vocab": {}, "merges": []})");
    model["ignore_merges"] = rule->ignores_merges;
    list_vocabulary(model["vocab"]);
    list_merges(model["merges"]);
    add_template(if_flag("add_bos_token", rule->adds_bos, named("bos")),
                 if_flag("add_eos_token", false, named("eos")));
  }

  // A merge is "a b": two tokens with a space between them.
  void list_merges(Json& list) const {
    const char* const key = "tokenizer.ggml.merges";
    const std::vector<std::string>& merges = m_.texts(key);
    ask_for_texts("merges of the vocabulary do not fit in memory", key, "merges", kMemoryOfMerge,
                  kMemoryOfTextByte);
    for (size_t i = 0; i < merges.size(); ++i) {
      const std::string& merge = merges[i];
      const size_t space = merge.find(' ', 1);
      const auto refuse = [&](std::string what, std::string allowed) {
        m_.refuse(key, fmt::format("merge {} {}", i, what), quote_text(merge), std::move(allowed));
      };
      if (merge.empty() || space == std::string::npos || space + 1 == merge.size() ||
          merge.find(' ', space + 1) != std::string::npos)
        refuse("is not two tokens", "two tokens with a space between them");
      const std::string left = merge.substr(0, space), right = merge.substr(space + 1);
      for (const std::string& part : {left, right, left + right})
        if (!ids_.contains(part))
          refuse("has a token that is not in the vocabulary: " + quote_text(part),
                 "tokens of tokenizer.ggml.tokens");
      add_merge(list, left, right);
    }
  }

  // --- WordPiece ---

  void word_piece() {
    // The file has a mark in front of the tokens that begin a word, and tokenizer.json has ## in
    // front of those that continue one.
    Json& model = result_["model"];
    model = fixed(R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
      "max_input_chars_per_word": 100, "vocab": {}})");
    Json& vocabulary = model["vocab"];
    for (size_t id = 0; id < tokens_->size(); ++id) {
      const std::string& text = token(id);
      const bool is_special = text.starts_with('[') && text.ends_with(']');
      std::string name = text.starts_with(kWordMark)
                             ? text.substr(std::string_view(kWordMark).size())
                             : (is_special || kind(id) == kControl ? text : "##" + text);
      if (!vocabulary.emplace(name, id).second)
        m_.refuse(kTokensKey, fmt::format("token {} is in the vocabulary twice", id),
                  quote_text(text), "each token once");
    }
    result_["normalizer"] = fixed(R"({"type": "BertNormalizer", "clean_text": true,
      "handle_chinese_chars": true, "strip_accents": null, "lowercase": true})");
    result_["pre_tokenizer"] = fixed(R"({"type": "BertPreTokenizer"})");
    result_["decoder"] = fixed(R"({"type": "WordPiece", "prefix": "##", "cleanup": true})");
    if (const std::optional<size_t> unknown = named("unknown"))
      model["unk_token"] = token(*unknown);
    add_template(named(m_.has("tokenizer.ggml.cls_token_id") ? "cls" : "bos"),
                 named(m_.has("tokenizer.ggml.seperator_token_id") ? "seperator" : "eos"));
  }

  // --- Unigram ---

  // The program itself cuts texts by pieces(). The normaliser and pre-tokenizer made here come near
  // that; they are for a tokenizer.json that is written to a file.
  void unigram() {
    const std::vector<float> score = scores();
    Json& model = result_["model"];
    model = fixed(R"({"type": "Unigram", "unk_id": null, "vocab": [], "byte_fallback": false})");
    Json& vocabulary = model["vocab"];
    for (size_t id = 0; id < tokens_->size(); ++id) {
      Json& entry = vocabulary.emplace_back(Json::value_t::array);
      entry.push_back(token(id));
      entry.push_back(static_cast<double>(score[id]));
    }
    model["unk_id"] = unknown_piece();
    result_["normalizer"] = fixed(R"({"type": "Sequence", "normalizers": []})");
    Json& steps = result_["normalizer"]["normalizers"];
    const char* const charsmap = "tokenizer.ggml.precompiled_charsmap";
    if (m_.has(charsmap) && !m_.byte_array(charsmap).empty()) {
      const size_t bytes = m_.byte_array(charsmap).size();
      ask_memory({.bytes = kMemoryOfTableByte * static_cast<double>(bytes),
                  .what = "table of characters does not fit in memory",
                  .where = fmt::format("{}, {}", m_.file(), charsmap),
                  .found = fmt::format("{} bytes x {}", bytes, kMemoryOfTableByte),
                  .advice = ""});
      add(steps, R"({"type": "Precompiled"})")["precompiled_charsmap"] =
          base64(m_.byte_array(charsmap));
    }
    const bool adds_space = flag("add_space_prefix", true),
               removes_spaces = flag("remove_extra_whitespaces", true);
    if (removes_spaces)
      add(steps, R"({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})");
    Json& space = result_["pre_tokenizer"];
    space = fixed(R"({"type": "Metaspace", "replacement": "\u2581", "split": true})");
    space["prepend_scheme"] = adds_space ? "always" : "never";
    Json& decoder = result_["decoder"];
    decoder = fixed(R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
      {"type": "Fuse"}, {"type": "Strip", "content": " ", "stop": 0}]})");
    decoder["decoders"].back()["start"] = removes_spaces ? INT32_MAX : adds_space ? 1 : 0;
    // Where the file does not name the end token, it is that of T5, 1.
    add_template(if_flag("add_bos_token", false, named("bos")),
                 if_flag("add_eos_token", true, named("eos", 1)));
  }

  static std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
      const size_t count = std::min<size_t>(3, bytes.size() - i);
      uint32_t bits = 0;
      for (size_t j = 0; j < 3; ++j)
        bits = bits << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
      for (size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
    }
    return text;
  }

  static constexpr size_t kLongestToken = 256;  // longest token for which merges are listed, bytes
  const GgufMetadata& m_;
  const std::vector<std::string>* tokens_ = nullptr;
  std::vector<int64_t> kinds_;
  std::unordered_map<std::string_view, size_t> ids_;  // ids by text; the texts lie in *tokens_
  Json result_;
};

}  // namespace

Json tokenizer_json_of(const GgufMetadata& metadata) {
  return VocabularyReader(metadata).document();
}

Tokenizer gguf_tokenizer(const GgufFile& file) {
  VocabularyReader reader(file.metadata());
  Json document = reader.document();
  const TakenApart apart(document);
  const bool is_unigram = document["model"]["type"] == "Unigram";
  PieceFile pieces;
  if (is_unigram) {
    pieces = reader.pieces();
    for (const char* const step : {"normalizer", "pre_tokenizer"})  // PieceModel has its own
      replace_json(document[step], nullptr);
  }
  Tokenizer tokenizer =
      tokenizer_from_json(document, file.metadata().file() + ", its vocabulary as tokenizer.json");
  if (is_unigram) {
    const int32_t unknown = pieces.unknown;
    tokenizer.set_model(PieceModel(std::move(pieces), unknown, false));
  }
  return tokenizer;
}

}  // namespace attn
