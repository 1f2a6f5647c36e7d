// SPDX-License-Identifier: GPL-3.0-or-later
// Reads sets of characters from the text of a pattern, such as [a-z], \p{L} and \s, and single
// characters behind a backslash. Any thread.
#pragma once

#include <unicode/uniset.h>

#include <cstddef>
#include <string_view>

namespace attn {

struct PatternText {
  std::string_view text;
  size_t at = 0;

  bool is_over() const { return at == text.size(); }
  bool starts_with(std::string_view word) const { return text.substr(at).starts_with(word); }
  bool skip(std::string_view word);  // if `word` comes next, goes past it
  int32_t peek() const;              // the next character; -1: the end, or not UTF-8
  int32_t take();                    // takes the next one; throws PatternError where peek() is -1
};

struct PatternSet {
  icu::UnicodeSet set;
  bool takes_invalid = false;  // whether it also has the bytes that are not UTF-8
};

// Reads a set that begins with `[`, which is read already.
PatternSet read_bracket_set(PatternText& source, bool ignores_case, int depth = 0);
// Reads the letter behind a backslash, and for \p or \P the name, where it stands for a set.
// False: it does not, and nothing was read.
bool read_escaped_set(PatternText& source, PatternSet& set, bool is_in_brackets);
// Reads what follows a backslash where it stands for one character.
int32_t read_escaped_char(PatternText& source);

// \w outside of brackets: alphabetic characters, marks, decimal digits, connectors, and the
// superscript digits and fractions of Latin-1.
icu::UnicodeSet word_characters();
// Adds all characters that differ from one of the set in case only. False: there are also sequences
// of characters that do, as "ss" for "ß"; they are left out.
bool add_case(icu::UnicodeSet& set);

}  // namespace attn
