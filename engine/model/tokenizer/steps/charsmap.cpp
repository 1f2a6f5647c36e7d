// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/charsmap.h"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/core/utf8.h"

namespace attn {
namespace {

constexpr size_t kShortGrapheme = 6;  // bytes
// Limits, so that no search in a broken table takes long.
constexpr size_t kLongestKey = 1024, kLongestContent = 4096;  // bytes

struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};

// Each thread keeps one iterator.
UBreakIterator* grapheme_iterator() {
  thread_local const std::unique_ptr<UBreakIterator, CloseIterator> iterator = [] {
    UErrorCode error = U_ZERO_ERROR;
    return std::unique_ptr<UBreakIterator, CloseIterator>(
        ubrk_open(UBRK_CHARACTER, "", nullptr, 0, &error));
  }();
  return iterator.get();
}

template <class Each>
void for_each_grapheme(std::string_view text, Each&& each) {
  UErrorCode error = U_ZERO_ERROR;
  struct OpenText {
    UText view = UTEXT_INITIALIZER;
    ~OpenText() { utext_close(&view); }
  } open;
  utext_openUTF8(&open.view, text.data(), static_cast<int64_t>(text.size()), &error);
  UBreakIterator* iterator = grapheme_iterator();
  if (iterator) ubrk_setUText(iterator, &open.view, &error);
  if (!iterator || U_FAILURE(error)) {  // no data of ICU: character by character
    for (; !text.empty(); text.remove_prefix(first_char(text).bytes))
      each(text.substr(0, first_char(text).bytes));
    return;
  }
  auto begin = static_cast<size_t>(ubrk_first(iterator));
  for (int32_t end = ubrk_next(iterator); end != UBRK_DONE; end = ubrk_next(iterator)) {
    each(text.substr(begin, static_cast<size_t>(end) - begin));
    begin = static_cast<size_t>(end);
  }
}

// Each of these functions returns a part of a unit of the double array.
bool has_leaf(uint32_t unit) {
  return (unit >> 8 & 1) != 0;
}
uint32_t value_of(uint32_t unit) {
  return unit & 0x7fffffffu;
}
uint32_t label_of(uint32_t unit) {
  return unit & (0x80000000u | 0xffu);
}
uint32_t offset_of(uint32_t unit) {
  return unit >> 10 << ((unit & 1u << 9) >> 6);
}

}  // namespace

bool Charsmap::read(std::string_view bytes, Charsmap& map) {
  uint32_t array_bytes = 0;
  if (bytes.size() < sizeof array_bytes) return false;
  std::memcpy(&array_bytes, bytes.data(), sizeof array_bytes);
  bytes.remove_prefix(sizeof array_bytes);
  if (array_bytes == 0 || array_bytes > bytes.size() || array_bytes % sizeof(uint32_t) != 0)
    return false;
  map.units_.resize(array_bytes / sizeof(uint32_t));
  std::memcpy(map.units_.data(), bytes.data(), array_bytes);
  map.texts_ = bytes.substr(array_bytes);
  return is_utf8(map.texts_);
}

Charsmap::Match Charsmap::match(std::string_view text, bool longest) const {
  if (units_.empty()) return {};
  size_t bytes = 0;
  uint32_t place = 0, at = offset_of(units_[0]);
  for (size_t i = 0; i < std::min(text.size(), kLongestKey); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == 0) break;
    at ^= byte;
    if (at >= units_.size() || label_of(units_[at]) != byte) break;
    const uint32_t unit = units_[at];
    at ^= offset_of(unit);
    if (!has_leaf(unit)) continue;
    if (at >= units_.size() || value_of(units_[at]) >= texts_.size()) break;
    bytes = i + 1;
    place = value_of(units_[at]);
    if (!longest) break;
  }
  if (bytes == 0) return {};
  const std::string_view rest = std::string_view(texts_).substr(place, kLongestContent + 1);
  const std::string_view content = rest.substr(0, rest.find('\0'));
  // A broken table may point into the middle of a character, or at a text without an end.
  if (content.size() > kLongestContent || !is_utf8(content)) return {};
  return {bytes, content};
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  const Match found = match(text, false);
  return found.bytes > 0 ? std::optional(found.text) : std::nullopt;
}

std::string Charsmap::apply(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  for_each_grapheme(text, [&](std::string_view grapheme) {
    if (grapheme.size() < kShortGrapheme)
      if (const auto found = find(grapheme)) {
        out += *found;
        return;
      }
    while (!grapheme.empty()) {
      const std::string_view character = grapheme.substr(0, first_char(grapheme).bytes);
      out += find(character).value_or(character);
      grapheme.remove_prefix(character.size());
    }
  });
  return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>(bits >> count & 0xff);
    }
  }
  return out;
}

}  // namespace attn
