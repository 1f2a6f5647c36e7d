// SPDX-License-Identifier: GPL-3.0-or-later
// Byte pair encoding with merges by rank, as the `tokenizers` library does it: the pair with the
// lowest rank merges first, the leftmost among equals. R. Sennrich, B. Haddow, A. Birch, "Neural
// Machine Translation of Rare Words with Subword Units", 2016. O(n log n) in the length of the
// word. Any thread once built.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using TokenIds = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

// What two neighbouring tokens merge into. Open addressing: it is asked once per pair of the text.
class MergeTable {
 public:
  struct Merge {
    uint32_t rank = 0;
    int32_t token = 0;
  };
  explicit MergeTable(size_t expected = 0);
  void set(int32_t left, int32_t right, Merge merge);  // a later one replaces an earlier one
  const Merge* find(int32_t left, int32_t right) const;

 private:
  struct Slot {
    uint64_t pair = kEmpty;
    Merge merge;
  };
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static uint64_t key(int32_t left, int32_t right) {
    return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  }
  size_t slot_of(uint64_t pair) const;
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  size_t used_ = 0;
};

struct BpeModel {
  TokenIds ids;  // the model's own vocabulary
  MergeTable merges;
  std::array<int32_t, 256> byte_tokens;  // id of <0xHH>, -1: none
  bool byte_fallback = false;
  bool fuse_unknown = false;
  bool ignore_merges = false;  // a word that is a token is that token
  std::optional<int32_t> unknown;

  // Appends the tokens of `word`. Bytes that are not UTF-8 count as characters of their own.
  void encode(std::string_view word, std::vector<int32_t>& out) const;
};

// Bytes of the UTF-8 character at the start of `text` (not empty); 1 where it is not well formed.
size_t utf8_step(std::string_view text);

}  // namespace attn
