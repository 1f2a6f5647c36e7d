// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer: the pipeline of a `tokenizer.json`: added tokens, normalisers, pre-tokenizers, a model
// (BPE, WordPiece, Unigram, WordLevel), a template of special tokens, decoders. The model may also
// come from a model file of SentencePiece. A part that is not supported is refused by its name
// (kNotSupported); a broken file is kBadInput. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/files/json.h"
#include "engine/model/tokenizer/added_tokens.h"
#include "engine/model/tokenizer/models/bpe.h"
#include "engine/model/tokenizer/models/unigram.h"
#include "engine/model/tokenizer/models/word_piece.h"
#include "engine/model/tokenizer/sentence_piece/piece_model.h"
#include "engine/model/tokenizer/steps/decoder.h"
#include "engine/model/tokenizer/steps/normalizer.h"
#include "engine/model/tokenizer/steps/pre_tokenizer.h"

namespace attn {

class Tokenizer {
 public:
  static Tokenizer load(const std::filesystem::path& file);
  // Reads the tokenizer.json of a Hugging Face folder, or else its model files of SentencePiece
  // (sentence_piece/piece_folder.h). A tokenizer class that the folder names may change the
  // tokenizer (tokenizer_folder.cpp).
  static Tokenizer load_folder(const std::filesystem::path& folder);
  static Tokenizer parse(std::string_view json, const std::string& where);
  // The same for a document that is parsed already, or was made in the program.
  static Tokenizer from_json(const nlohmann::json& document, const std::string& where);
  // From now on `model` cuts the texts between the added tokens.
  void set_model(PieceModel model) { model_ = std::move(model); }

  int64_t vocab_size() const { return static_cast<int64_t>(pieces_.size()); }
  // Tokens of the model's own vocabulary, without those that were only added to it.
  int64_t model_vocab_size() const { return model_vocab_size_; }
  // What kind it is: "BPE, byte-level".
  std::string kind() const;
  // Its parts, one line each: "normalizer: NFC".
  std::vector<std::string> steps() const;
  // The text may have bytes that are not UTF-8. add_special_tokens adds those of the template, such
  // as "<s>" in front. Throws Error(kBadInput) for a text of more than 2^28 bytes. encode(),
  // decode() and token_text() throw the same where the replacements of tokenizer.json make a text
  // too long (steps/growth.h).
  std::vector<int32_t> encode(std::string_view text, bool add_special_tokens = true) const;
  // Ids outside the vocabulary give no text.
  std::string decode(std::span<const int32_t> tokens, bool skip_special_tokens = true) const;
  // The text a token contributes, for labels: leading spaces, newline and tab kept, the bytes of
  // other control characters and of what is not UTF-8 as <0xHH>. An id outside the vocabulary:
  // <ID>.
  std::string token_text(int32_t token) const;

  // The text of a token as it is in the file.
  const std::string& piece(int32_t token) const { return pieces_[static_cast<size_t>(token)]; }
  std::optional<int32_t> find(std::string_view piece) const;
  bool is_special(int32_t token) const;

 private:
  friend class TokenizerParser;
  // Limits of a tokenizer.json. The depth leaves room for nested Sequences.
  static constexpr JsonLimits kLimits{.max_depth = 4 * 32, .bytes_per_value = 256};
  void encode_piece(std::string_view piece, size_t first, std::vector<int32_t>& ids) const;

  std::vector<std::string> pieces_;  // [id]
  std::vector<bool> special_;        // [id]
  std::variant<BpeModel, WordPieceModel, UnigramModel, WordLevelModel, PieceModel> model_;
  int64_t model_vocab_size_ = 0;
  TokenIds model_ids_, added_ids_;
  // [id] what the normaliser makes of an added token's text; only for tokens that are matched in
  // the normalised text and whose text it changes.
  std::unordered_map<int32_t, std::string> normal_pieces_;
  Normalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  Decoder decoder_;
  std::vector<int32_t> template_before_, template_after_;
  AddedTokenMatcher raw_matcher_, normalized_matcher_;
};

}  // namespace attn
