// SPDX-License-Identifier: GPL-3.0-or-later
// How a tokenizer cuts a text into words before its model cuts these into tokens: the
// pre-tokenizers of tokenizer.json, one after another. Any thread once built.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/steps/growth.h"

namespace attn {

class PreTokenizer {
 public:
  enum class Kind {
    kByteLevel,
    kSplit,
    kMetaspace,
    kWhitespace,       // into words and runs of other characters; drops white space
    kWhitespaceSplit,  // at white space, which is dropped
    kBert,             // at white space, which is dropped, and each punctuation mark by itself
    kDigits,
    kPunctuation,
    kDelimiter,  // at one character, which is dropped
  };
  // What becomes of the matches of a pattern and the text between them.
  enum class Behavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
  enum class Prepend { kAlways, kFirst, kNever };  // kFirst: only at the start of the whole text
  struct Step {
    Kind kind = Kind::kByteLevel;
    bool adds_space = true;  // kByteLevel: puts a space before a piece that begins with none
    bool splits = true;      // kByteLevel: by GPT-2's pattern; kMetaspace: before each mark
    SearchText search;       // kSplit
    Behavior behavior = Behavior::kIsolated;  // kSplit, kPunctuation
    bool inverts = false;                     // kSplit: the text between matches counts as match
    Prepend prepend = Prepend::kAlways;       // kMetaspace
    std::string mark;                         // kMetaspace, kDelimiter: one character
    bool each_digit = true;                   // kDigits
  };
  std::vector<Step> steps;

  // A part of the text that is cut further, or a word. `first`: how many bytes at its beginning
  // come from the first character of the whole text.
  struct Piece {
    size_t begin = 0, end = 0, first = 0;
  };
  struct Pieces {
    std::string text;
    std::vector<Piece> list;
  };
  Pieces split(std::string_view text, size_t first) const;

  static const Pattern& gpt2();
};

}  // namespace attn
