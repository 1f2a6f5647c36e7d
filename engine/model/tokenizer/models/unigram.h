// SPDX-License-Identifier: GPL-3.0-or-later
// The unigram model: of all ways to cut a text into pieces, it takes the one with the largest sum
// of scores. T. Kudo, "Subword Regularization", 2018. Any thread once built.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/models/piece_trie.h"
#include "engine/model/tokenizer/models/token_ids.h"

namespace attn {

struct UnigramModel {
  std::vector<double> scores;  // [id], logarithms of probabilities
  PieceTrie trie;
  double least_score = 0;
  std::optional<int32_t> unknown;
  bool byte_fallback = false;
  std::array<int32_t, 256> byte_tokens;  // id of the token <0xHH>, -1: there is none

  // Appends the tokens of `text`. Throws Error(kBadInput) where a character alone is no piece and
  // the model has no unknown token.
  void encode(std::string_view text, const TokenIds& ids, std::vector<int32_t>& out) const;
};

}  // namespace attn
