// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/core/limits.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/added_tokens.h"
#include "engine/model/tokenizer/folder_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/text_file.h"
#include "engine/model/tokenizer/tokenizer_parse.h"

namespace attn {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *kTokenizer = "tokenizer.json", *kSource = "source.spm",
                     *kTarget = "target.spm", *kVocabulary = "vocab.json";
constexpr std::array kModels = {"spiece.model", "tokenizer.model"};
constexpr int64_t kMostExtraIds = 10'000;

// A key such as eos_token names a token by its text or by an object.
const std::string& text_of(const JsonAt& token) {
  const JsonAt at = token.json().is_object() ? token["content"] : token;
  if (at.text().empty()) at.refuse("token has no text", "\"\"", "1 byte or more");
  return at.text();
}

class PieceConfig {
 public:
  explicit PieceConfig(const fs::path& folder)
      : config_(folder, "tokenizer_config.json"),
        special_(folder, "special_tokens_map.json"),
        added_(folder, "added_tokens.json"),
        model_(folder, "config.json") {}

  JsonAt root() const { return config_.root(); }
  std::string family() const {
    return model_.root().has("model_type") ? model_.root()["model_type"].text() : "llama";
  }
  bool flag(const char* key, bool otherwise) const {
    return root().has(key) ? root()[key].boolean() : otherwise;
  }
  // The value of a key. Where tokenizer_config.json does not list the added tokens, as in older
  // folders, the value in special_tokens_map.json comes first.
  std::optional<JsonAt> find(const char* key) const {
    if (!lists_added() && special_.root().has(key)) return special_.root()[key];
    if (root().has(key)) return root()[key];
    return std::nullopt;
  }
  std::string token(const char* key, const std::string& otherwise) const {
    const std::optional<JsonAt> at = find(key);
    return at ? text_of(*at) : otherwise;
  }
  // Calls each(id, text, at) for the added tokens, the lowest id first. `at`: an object with flags,
  // or the id alone.
  template <class Each>
  void for_each_added(Each&& each) const {
    if (lists_added()) {
      for (const auto& [id, at] : by_id(root()["added_tokens_decoder"])) {
        at.expect_object();
        each(id, text_of(at), at);
      }
      return;
    }
    const JsonAt added = added_.root();
    std::multimap<int64_t, std::string> texts;
    for (const auto& [text, id] : added.json().items()) {
      if (text.empty()) added[text].refuse("token has no text", "\"\"", "1 byte or more");
      texts.emplace(added[text].whole(0, kMostVocabulary - 1), text);
    }
    for (const auto& [id, text] : texts) each(id, text, added[text]);
  }

 private:
  bool lists_added() const { return root().has("added_tokens_decoder"); }

  FolderFile config_, special_, added_, model_;
};

// A tokenizer.json whose model is still to be set: vocabulary, added tokens, template and decoder.
class PieceDocument {
 public:
  PieceDocument(Json&& vocabulary, const std::string& unknown) : PieceDocument() {
    json_["model"]["unk_token"] = unknown;
    replace_json(json_["model"]["vocab"], std::move(vocabulary));
    next_ = this->vocabulary().size();
  }
  ~PieceDocument() { take_apart(json_); }
  PieceDocument(const PieceDocument&) = delete;
  PieceDocument& operator=(const PieceDocument&) = delete;

  std::optional<size_t> find(const std::string& text) const {
    if (const auto at = places_.find(text); at != places_.end())
      return static_cast<size_t>(added_[at->second].id);
    const auto known = vocabulary().find(text);
    if (known == vocabulary().end() || !known->is_number_unsigned()) return std::nullopt;
    return known->get<size_t>();
  }
  size_t next() const { return next_; }
  // Makes a token an added one. Its id is that of the vocabulary, or else the next free one.
  // `named`: the JSON that names the token, whose flags count if it was not added before.
  void add(const std::string& text, bool is_special, const JsonAt* named = nullptr) {
    const auto [place, is_new] = places_.try_emplace(text, added_.size());
    if (is_new) {
      const auto known = vocabulary().find(text);
      const bool has_id = known != vocabulary().end() && known->is_number_unsigned();
      added_.push_back(
          {.id = has_id ? known->get<int32_t>() : static_cast<int32_t>(next_++), .content = text});
      if (named) set_flags(added_.back(), *named);
    }
    if (is_special) added_[place->second].special = true;
  }
  void add_listed(const std::string& text, const JsonAt& at) {
    add(text, false);
    set_flags(added_[places_.at(text)], at);
  }

