// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/gguf/vocabulary_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/files/json.h"
#include "engine/model/files/json_at.h"
#include "engine/model/gguf/split_rules.h"
#include "engine/model/tokenizer/describe.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"
#include "engine/model/tokenizer/sentence_piece/piece_folder.h"
#include "engine/model/tokenizer/steps/charsmap.h"
#include "engine/model/tokenizer/text_file.h"

namespace attn {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// The values of tokenizer.ggml.token_type.
constexpr int32_t kNormalToken = 1, kUnknownToken = 2, kControlToken = 3, kUserToken = 4,
                  kUnusedToken = 5, kByteToken = 6;
constexpr float kAddedScore = -1000, kUnusedScore = -10000;

[[noreturn]] void not_supported(std::string what, const std::string& where, std::string found,
                                std::string allowed) {
  throw Error(ErrorCode::kNotSupported,
              {std::move(what), where, std::move(found), std::move(allowed), ""});
}

class VocabularyWriter {
 public:
  // where: the file with the vocabulary.
  VocabularyWriter(const Tokenizer& tokenizer, std::string where, const ModelCheck& check,
                   GgufWriter& writer)
      : tokenizer_(tokenizer), where_(std::move(where)), check_(check), writer_(writer) {
    const auto count = static_cast<size_t>(check_.shape.vocab_size);
    for (size_t id = 0; id < count; ++id) tokens_.push_back(fmt::format("[PAD{}]", id));
    kinds_.assign(count, kUnusedToken);
    scores_.assign(count, kUnusedScore);
  }

  void write_tokenizer(const JsonAt& root) {
    const JsonAt model = root["model"];
    const std::string type = model.has("type") ? model["type"].text() : "";
    if (type != "BPE" && type != "Unigram")
      model.not_supported("this kind of tokenizer cannot be written",
                          model.has("type") ? model["type"].shown() : "no type",
                          "\"BPE\", \"Unigram\"");
    const JsonAt vocabulary = model["vocab"];
    if (type == "BPE")
      for (const auto& [token, id] : vocabulary.json().items())
        put(id.get<size_t>(), token, kNormalToken, 0);
    else
      for (size_t id = 0; id < vocabulary.size(); ++id)
        put(id, vocabulary.json()[id][0].get<std::string>(), kNormalToken,
            vocabulary.json()[id][1].get<float>());
    if (root.has("added_tokens")) {
      const JsonAt list = root["added_tokens"];
      for (const Json& added : list.json())
        put(added["id"].get<size_t>(), added["content"].get<std::string>(),
            added.value("special", false) ? kControlToken : kUserToken, kAddedScore);
    }
    if (type == "Unigram")
      write_unigram(root);
    else if (model.has("byte_fallback") && model["byte_fallback"].boolean())
      write_sentence_piece(root);
    else
      write_byte_level(root);
    finish();
  }

  // Writes the vocabulary of a file of SentencePiece, such as spiece.model. Unigram only.
  void write_pieces(const fs::path& path) {
    const PieceFile file = PieceFile::open(path);
    const auto refuse = [&](bool is_refused, const char* found, const char* allowed) {
      if (is_refused)
        not_supported("this kind of tokenizer cannot be written", where_, found, allowed);
    };
    refuse(file.is_bpe, "byte pairs", "Unigram, or a tokenizer.json");
    refuse(file.byte_fallback, "byte_fallback", "Unigram without bytes");
    refuse(file.space_is_last, "treat_whitespace_as_suffix", "spaces in front of words");
    refuse(!file.marks_spaces, "no escape_whitespaces", "spaces marked by U+2581");
    for (size_t id = 0; id < file.pieces.size(); ++id) {
      const PieceFile::Piece& piece = file.pieces[id];
      refuse(piece.kind == PieceFile::Kind::kUserDefined, "pieces that a user defined",
             "pieces of other types");
      put(id, piece.text, static_cast<int32_t>(piece.kind), piece.score);
    }
    for (int64_t id = tokenizer_.model_vocab_size(); id < tokenizer_.vocab_size(); ++id) {
      const auto token = static_cast<int32_t>(id);
      put(static_cast<size_t>(id), tokenizer_.piece(token),
          tokenizer_.is_special(token) ? kControlToken : kUserToken, kAddedScore);
    }
    write_unigram(file.unknown, charsmap_of(path), file.adds_space, file.removes_spaces);
    finish();
  }

