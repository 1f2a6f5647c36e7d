// SPDX-License-Identifier: GPL-3.0-or-later
// Byte pair encoding with merges by rank: the pair with the lowest rank merges first, the leftmost
// among equals. R. Sennrich, B. Haddow, A. Birch, "Neural Machine Translation of Rare Words with
// Subword Units", 2016. O(n log n) in the length of the word. Any thread once built.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/tokenizer/models/merge_joints.h"
#include "engine/model/tokenizer/models/token_ids.h"

namespace attn {

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

  std::vector<Slot> slots_;  // the size is a power of two; at most half of the slots are used
  size_t used_ = 0;
};

struct BpeModel {
  MergeTable merges;
  MergeJoints joints;                    // of the same merges, finished
  std::array<int32_t, 256> byte_tokens;  // id of the token <0xHH>, -1: there is none
  bool byte_fallback = false;
  bool fuse_unknown = false;
  bool ignore_merges =
      false;           // a word that is in the vocabulary becomes that token without merging
  std::string prefix;  // in front of every character of a word but the first, when it is looked up
  std::string suffix;  // behind the last character of a word, when it is looked up
  std::optional<int32_t> unknown;

  // Appends the tokens of `word`. A byte that is not part of valid UTF-8 counts as one character.
  void encode(std::string_view word, const TokenIds& ids, std::vector<int32_t>& out) const;
};

}  // namespace attn
