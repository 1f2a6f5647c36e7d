// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/pattern/pattern_set.h"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <optional>
#include <string>

#include "engine/core/utf8.h"
#include "engine/model/tokenizer/pattern/pattern.h"

namespace attn {
namespace {

constexpr int kMostNested = 32;

icu::UnicodeSet with_property(UProperty property, int32_t value) {
  icu::UnicodeSet set;
  UErrorCode error = U_ZERO_ERROR;
  set.applyIntPropertyValue(property, value, error);
  return set;
}

icu::UnicodeSet category(uint32_t mask) {
  return with_property(UCHAR_GENERAL_CATEGORY_MASK, static_cast<int32_t>(mask));
}

icu::UnicodeSet range(int32_t first, int32_t last) {
  return icu::UnicodeSet(first, last);
}

icu::UnicodeSet white_space() {
  return with_property(UCHAR_WHITE_SPACE, 1);
}

icu::UnicodeSet letters_and_digits() {
  return with_property(UCHAR_ALPHABETIC, 1).addAll(category(U_GC_ND_MASK));
}

icu::UnicodeSet posix_word() {
  return letters_and_digits().addAll(category(U_GC_M_MASK | U_GC_PC_MASK));
}

// The sets that can be named as in [:alpha:].
std::optional<icu::UnicodeSet> posix_set(std::string_view name) {
  if (name == "alpha") return with_property(UCHAR_ALPHABETIC, 1);
  if (name == "alnum") return letters_and_digits();
  if (name == "digit") return category(U_GC_ND_MASK);
  if (name == "upper") return with_property(UCHAR_UPPERCASE, 1);
  if (name == "lower") return with_property(UCHAR_LOWERCASE, 1);
  if (name == "space") return white_space();
  if (name == "blank") return category(U_GC_ZS_MASK).add(UChar32{'\t'});
  if (name == "cntrl") return category(U_GC_CC_MASK);
  if (name == "punct") return category(U_GC_P_MASK | U_GC_S_MASK);
  if (name == "xdigit") return range('0', '9').add('a', 'f').add('A', 'F');
  if (name == "ascii") return range(0, 0x7f);
  if (name == "word") return posix_word();
  if (name == "graph" || name == "print") {
    icu::UnicodeSet set =
        white_space().addAll(category(U_GC_CC_MASK | U_GC_CN_MASK | U_GC_CS_MASK));
    set.complement();
    return name == "graph" ? set : set.addAll(category(U_GC_ZS_MASK));
  }
  return std::nullopt;
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name)
    if (c != ' ' && c != '-' && c != '_')
      plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return plain;
}

std::optional<icu::UnicodeSet> named_set(const std::string& name) {
  if (name == "punct") return category(U_GC_P_MASK);  // without the symbols
  if (auto set = posix_set(name)) return set;
  if (name == "any") return range(0, 0x10ffff);
  if (name == "assigned") {
    icu::UnicodeSet set = category(U_GC_CN_MASK);
    set.complement();
    return set;
  }
  const int32_t mask = u_getPropertyValueEnum(UCHAR_GENERAL_CATEGORY_MASK, name.c_str());
  if (mask != UCHAR_INVALID_CODE) return category(static_cast<uint32_t>(mask));
  const int32_t script = u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str());
  if (script != UCHAR_INVALID_CODE) return with_property(UCHAR_SCRIPT, script);
  const UProperty property = u_getPropertyEnum(name.c_str());
  if (property >= UCHAR_BINARY_START && property < UCHAR_BINARY_LIMIT)
    return with_property(property, 1);
  return std::nullopt;
}

PatternSet negated(PatternSet set, bool is_negated) {
  if (!is_negated) return set;
  set.set.complement();
  set.takes_invalid = !set.takes_invalid;
  return set;
}

// Reads the rest of \p{Name}, \p{^Name} or \P{Name}, whose letter p or P is read already.
PatternSet read_property(PatternText& source, bool is_negated) {
  const size_t begin = source.at;
  if (!source.skip("{")) throw PatternError(true, "\\p is not followed by {", begin);
  if (source.skip("^")) is_negated = !is_negated;
  const size_t end = source.text.find('}', source.at);
  if (end == std::string_view::npos) throw PatternError(true, "\\p{ is not closed", begin);
  const std::string_view name = source.text.substr(source.at, end - source.at);
  auto set = named_set(plain_name(name));
  if (!set) throw PatternError(false, fmt::format("the property \\p{{{}}}", name), begin);
  source.at = end + 1;
  return negated({std::move(*set)}, is_negated);
}

// Reads the rest of [:alpha:] or [:^alpha:] within a set, whose first bracket is read already.
// Reads nothing where the text is no such set.
std::optional<PatternSet> read_posix_set(PatternText& source) {
  const size_t end = source.text.find(":]", source.at);
  if (!source.starts_with(":") || end == std::string_view::npos) return std::nullopt;
  std::string_view name = source.text.substr(source.at + 1, end - source.at - 1);
  const bool is_negated = name.starts_with("^");
  if (is_negated) name.remove_prefix(1);
  auto set = posix_set(name);
  if (!set) return std::nullopt;
  source.at = end + 2;
  return negated({std::move(*set)}, is_negated);
}