  void set_template(std::optional<size_t> before, std::optional<size_t> after) {
    Json& processor = json_["post_processor"];
    replace_json(processor, fixed(R"({"type": "TemplateProcessing", "single": [],
                                      "special_tokens": {"before": {"ids": []},
                                                         "after": {"ids": []}}})"));
    Json& single = processor["single"];
    const auto add = [&](const char* name, std::optional<size_t> id) {
      if (!id) return;
      Json& item = single.emplace_back(nullptr);
      replace_json(item, fixed(R"({"SpecialToken": {"id": ""}})"));
      item["SpecialToken"]["id"] = name;
      processor["special_tokens"][name]["ids"].push_back(*id);
    };
    add("before", before);
    Json& text = single.emplace_back(nullptr);
    replace_json(text, fixed(R"({"Sequence": {"id": "A"}})"));
    add("after", after);
  }
  // at_begin, at_end: the most spaces that are taken away at the ends of a text.
  void set_decoder(bool has_bytes, int32_t at_begin, int32_t at_end) {
    Json& decoder = json_["decoder"];
    replace_json(decoder, fixed(has_bytes ? R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
      {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " "}]})"
                                          : R"({"type": "Sequence", "decoders": [
      {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
      {"type": "Fuse"}, {"type": "Strip", "content": " "}]})"));
    Json& strip = decoder["decoders"].back();
    strip["start"] = at_begin;
    strip["stop"] = at_end;
  }
  Tokenizer tokenizer(const std::string& where, PieceFile file, bool is_marian) {
    for (const AddedToken& token : added_) {
      Json& item = json_["added_tokens"].emplace_back(Json::value_t::object);
      item["id"] = token.id;
      item["content"] = token.content;
      item["normalized"] = false;
      item["special"] = token.special;
      item["lstrip"] = token.strip_left;
      item["rstrip"] = token.strip_right;
      item["single_word"] = token.single_word;
    }
    Tokenizer tokenizer = tokenizer_from_json(json_, where);
    const auto& name = json_["model"]["unk_token"].get_ref<const std::string&>();
    tokenizer.set_model(PieceModel(std::move(file), tokenizer.find(name).value(), is_marian));
    return tokenizer;
  }

 private:
  // The public constructor delegates to this one, so that the destructor runs if the
  // body of the public one throws.
  PieceDocument() {
    replace_json(json_, fixed(R"({"model": {"type": "WordLevel", "vocab": null, "unk_token": ""},
                                  "added_tokens": []})"));
  }
  static void set_flags(AddedToken& token, const JsonAt& at) {
    const auto flag = [&](const char* key) { return at.has(key) && at[key].boolean(); };
    token.special = flag("special");
    token.strip_left = flag("lstrip");
    token.strip_right = flag("rstrip");
    token.single_word = flag("single_word");
  }
  static Json fixed(std::string_view text) { return parse_json(text, "a part of the tokenizer"); }
  const Json& vocabulary() const { return json_.find("model")->find("vocab").value(); }

  Json json_;
  size_t next_ = 0;
  std::vector<AddedToken> added_;
  std::map<std::string, size_t> places_;  // text of a token -> its place in added_
};

// Adds the added tokens and the special tokens that the JSON files of the folder list. `name`: the
// name of the file with the vocabulary.
void add_tokens(const PieceConfig& config, const std::string& name, PieceDocument& document) {
  if (config.flag("split_special_tokens", false))
    config.root()["split_special_tokens"].not_supported("tokenizer option is not supported", "true",
                                                        "false");
  config.for_each_added([&](int64_t id, const std::string& text, const JsonAt& at) {
    const std::optional<size_t> known = document.find(text);
    const size_t expected = known.value_or(document.next());
    if (static_cast<size_t>(id) != expected)
      at.refuse(known ? "added token has another id as well" : "token ids are not dense",
                fmt::format("{} for {}", id, quote_text(text)),
                known ? fmt::format("{}", expected)
                      : fmt::format("{}, the first one behind {}", expected, name));
    document.add_listed(text, at);
  });
  for (const char* key : kNamedTokens)
    if (const std::optional<JsonAt> at = config.find(key)) {
      if (!document.find(text_of(*at)))
        at->refuse("token is not in the vocabulary", quote_text(text_of(*at)),
                   fmt::format("a token of {} or an added token", name));
      document.add(text_of(*at), true, &*at);
    }
  // Tokens of these lists that are not known yet get the next ids.
  for (const char* key : {"extra_special_tokens", "additional_special_tokens"})
    if (const std::optional<JsonAt> list = config.find(key)) {
      if (list->json().is_object()) {
        for (const auto& [item, token] : list->json().items()) {
          const JsonAt at = (*list)[item];
          document.add(text_of(at), true, &at);
        }
        continue;
      }
      list->expect_array();
      for (size_t i = 0; i < list->size(); ++i) {
        const JsonAt at = list->item(i);
        document.add(text_of(at), true, &at);
      }
    }
}

