// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens such as "<s>" that are searched for in a text before the tokenizer's model cuts the text.
// Any thread once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;      // decode can leave it out
  bool normalized = false;   // matched in the normalised text, not in the original one
  bool strip_left = false;   // takes the white space before it
  bool strip_right = false;  // takes the white space after it
  bool single_word = false;  // not matched inside a longer word
};

// Finds added tokens in text: the leftmost, and of those that begin there the longest. White space
// that a token takes on its right is still searched for the next token.
class AddedTokenMatcher {
 public:
  void add(std::string_view pattern, const AddedToken& token);
  bool empty() const { return nodes_.size() == 1; }
  // Calls on_text(piece) and on_token(id) from left to right; empty pieces are left out.
  template <class OnText, class OnToken>
  void split(std::string_view text, OnText&& on_text, OnToken&& on_token) const {
    size_t begin = 0;
    Match match;
    for (size_t from = 0; next(text, from, match); from = match.end) {
      if (match.single_word && is_in_word(text, match)) continue;
      const size_t left = match.strip_left ? space_begin(text, begin, match.begin) : match.begin;
      if (begin < left) on_text(text.substr(begin, left - begin));
      on_token(match.id);
      begin = match.end;
      if (!match.strip_right) continue;
      // White space that was already scanned for an earlier token is not scanned again.
      if (begin > match.space_end) match.space_end = space_end(text, begin);
      begin = match.space_end;
    }
    if (begin < text.size()) on_text(text.substr(begin));
  }

 private:
  struct Match {
    size_t begin = 0, end = 0;
    int32_t id = -1;
    bool strip_left = false, strip_right = false, single_word = false;
    size_t space_end = 0;  // end of the white space that a token has taken on its right
  };
  // Children of a node are a list from `child` on, linked by `sibling`; 0 ends it.
  struct Node {
    uint32_t child = 0, sibling = 0;
    int32_t token = -1;
    char byte = 0;
    bool strip_left = false, strip_right = false, single_word = false;
  };
  uint32_t child_of(uint32_t node, char byte) const;  // 0: none
  bool next(std::string_view text, size_t from, Match& match) const;
  static bool is_in_word(std::string_view text, const Match& match);
  static size_t space_begin(std::string_view text, size_t low, size_t end);
  static size_t space_end(std::string_view text, size_t begin);
  std::vector<Node> nodes_{1};  // [0] is the root
};

}  // namespace attn