int32_t read_hexadecimal(PatternText& source, size_t fewest, size_t most) {
  const size_t begin = source.at;
  int64_t code = 0;
  while (source.at - begin < most && !source.is_over()) {
    const char c = source.text[source.at];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) break;
    code = code * 16 + digit;
    ++source.at;
  }
  if (source.at - begin < fewest || code > 0x10ffff)
    throw PatternError(true, "no character has this number", begin);
  return static_cast<int32_t>(code);
}

// Reads one item of a set in brackets: a character, a range such as a-z, or a set such as \w.
void read_item(PatternText& source, icu::UnicodeSet& set, bool& takes_invalid) {
  const auto read_char = [&] {
    if (source.skip("\\")) return source.skip("b") ? int32_t{'\b'} : read_escaped_char(source);
    return source.take();
  };
  if (source.starts_with("\\")) {
    PatternText behind = source;
    PatternSet named;
    behind.skip("\\");
    if (read_escaped_set(behind, named, true)) {
      set.addAll(named.set);
      takes_invalid |= named.takes_invalid;
      source = behind;
      return;
    }
  }
  const size_t begin = source.at;
  const int32_t first = read_char();
  const bool is_range = source.starts_with("-") && source.at + 1 < source.text.size() &&
                        source.text[source.at + 1] != ']' && source.text[source.at + 1] != '[' &&
                        !source.starts_with("-&&");
  if (!is_range) {
    set.add(first);
    return;
  }
  source.skip("-");
  const int32_t last = read_char();
  if (last < first) throw PatternError(true, "a range of characters ends before it begins", begin);
  set.add(first, last);
}

}  // namespace

bool PatternText::skip(std::string_view word) {
  if (!starts_with(word)) return false;
  at += word.size();
  return true;
}

int32_t PatternText::peek() const {
  return is_over() ? -1 : first_char(text.substr(at)).code;
}

int32_t PatternText::take() {
  if (is_over()) throw PatternError(true, "the pattern ends too early", at);
  const Utf8Char next = first_char(text.substr(at));
  if (next.code < 0) throw PatternError(true, "a byte is not UTF-8", at);
  at += next.bytes;
  return next.code;
}

icu::UnicodeSet word_characters() {
  return posix_word().add(0xb2, 0xb3).add(0xb9).add(0xbc, 0xbe);
}

bool add_case(icu::UnicodeSet& set) {
  set.closeOver(USET_CASE_INSENSITIVE);
  const bool has_strings = set.hasStrings();
  set.removeAllStrings();
  return !has_strings;
}

bool read_escaped_set(PatternText& source, PatternSet& set, bool is_in_brackets) {
  if (source.is_over()) return false;
  const char letter = source.text[source.at];
  const auto read = [&](icu::UnicodeSet characters, bool is_negated) {
    ++source.at;
    set = negated({std::move(characters)}, is_negated);
    return true;
  };
  switch (letter) {
    case 's':
    case 'S':
      return read(white_space(), letter == 'S');
    case 'd':
    case 'D':
      return read(category(U_GC_ND_MASK), letter == 'D');
    case 'w':
    case 'W':
      return read(is_in_brackets ? posix_word() : word_characters(), letter == 'W');
    case 'h':
    case 'H':
      return read(range('0', '9').add('a', 'f').add('A', 'F'), letter == 'H');
    case 'p':
    case 'P':
      ++source.at;
      set = read_property(source, letter == 'P');
      return true;
    default:
      return false;
  }
}

int32_t read_escaped_char(PatternText& source) {
  const size_t begin = source.at;
  const int32_t code = source.take();
  switch (code) {
    case 't':
      return '\t';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 'f':
      return '\f';
    case 'v':
      return '\v';
    case 'a':
      return '\a';
    case 'e':
      return 0x1b;
    case 'u':
      return read_hexadecimal(source, 4, 4);
    case 'x': {
      if (!source.skip("{")) return read_hexadecimal(source, 1, 2);
      const int32_t value = read_hexadecimal(source, 1, 8);
      if (!source.skip("}")) throw PatternError(true, "\\x{ is not closed", begin);
      return value;
    }
    default:
      break;
  }
  const bool has_meaning =
      (code >= '0' && code <= '9') || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  if (has_meaning) throw PatternError(false, fmt::format("\\{}", static_cast<char>(code)), begin);
  return code;
}

PatternSet read_bracket_set(PatternText& source, bool ignores_case, int depth) {
  const size_t begin = source.at;
  if (depth >= kMostNested)
    throw PatternError(false, fmt::format("more than {} nested sets", kMostNested), begin);
  const bool is_negated = source.skip("^");
  PatternSet result;
  std::optional<PatternSet> left;  // what stands before && in an intersection
  const auto intersect = [&] {
    if (left) {
      result.set.retainAll(left->set);
      result.takes_invalid &= left->takes_invalid;
    }
  };
  for (bool is_first = true; is_first || !source.starts_with("]"); is_first = false) {
    if (source.is_over()) throw PatternError(true, "a set is not closed", begin);
    if (source.skip("&&")) {
      intersect();
      left = std::move(result);
      result = {};
    } else if (source.skip("[")) {
      std::optional<PatternSet> nested = read_posix_set(source);
      if (!nested) nested = read_bracket_set(source, ignores_case, depth + 1);
      result.set.addAll(nested->set);
      result.takes_invalid |= nested->takes_invalid;
    } else {
      read_item(source, result.set, result.takes_invalid);
    }
  }
  source.skip("]");
  intersect();
  if (ignores_case) add_case(result.set);
  return negated(std::move(result), is_negated);
}

}  // namespace attn
