// SPDX-License-Identifier: GPL-3.0-or-later
// WordPiece cuts a word from the left, each time by the longest piece of the vocabulary that fits;
// pieces that continue a word have a prefix ("##"). A word that cannot be cut in this way, or is
// too long, is the unknown token. WordLevel has whole words only. Any thread once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/models/piece_trie.h"
#include "engine/model/tokenizer/models/token_ids.h"

namespace attn {

struct WordPieceModel {
  PieceTrie pieces;     // all pieces; a word begins with one of these
  PieceTrie continued;  // pieces with the prefix, such as ##ing, stored without it
  int32_t unknown = 0;
  size_t most_characters = 100;  // of a word

  void encode(std::string_view word, const TokenIds& ids, std::vector<int32_t>& out) const;
};

struct WordLevelModel {
  int32_t unknown = 0;

  void encode(std::string_view word, const TokenIds& ids, std::vector<int32_t>& out) const;
};

}  // namespace attn
