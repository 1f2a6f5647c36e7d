// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/models/word_piece.h"

#include "engine/core/utf8.h"

namespace attn {

void WordPieceModel::encode(std::string_view word, const TokenIds& /*ids*/,
                            std::vector<int32_t>& out) const {
  size_t characters = 0;
  for (std::string_view rest = word; !rest.empty() && characters <= most_characters; ++characters)
    rest.remove_prefix(first_char(rest).bytes);
  const size_t before = out.size();
  for (size_t begin = 0; begin < word.size() && characters <= most_characters;) {
    const PieceTrie& trie = begin == 0 ? pieces : continued;
    uint32_t node = PieceTrie::kRoot;
    size_t longest = begin;
    int32_t id = -1;
    for (size_t end = begin; end < word.size();) {
      node = trie.next(node, word[end++]);
      if (node == PieceTrie::kNone) break;
      if (trie.value(node) < 0) continue;
      id = trie.value(node);
      longest = end;
    }
    if (id < 0) {
      characters = most_characters + 1;
      break;
    }
    out.push_back(id);
    begin = longest;
  }
  if (characters > most_characters) {
    out.resize(before);
    out.push_back(unknown);
  }
}

void WordLevelModel::encode(std::string_view word, const TokenIds& ids,
                            std::vector<int32_t>& out) const {
  const auto known = ids.find(word);
  out.push_back(known == ids.end() ? unknown : known->second);
}

}  // namespace attn
