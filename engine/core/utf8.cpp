// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/utf8.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace attn {
namespace {

constexpr size_t kLongest = U8_MAX_LENGTH;

const uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}

// Takes one malformed byte at a time; ICU may take several bytes as one fault.
Utf8Char char_of(UChar32 code, int32_t bytes) {
  return code < 0 ? Utf8Char{-1, 1} : Utf8Char{code, static_cast<size_t>(bytes)};
}

}  // namespace

Utf8Char first_char(std::string_view text) {
  const auto size = static_cast<int32_t>(std::min(text.size(), kLongest));
  int32_t at = 0;
  UChar32 code = 0;
  U8_NEXT(bytes_of(text), at, size, code);
  return char_of(code, at);
}

Utf8Char last_char(std::string_view text) {
  text.remove_prefix(text.size() - std::min(text.size(), kLongest));
  const auto size = static_cast<int32_t>(text.size());
  int32_t at = size;
  UChar32 code = 0;
  U8_PREV(bytes_of(text), 0, at, code);
  return char_of(code, size - at);
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char next = first_char(text);
    if (next.code < 0) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

bool is_white_space(int32_t code) {
  return code >= 0 && u_isUWhiteSpace(code);
}

bool controls_terminal(int32_t code) {
  return code >= 0 && (u_isISOControl(code) || u_hasBinaryProperty(code, UCHAR_BIDI_CONTROL));
}

size_t whole_chars(std::string_view text, size_t most) {
  if (text.size() <= most) return text.size();
  const std::string_view end = text.substr(0, most).substr(most - std::min(most, kLongest));
  auto size = static_cast<int32_t>(end.size());
  U8_TRUNCATE_IF_INCOMPLETE(bytes_of(end), 0, size);
  return most - end.size() + static_cast<size_t>(size);
}

}  // namespace attn