 private:
  void put(size_t id, const std::string& token, int32_t kind, float score) {
    if (id >= tokens_.size()) return;  // an id past the vocabulary of the model
    if (kinds_[id] == kUnusedToken) scores_[id] = score;
    tokens_[id] = token;
    kinds_[id] = kind;
  }

  void finish() {
    writer_.texts("tokenizer.ggml.tokens", tokens_);
    writer_.kinds("tokenizer.ggml.token_type", kinds_);
    write_ends();
  }

  // Writes the tokens in front of a text and behind it, and those that end a text.
  void write_ends() {
    const std::vector<int32_t> all = tokenizer_.encode("a"), inner = tokenizer_.encode("a", false);
    const auto begin = std::search(all.begin(), all.end(), inner.begin(), inner.end());
    const std::vector<int32_t> before(all.begin(), begin),
        after(begin + std::ssize(inner), all.end());
    if (before.size() > 1 || after.size() > 1)
      not_supported(
          "the tokens around a text cannot be written as GGUF", where_,
          fmt::format("{} tokens in front of a text, {} behind it", before.size(), after.size()),
          "at most one in front and one behind");
    writer_.flag("tokenizer.ggml.add_bos_token", !before.empty());
    writer_.flag("tokenizer.ggml.add_eos_token", !after.empty());
    if (!before.empty()) writer_.u32("tokenizer.ggml.bos_token_id", before.front());
    std::vector<int32_t> ends = check_.stop_tokens;
    if (!after.empty()) {  // eos_token_id stands behind a text and also ends one
      if (std::erase(ends, after.front()) == 0)
        not_supported("the token behind a text does not end a text", where_,
                      fmt::format("token {}", after.front()), "one of those of eos_token_id");
      ends.insert(ends.begin(), after.front());
    }
    constexpr std::array kEnds = {"eos", "eot", "eom"};
    if (ends.size() > kEnds.size())
      not_supported("so many tokens that end a text cannot be written", "eos_token_id",
                    fmt::format("{}", ends.size()), fmt::format("at most {}", kEnds.size()));
    for (size_t i = 0; i < ends.size(); ++i)
      writer_.u32(fmt::format("tokenizer.ggml.{}_token_id", kEnds[i]), ends[i]);
  }

  void set_unknown(size_t id) {
    kinds_[id] = kUnknownToken;
    writer_.u32("tokenizer.ggml.unknown_token_id", static_cast<int64_t>(id));
  }

  // --- byte pairs ---

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

  void write_sentence_piece(const JsonAt& root) {
    const JsonAt model = root["model"];
    writer_.text("tokenizer.ggml.model", "llama");
    const std::vector<std::string> merges = merges_of(model);
    // A merge that comes earlier gives a token with a higher score.
    std::unordered_map<std::string, size_t> rank;
    for (size_t i = 0; i < merges.size(); ++i) {
      std::string whole = merges[i];
      whole.erase(whole.find(' ', 1), 1);
      rank.try_emplace(std::move(whole), i);
    }
    for (size_t id = 0; id < tokens_.size(); ++id) {
      const auto place = rank.find(tokens_[id]);
      scores_[id] = -static_cast<float>(place == rank.end() ? merges.size() + id : place->second);
      if (tokens_[id].size() == 6 && tokens_[id].starts_with("<0x")) kinds_[id] = kByteToken;
    }
    if (model.has("unk_token"))
      for (size_t id = 0; id < tokens_.size(); ++id)
        if (tokens_[id] == model["unk_token"].text()) set_unknown(id);
    writer_.numbers("tokenizer.ggml.scores", scores_);
    const std::string steps = root.has("normalizer") ? root["normalizer"].json().dump() : "";
    const bool has_metaspace =
        root.has("pre_tokenizer") &&
        root["pre_tokenizer"].json().value("prepend_scheme", "never") != std::string("never");
    writer_.flag("tokenizer.ggml.add_space_prefix",
                 has_metaspace || steps.find("\"Prepend\"") != std::string::npos);
  }

  void write_byte_level(const JsonAt& root) {
    writer_.text("tokenizer.ggml.model", "gpt2");
    writer_.text("tokenizer.ggml.pre", split_rule_of(root));
    writer_.texts("tokenizer.ggml.merges", merges_of(root["model"]));
  }

  // --- Unigram ---

  void write_unigram(int64_t unknown, const std::string& charsmap, bool adds_space,
                     bool removes_spaces) {
    writer_.text("tokenizer.ggml.model", "t5");
    writer_.text("tokenizer.ggml.pre", "default");
    set_unknown(static_cast<size_t>(unknown));
    writer_.numbers("tokenizer.ggml.scores", scores_);
    writer_.flag("tokenizer.ggml.add_space_prefix", adds_space);
    writer_.flag("tokenizer.ggml.remove_extra_whitespaces", removes_spaces);
    if (!charsmap.empty()) writer_.bytes("tokenizer.ggml.precompiled_charsmap", charsmap);
  }

