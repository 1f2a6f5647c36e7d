// SPDX-License-Identifier: GPL-3.0-or-later
// The table by which SentencePiece replaces characters ("precompiled charsmap"): a double array
// that leads from bytes to places in a list of texts. Also reads base64, in which tokenizer.json
// has the table. Any thread once built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class Charsmap {
 public:
  Charsmap() = default;
  // The bytes of the table: size of the double array in bytes (u32, little endian), the array
  // (u32 each), and the texts, each ended by a zero byte. False: it is broken.
  static bool read(std::string_view bytes, Charsmap& map);

  // Replaces the characters of a valid UTF-8 text. Where a grapheme has less than 6 bytes and the
  // table knows a beginning of it, the text for the shortest such beginning replaces the whole
  // grapheme; else its characters are replaced one by one.
  std::string apply(std::string_view text) const;

  // A beginning of a text that the table knows, and what it becomes. 0 bytes: there is none.
  struct Match {
    size_t bytes = 0;
    std::string_view text = {};
  };
  Match longest(std::string_view text) const { return match(text, true); }

 private:
  Match match(std::string_view text, bool longest) const;
  std::optional<std::string_view> find(std::string_view text) const;
  std::vector<uint32_t> units_;
  std::string texts_;
};

// Bytes of a base64 text; nullopt: it is not base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace attn
