// SPDX-License-Identifier: GPL-3.0-or-later
// PieceModel: cuts a text into the pieces of a PieceFile, by Unigram (T. Kudo, "Subword
// Regularization", 2018) or by byte pairs with scores. The id of a piece is that of its text in the
// vocabulary, which need not be its number in the file. Any thread once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/models/piece_trie.h"
#include "engine/model/tokenizer/models/token_ids.h"
#include "engine/model/tokenizer/sentence_piece/piece_file.h"

namespace attn {

class PieceModel {
 public:
  // unknown: the id for text that has no token. is_marian: a text may begin with a code such as
  // ">>fr<<", which is one token, and the vocabulary has texts that are no pieces of the file.
  PieceModel(PieceFile file, int32_t unknown, bool is_marian);

  bool is_bpe() const { return is_bpe_; }
  bool byte_fallback() const { return byte_fallback_; }
  const std::string& normalizer() const { return normalizer_; }

  // Appends the tokens of `text`. Throws Error(kBadInput) where the normaliser makes it too long.
  void encode(std::string_view text, const TokenIds& ids, std::vector<int32_t>& out) const;

 private:
  static constexpr int32_t kNone = -1;  // a part of a text that is no piece
  struct Part {
    size_t begin = 0, end = 0;
    int32_t piece = kNone;  // its number in the file
  };
  struct Normal {  // what a beginning of a text becomes
    std::string_view text;
    size_t bytes = 0;  // of that beginning
  };
  Normal normal_beginning(std::string_view text) const;
  std::string normalized(std::string_view text) const;
  size_t user_defined_bytes(std::string_view text) const;
  std::vector<Part> cut_by_probability(std::string_view text) const;
  std::vector<Part> cut_by_merges(std::string_view text) const;
  int32_t find(std::string_view text) const;

  PieceTrie trie_, user_defined_;  // the value is the number of the piece
  std::vector<float> scores_;      // [piece]
  std::vector<PieceFile::Kind> kinds_;
  float least_score_ = 0, greatest_score_ = 0;  // of normal pieces; the greatest is above 0
  std::string normalizer_;
  Charsmap charsmap_;
  int32_t unknown_;
  bool is_bpe_, byte_fallback_, adds_space_, space_is_last_, removes_spaces_, marks_spaces_,
      is_marian_;
};

}  // namespace attn
