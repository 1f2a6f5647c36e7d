// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of UTF-8 text, by ICU. Text may hold bytes that are not UTF-8. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace attn {

struct Utf8Char {
  int32_t code;  // the code point; -1: a byte that is not part of well-formed UTF-8
  size_t bytes;  // 1 to 4
};

// text: not empty.
Utf8Char first_char(std::string_view text);
Utf8Char last_char(std::string_view text);

bool is_utf8(std::string_view text);

// code: a code point, or -1, for which both functions return false.
bool is_white_space(int32_t code);  // Unicode's property White_Space
// True for control codes (C0, C1, delete) and for characters with the Unicode property
// Bidi_Control.
bool controls_terminal(int32_t code);

// Bytes of a beginning of `text` that has at most `most` bytes and cuts no character; if `text` is
// UTF-8, of the longest one.
size_t whole_chars(std::string_view text, size_t most);

}  // namespace attn
