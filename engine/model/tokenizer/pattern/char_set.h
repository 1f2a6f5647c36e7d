// SPDX-License-Identifier: GPL-3.0-or-later
// A set of characters, made from a set of ICU. Any thread once built.
#pragma once

#include <unicode/uniset.h>

#include <array>
#include <cstdint>
#include <vector>

namespace attn {

class CharSet {
 public:
  // takes_invalid: whether the set also has the bytes that are not UTF-8, as [^a] does.
  CharSet(const icu::UnicodeSet& set, bool takes_invalid);
  // code: a code point, or -1 for a byte that is not UTF-8.
  bool contains(int32_t code) const {
    if (code < 0) return takes_invalid_;
    if (code < 0x80) return ascii_[static_cast<size_t>(code) >> 6] >> (code & 63) & 1;
    return contains_beyond_ascii(code);
  }

 private:
  struct Range {
    int32_t first, last;
  };
  bool contains_beyond_ascii(int32_t code) const;
  std::array<uint64_t, 2> ascii_{};
  std::vector<Range> ranges_;  // those beyond ASCII, in order
  bool takes_invalid_;
};

}  // namespace attn
