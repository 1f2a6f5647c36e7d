// SPDX-License-Identifier: GPL-3.0-or-later
// What a tokenizer does to a text before the text is cut: the normalisers of tokenizer.json, one
// after another. Texts may hold bytes that are not UTF-8. Any thread once built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/steps/charsmap.h"
#include "engine/model/tokenizer/steps/growth.h"

namespace attn {

class Normalizer {
 public:
  enum class Kind {
    kNfc,
    kNfd,
    kNfkc,
    kNfkd,
    kLowercase,
    kStripAccents,
    kStrip,
    kReplace,
    kPrepend,
    kBert,
    kCharsmap,
    kNmt,
    kByteLevel,
  };
  struct Step {
    Kind kind = Kind::kNfc;
    SearchText search;               // kReplace
    std::string content;             // kReplace, kPrepend
    bool left = true, right = true;  // kStrip
    // kBert
    bool cleans = true, separates_chinese = true, strips_accents = true, lowers_case = true;
    Charsmap charsmap;  // kCharsmap
  };
  std::vector<Step> steps;

  // `first`: the number of bytes at the beginning of the text that come from the first character of
  // the original text; it is kept up to date, in some steps as an estimate. Throws what
  // replace_all() throws, also where another step makes the text too long.
  void apply(std::string& text, size_t& first) const;
};

}  // namespace attn