  template <class Each>
  static void for_each_step(const JsonAt& root, const char* key, const char* list,
                            const Each& each) {
    if (!root.has(key)) return;
    const JsonAt step = root[key];
    if (step["type"].text() != "Sequence") return each(step["type"].text(), step);
    const JsonAt steps = step[list];
    for (size_t i = 0; i < steps.size(); ++i) each(steps.item(i)["type"].text(), steps.item(i));
  }

  void write_unigram(const JsonAt& root) {
    const JsonAt model = root["model"];
    if (!model.has("unk_id"))
      model.not_supported("this kind of tokenizer cannot be written", "no unk_id", "an unk_id");
    std::string charsmap;
    bool adds_space = false, removes_spaces = false;
    for_each_step(root, "normalizer", "normalizers",
                  [&](const std::string& type, const JsonAt& step) {
                    const bool is_replace = type == "Replace" && step["pattern"].has("Regex") &&
                                            step["pattern"]["Regex"].text() == " {2,}";
                    if (type == "Precompiled")
                      charsmap = decode_base64(step["precompiled_charsmap"].text()).value_or("");
                    else if (type == "Strip" || is_replace)
                      removes_spaces = true;
                    else
                      step.not_supported("this normaliser cannot be written", quote_text(type),
                                         "Precompiled, Strip, Replace of \" {2,}\"");
                  });
    for_each_step(
        root, "pre_tokenizer", "pretokenizers", [&](const std::string& type, const JsonAt& step) {
          if (type == "Metaspace") {
            const std::string scheme =
                step.has("prepend_scheme") ? step["prepend_scheme"].text() : "always";
            if (scheme == "first")
              step["prepend_scheme"].not_supported("this prepend_scheme cannot be written",
                                                   "\"first\"", "\"always\", \"never\"");
            adds_space = scheme == "always";
          } else if (type == "WhitespaceSplit") {
            removes_spaces = true;
          } else {
            step.not_supported("this pre-tokenizer cannot be written", quote_text(type),
                               "Metaspace, WhitespaceSplit");
          }
        });
    write_unigram(model["unk_id"].whole(0, std::ssize(tokens_) - 1), charsmap, adds_space,
                  removes_spaces);
  }

  const Tokenizer& tokenizer_;
  std::string where_;
  const ModelCheck& check_;
  GgufWriter& writer_;
  std::vector<std::string> tokens_;  // [id]
  std::vector<int32_t> kinds_;
  std::vector<float> scores_;
};

}  // namespace

void write_vocabulary(const fs::path& folder, const ModelCheck& check, GgufWriter& writer) {
  const Tokenizer tokenizer = load_tokenizer(folder);
  const std::string name = vocabulary_file(folder);
  VocabularyWriter vocabulary(tokenizer, name, check, writer);
  if (name == "vocab.json")
    not_supported("this kind of tokenizer cannot be written", name, "source.spm and target.spm",
                  "a tokenizer.json, spiece.model or tokenizer.model");
  if (name != "tokenizer.json") return vocabulary.write_pieces(folder / name);
  Json document = parse_json(read_text_file(folder / name, JsonLimits{}.max_bytes), name);
  const TakenApart apart(document);
  vocabulary.write_tokenizer(JsonAt(document, name));
}

void check_same_tokens(const Tokenizer& before, const Tokenizer& after, const std::string& where) {
  const auto check = [&](const std::string& text) {
    if (before.encode(text) != after.encode(text))
      not_supported("the tokenizer cannot be written as GGUF", where,
                    fmt::format("other tokens for {}", quote_text(text)), "the same tokens");
  };
  for (const char* text :
       {"", "Once upon a time", " Hello  world", "it's 2024, isn't it?\n\n\tYes!", "x=[1234567];",
        "Gr\xC3\xBC\xC3\x9F"
        "e \xE4\xBD\xA0\xE5\xA5\xBD \xF0\x9F\x98\x80"})
    check(text);
  if (!kind_of(after).ends_with("Unigram")) return;
  const int64_t count = std::min(before.vocab_size(), after.vocab_size());
  for (int32_t token = 0; token < count; ++token)
    if (before.is_special(token)) check("a" + before.piece(token) + " b");
}

}  // namespace attn
