// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/characters.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>

namespace attn {
namespace {

bool has_category(int32_t code, uint32_t mask) {
  return code >= 0 && (U_GET_GC_MASK(code) & mask) != 0;
}

bool is_at_most(int32_t code, int version) {
  UVersionInfo age;
  u_charAge(code, age);
  return age[0] != 0 && age[0] <= version;
}

// Bytes that are visible characters of Latin-1 stand for themselves.
constexpr bool is_visible(int byte) {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

constexpr auto kByteCharacters = [] {
  std::array<int32_t, 256> characters{};
  int32_t next = 256;
  for (int byte = 0; byte < 256; ++byte)
    characters[static_cast<size_t>(byte)] = is_visible(byte) ? byte : next++;
  return characters;
}();

constexpr auto kCharacterBytes = [] {
  std::array<int, 256 + 68> bytes{};
  bytes.fill(-1);
  for (int byte = 0; byte < 256; ++byte)
    bytes[static_cast<size_t>(kByteCharacters[static_cast<size_t>(byte)])] = byte;
  return bytes;
}();

}  // namespace

bool is_word_character(int32_t code) {
  return has_category(code, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK) ||
         (code >= 0 && (u_isUAlphabetic(code) || u_hasBinaryProperty(code, UCHAR_JOIN_CONTROL)));
}

bool is_numeric(int32_t code) {
  return has_category(code, U_GC_N_MASK);
}

bool is_split_punctuation(int32_t code) {
  if (code < 0x80) return has_category(code, U_GC_P_MASK | U_GC_S_MASK);
  // These two had another category in Unicode 8.
  return code == 0x166d || code == 0x111c9 ||
         (has_category(code, U_GC_P_MASK) && is_at_most(code, 8));
}

bool is_bert_control(int32_t code) {
  return code != '\t' && code != '\n' && code != '\r' &&
         has_category(code, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK) && is_at_most(code, 8);
}

bool is_chinese_ideograph(int32_t code) {
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf) ||
         (code >= 0x20000 && code <= 0x2a6df) || (code >= 0x2a700 && code <= 0x2b81f) ||
         (code >= 0x2b920 && code <= 0x2ceaf) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0x2f800 && code <= 0x2fa1f);
}

bool is_nonspacing_mark(int32_t code) {
  if (code == 0x1734) return true;  // these five had another category in Unicode 8
  if (code == 0x1885 || code == 0x1886 || code == 0xa9bd || code == 0x111c9) return false;
  return has_category(code, U_GC_MN_MASK) && is_at_most(code, 8);
}

bool is_combining_mark(int32_t code) {
  if (code == 0x1cf2 || code == 0x1cf3) return true;  // these three had another in Unicode 9
  if (code == 0x111c9) return false;
  return has_category(code, U_GC_M_MASK) && is_at_most(code, 9);
}

void append_utf8(std::string& text, int32_t code) {
  std::array<uint8_t, U8_MAX_LENGTH> bytes{};
  int32_t size = 0;
  U8_APPEND_UNSAFE(bytes.data(), size, code);
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(size));
}

int32_t char_of_byte(unsigned char byte) {
  return kByteCharacters[byte];
}

int byte_of_char(int32_t code) {
  return code >= 0 && code < static_cast<int32_t>(kCharacterBytes.size())
             ? kCharacterBytes[static_cast<size_t>(code)]
             : -1;
}

}  // namespace attn
