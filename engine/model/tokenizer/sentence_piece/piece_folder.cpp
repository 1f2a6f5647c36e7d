// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/files/json.h"
#include "engine/core/files/paths.h"
#include "engine/model/files/json_at.h"
#include "engine/model/tokenizer/folder_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *kTokenizer = "tokenizer.json", *kSource = "source.spm",
                     *kTarget = "target.spm", *kVocabulary = "vocab.json";
constexpr std::array kModels = {"spiece.model", "tokenizer.model"};
constexpr int64_t kMostExtraIds = 10'000;

// What the files beside the model files say. A class of transformers puts its tokens around a text.
class PieceConfig {
 public:
  explicit PieceConfig(const fs::path& folder)
      : config_(folder, "tokenizer_config.json"),
        special_(folder, "special_tokens_map.json"),
        model_(folder, "config.json") {}

  JsonAt root() const { return config_.root(); }
  std::string family() const {
    return model_.root().has("model_type") ? model_.root()["model_type"].text() : "llama";
  }
  bool flag(const char* key, bool otherwise) const {
    return root().has(key) ? root()[key].boolean() : otherwise;
  }
  // The text of the token that a key such as eos_token names.
  std::string token(const char* key, const char* otherwise) const {
    for (const JsonAt& at : {special_.root(), root()})
      if (at.has(key))
        return at[key].json().is_object() ? at[key]["content"].text() : at[key].text();
    return otherwise;
  }

 private:
  FolderFile config_, special_, model_;
};

// A tokenizer.json whose model is still to be set: vocabulary, added tokens, and what joins tokens.
class PieceDocument {
 public:
  explicit PieceDocument(Json vocabulary, const std::string& unknown) {
    json_["model"] = {
        {"type", "WordLevel"}, {"vocab", std::move(vocabulary)}, {"unk_token", unknown}};
    json_["added_tokens"] = Json::array();
  }
  ~PieceDocument() { take_apart(json_); }
  PieceDocument(const PieceDocument&) = delete;
  PieceDocument& operator=(const PieceDocument&) = delete;

  void add_special(const std::string& text, size_t id) {
    json_["added_tokens"].push_back(
        {{"id", id}, {"content", text}, {"normalized", false}, {"special", true}});
  }
  // The ids in front of a text and behind it.
  void set_template(const std::vector<size_t>& before, const std::vector<size_t>& after) {
    Json single = Json::array(), tokens = Json::object();
    const auto add = [&](const char* name, const std::vector<size_t>& ids) {
      if (ids.empty()) return;
      single.push_back({{"SpecialToken", {{"id", name}}}});
      tokens[name] = {{"ids", ids}};
    };
    add("before", before);
    single.push_back({{"Sequence", {{"id", "A"}}}});
    add("after", after);
    json_["post_processor"] = {{"type", "TemplateProcessing"},
                               {"single", std::move(single)},
                               {"special_tokens", std::move(tokens)}};
  }
  // at_begin, at_end: spaces that are taken away.
  void set_decoder(bool has_bytes, int32_t at_begin, int32_t at_end) {
    Json steps = {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}}};
    if (has_bytes) steps.push_back({{"type", "ByteFallback"}});
    steps.push_back({{"type", "Fuse"}});
    steps.push_back({{"type", "Strip"}, {"content", " "}, {"start", at_begin}, {"stop", at_end}});
    json_["decoder"] = {{"type", "Sequence"}, {"decoders", std::move(steps)}};
  }
  Tokenizer tokenizer(const std::string& where, PieceFile file, bool is_marian) const {
    Tokenizer tokenizer = Tokenizer::from_json(json_, where);
    const auto& name = json_["model"]["unk_token"].get_ref<const std::string&>();
    tokenizer.set_model(PieceModel(std::move(file), tokenizer.find(name).value(), is_marian));
    return tokenizer;
  }

 private:
  Json json_;
};

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
  const size_t unknown_id = id_of(unknown), end_id = id_of(end);
  PieceDocument document(vocabulary, unknown);
  document.add_special(unknown, unknown_id);
  if (end != unknown) document.add_special(end, end_id);
  if (padding != unknown && padding != end && root.has(padding))
    document.add_special(padding, id_of(padding));
  document.set_template({}, {end_id});
  document.set_decoder(target.byte_fallback, INT32_MAX, INT32_MAX);
  return document.tokenizer(fmt::format("{} as tokenizer.json", kVocabulary), std::move(source),
                            true);
}

// The number of a piece is its id.
Tokenizer numbered(const fs::path& folder, const std::string& name, const PieceConfig& config) {
  PieceFile file = PieceFile::open(folder / name);
  const bool is_t5 = config.family() == "t5";
  Json vocabulary = Json::object();
  const TakenApart apart(vocabulary);
  const size_t count = file.pieces.size();
  for (size_t id = 0; id < count; ++id) vocabulary[file.pieces[id].text] = id;
  PieceDocument document(vocabulary, file.pieces[static_cast<size_t>(file.unknown)].text);
  for (size_t id = 0; id < count; ++id) {
    const PieceFile::Piece& piece = file.pieces[id];
    if (piece.kind == PieceFile::Kind::kControl || piece.kind == PieceFile::Kind::kUnknown)
      document.add_special(piece.text, id);
  }
  if (is_t5) {  // tokens for hidden spans, which are not in the file: the last one is number 0
    const char* const key = "extra_ids";
    const int64_t extra = config.root().has(key) ? config.root()[key].whole(0, kMostExtraIds) : 100;
    size_t next = count;
    for (int64_t i = extra - 1; i >= 0; --i)
      if (const std::string token = fmt::format("<extra_id_{}>", i); !vocabulary.contains(token))
        document.add_special(token, next++);
  }
  const auto named = [&](const char* key, const std::string& otherwise) {
    const std::string token = config.token(key, otherwise.c_str());
    const auto found = vocabulary.find(token);
    return found == vocabulary.end() ? std::vector<size_t>()
                                     : std::vector<size_t>{found->get<size_t>()};
  };
  document.set_template(
      config.flag("add_bos_token", !is_t5) ? named("bos_token", file.first) : std::vector<size_t>(),
      config.flag("add_eos_token", is_t5) ? named("eos_token", file.last) : std::vector<size_t>());
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
