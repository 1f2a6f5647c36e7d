// SPDX-License-Identifier: GPL-3.0-or-later
// Replacements in the texts of a tokenizer, and how long its steps may make a text. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/model/tokenizer/pattern/pattern.h"

namespace attn {

// The most bytes that a text of `bytes` bytes may become.
size_t most_bytes(size_t bytes);
// Throws Error(kBadInput) where `bytes`, the length of a text, is above `most`.
void check_growth(size_t bytes, size_t most);

struct SearchText {
  std::string literal;  // where this is empty, `pattern` is searched for
  Pattern pattern = Pattern::literal("");
};

// Puts `content` in the place of all that `search` finds. `first` is the number of bytes at the
// beginning of the text that come from the first character of the original; it is kept up to date.
// Returns whether it found something. Throws the errors of check_growth() and PatternMatches.
bool replace_all(std::string& text, const SearchText& search, std::string_view content, size_t most,
                 size_t& first);

}  // namespace attn
