// SPDX-License-Identifier: GPL-3.0-or-later
// How a tokenizer joins the texts of tokens: the decoders of tokenizer.json, one after another. Any
// thread once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/steps/growth.h"

namespace attn {

class Decoder {
 public:
  enum class Kind {
    kReplace,
    kByteFallback,
    kFuse,
    kStrip,
    kMetaspace,
    kByteLevel,
    kWordPiece,
    kBpe,  // the mark for the end of a word becomes a space, in the last token nothing
  };
  struct Step {
    Kind kind = Kind::kFuse;
    SearchText search;  // kReplace; kMetaspace: the mark; kBpe: the end of a word
    std::string
        content;  // kReplace; kMetaspace: a space; kStrip: one character; kWordPiece: the prefix
    int64_t start = 0, stop = 0;  // kStrip: the most characters to take off at each end
    bool drops_first = false;     // kMetaspace: marks of the first part are deleted
    bool cleans_up = false;       // kWordPiece
  };
  std::vector<Step> steps;
  bool is_there = false;  // without a decoder, tokens are joined by spaces

  // Joins the texts of tokens. Like label(), throws what replace_all() throws.
  std::string join(std::vector<std::string> parts) const;
  // The text that one token contributes: the bytes that its characters stand for, marks of spaces
  // as spaces. It may hold bytes that are not UTF-8.
  std::string label(std::string part) const;
};

// The byte of a token "<0xHH>"; -1 for other tokens.
int byte_of_piece(std::string_view piece);

}  // namespace attn