Tokenizer marian(const fs::path& folder, const PieceConfig& config) {
  if (config.flag("separate_vocabs", false))
    config.root()["separate_vocabs"].not_supported(
        "a vocabulary for each of the two languages is not supported", "true", "false");
  PieceFile source = PieceFile::open(folder / kSource);
  const PieceFile target = PieceFile::open(folder / kTarget);
  Json vocabulary =
      parse_json(read_text_file(folder / kVocabulary, JsonLimits{}.max_bytes), kVocabulary);
  const TakenApart apart(vocabulary);
  const JsonAt root(vocabulary, kVocabulary);
  root.expect_object();
  const auto id_of = [&](const std::string& token) {
    return static_cast<size_t>(root[token].whole(0, static_cast<int64_t>(root.size()) - 1));
  };
  const std::string unknown = config.token("unk_token", "<unk>"),
                    end = config.token("eos_token", "</s>"),
                    padding = config.token("pad_token", "<pad>");
  id_of(unknown);
  const size_t end_id = id_of(end);
  if (root.has(padding)) id_of(padding);
  PieceDocument document(std::move(vocabulary), unknown);
  add_tokens(config, kVocabulary, document);
  document.add(unknown, true);
  document.add(end, true);
  if (document.find(padding)) document.add(padding, true);
  document.set_template(std::nullopt, end_id);
  document.set_decoder(target.byte_fallback, INT32_MAX, INT32_MAX);
  return document.tokenizer(fmt::format("{} as tokenizer.json", kVocabulary), std::move(source),
                            true);
}

// The tokenizer of a model file in which the number of a piece is its id.
Tokenizer numbered(const fs::path& folder, const std::string& name, const PieceConfig& config) {
  PieceFile file = PieceFile::open(folder / name);
  const bool is_t5 = config.family() == "t5";
  Json vocabulary = Json::object();
  const TakenApart apart(vocabulary);
  for (size_t id = 0; id < file.pieces.size(); ++id) vocabulary[file.pieces[id].text] = id;
  PieceDocument document(std::move(vocabulary),
                         file.pieces[static_cast<size_t>(file.unknown)].text);
  if (is_t5) {  // tokens for hidden spans, <extra_id_0> last, unless the file has them
    const char* const key = "extra_ids";
    const int64_t extra = config.root().has(key) ? config.root()[key].whole(0, kMostExtraIds) : 100;
    for (int64_t i = extra - 1; i >= 0; --i)
      if (const std::string token = fmt::format("<extra_id_{}>", i); !document.find(token))
        document.add(token, true);
  }
  add_tokens(config, name, document);
  for (const PieceFile::Piece& piece : file.pieces)
    if (piece.kind == PieceFile::Kind::kControl || piece.kind == PieceFile::Kind::kUnknown)
      document.add(piece.text, true);
  // A usual name such as <s> need not be in the vocabulary.
  const auto id_of = [&](const char* key, const std::string& otherwise) {
    return document.find(config.token(key, otherwise));
  };
  document.set_template(
      config.flag("add_bos_token", !is_t5) ? id_of("bos_token", file.first) : std::nullopt,
      config.flag("add_eos_token", is_t5) ? id_of("eos_token", file.last) : std::nullopt);
  const int32_t at_begin = file.removes_spaces ? INT32_MAX : file.adds_space ? 1 : 0;
  document.set_decoder(file.byte_fallback, at_begin, 0);
  return document.tokenizer(fmt::format("{} as tokenizer.json", name), std::move(file), false);
}

}  // namespace

std::optional<Tokenizer> tokenizer_of_pieces(const fs::path& folder) {
  const std::string name = vocabulary_file(folder);
  if (name == kTokenizer) return std::nullopt;
  const PieceConfig config(folder);
  return name == kVocabulary ? marian(folder, config) : numbered(folder, name, config);
}

const char* vocabulary_file(const fs::path& folder) {
  if (has_entry(folder / kTokenizer)) return kTokenizer;
  for (const char* name : {kSource, kTarget})
    if (has_entry(folder / name)) return kVocabulary;
  for (const char* name : kModels)
    if (has_entry(folder / name)) return name;
  return kTokenizer;
}

}  // namespace attn
