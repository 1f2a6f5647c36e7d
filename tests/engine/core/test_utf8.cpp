// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace attn {
namespace {

TEST(Utf8, CharactersFromBothEnds) {
  const std::string text = "aé€😀";
  const int32_t codes[] = {'a', 0xe9, 0x20ac, 0x1f600};
  std::string_view rest = text;
  for (const int32_t code : codes) {
    EXPECT_EQ(first_char(rest).code, code);
    rest.remove_prefix(first_char(rest).bytes);
  }
  EXPECT_TRUE(rest.empty());
  rest = text;
  for (int i = 3; i >= 0; --i) {
    EXPECT_EQ(last_char(rest).code, codes[i]);
    rest.remove_suffix(last_char(rest).bytes);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(Utf8, EveryWrongByteIsOneByItself) {
  for (const std::string_view wrong :
       {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\xf0\x9f\x98",
        "\x80", "\xff"}) {
    EXPECT_FALSE(is_utf8(wrong));
    for (const Utf8Char found : {first_char(wrong), last_char(wrong)}) {
      EXPECT_EQ(found.code, -1);
      EXPECT_EQ(found.bytes, 1u);
    }
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8(std::string_view("\0é", 3)));
}

TEST(Utf8, Properties) {
  for (const int32_t white : {0x09, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x200a, 0x2028, 0x3000})
    EXPECT_TRUE(is_white_space(white)) << white;
  for (const int32_t other : {-1, 0x08, 0x180e, 0x200b, 0x2581, 0xfeff})
    EXPECT_FALSE(is_white_space(other)) << other;
  for (const int32_t control : {0, 0x1b, 0x7f, 0x9b, 0x61c, 0x200f, 0x202e, 0x2069})
    EXPECT_TRUE(controls_terminal(control)) << control;
  for (const int32_t other : {-1, 0x20, 0xa0, 0x200b, 0x2010, 0x206a})
    EXPECT_FALSE(controls_terminal(other)) << other;
}

TEST(Utf8, NoCharacterIsCut) {
  const std::string text = "a€b";
  for (const auto& [most, size] :
       {std::pair<size_t, size_t>{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 4}, {5, 5}, {9, 5}})
    EXPECT_EQ(whole_chars(text, most), size) << most;
  EXPECT_EQ(whole_chars("\x80\x80\x80\x80\x80\x80", 5), 5u);
}

}  // namespace
}  // namespace attn
