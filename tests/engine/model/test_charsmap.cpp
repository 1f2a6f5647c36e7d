// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/steps/charsmap.h"

#include <gtest/gtest.h>

#include <cstring>

namespace attn {
namespace {

// A broken table with an endless chain: it knows a, aa, aaa and so on, and replaces each by
// `content`.
Charsmap circle(const std::string& content) {
  std::vector<uint32_t> units(226, 0);
  units[0] = 128u << 10;  // the next byte's unit is at 128 ^ byte
  units['a' ^ 128u] = 'a' | 1u << 8 | 'a' << 10;
  const auto bytes = static_cast<uint32_t>(units.size() * sizeof(uint32_t));
  std::string table(sizeof bytes + bytes, '\0');
  std::memcpy(table.data(), &bytes, sizeof bytes);
  std::memcpy(table.data() + sizeof bytes, units.data(), bytes);
  Charsmap map;
  EXPECT_TRUE(Charsmap::read(table + content + '\0', map));
  return map;
}

TEST(Charsmap, ABrokenTableIsFollowedForAWhileOnly) {
  const std::string text(100'000, 'a');
  const Charsmap map = circle("b");
  EXPECT_EQ(map.longest(text).bytes, 1024u);
  EXPECT_EQ(map.longest(text).text, "b");
  EXPECT_EQ(map.longest("aa!").bytes, 2u);
  EXPECT_EQ(circle(std::string(4096, 'b')).longest("a").text.size(), 4096u);
  EXPECT_EQ(circle(std::string(4097, 'b')).longest("a").bytes, 0u);
}

}  // namespace
}  // namespace attn
