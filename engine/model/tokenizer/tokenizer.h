// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizer: the pipeline of a `tokenizer.json`: added tokens, normalisers, pre-tokenizers, a model
// (BPE, WordPiece, Unigram, WordLevel), a template of special tokens, decoders. The model may also
// come from a model file of SentencePiece. Read by tokenizer_parse.h, tokenizer_folder.h and
// gguf_tokenizer.h, and put into words by describe.h. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/model/tokenizer/tokenizer_parts.h"

namespace attn {

class Tokenizer {
 public:
  Tokenizer() = default;  // no tokens
  explicit Tokenizer(TokenizerParts parts) : parts_(std::move(parts)) {}
  // From now on `model` cuts the texts between the added tokens.
  void set_model(PieceModel model) { parts_.model = std::move(model); }

  const TokenizerParts& parts() const { return parts_; }
  int64_t vocab_size() const { return static_cast<int64_t>(parts_.pieces.size()); }
  // The number of tokens in the model's own vocabulary, without those that were only added to it.
  int64_t model_vocab_size() const { return parts_.model_vocab_size; }
  // The text may have bytes that are not UTF-8. add_special_tokens adds those of the template, such
  // as "<s>" in front. Throws Error(kBadInput) for a text of more than 2^28 bytes, or where
  // Unigram has no token for a character. encode(), decode() and token_text() throw the same where
  // replacements make a text too long, or a pattern takes too many steps.
  std::vector<int32_t> encode(std::string_view text, bool add_special_tokens = true) const;
  // Ids outside the vocabulary give no text.
  std::string decode(std::span<const int32_t> tokens, bool skip_special_tokens = true) const;
  // The text a token contributes, for labels: leading spaces, newline and tab kept, the bytes of
  // other control characters and of what is not UTF-8 as <0xHH>. A special token: its piece(). An
  // id outside the vocabulary: <ID>.
  std::string token_text(int32_t token) const;

  // The text of a token in the form of tokenizer.json, such as "##ing"; not decoded.
  const std::string& piece(int32_t token) const {
    return parts_.pieces[static_cast<size_t>(token)];
  }
  std::optional<int32_t> find(std::string_view piece) const;
  bool is_special(int32_t token) const;

 private:
  void encode_piece(std::string_view piece, size_t first, std::vector<int32_t>& ids) const;

  TokenizerParts parts_;
};

}  // namespace attn
