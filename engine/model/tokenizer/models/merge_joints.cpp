// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/models/merge_joints.h"

#include <algorithm>
#include <bit>

namespace attn {
namespace {

constexpr int32_t kNotFound = -1;
constexpr uint64_t kEmpty = ~uint64_t{0};

uint64_t key(int32_t left, int32_t right) {
  return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
}

// The place of the pair in the table, or the empty place where it would be.
size_t place_of(const std::vector<uint64_t>& pairs, uint64_t pair) {
  const size_t mask = pairs.size() - 1;
  size_t at = static_cast<size_t>((pair * 0x9e3779b97f4a7c15u) >> 36) & mask;
  while (pairs[at] != kEmpty && pairs[at] != pair) at = (at + 1) & mask;
  return at;
}

}  // namespace

void MergeJoints::add(int32_t left, int32_t right, int32_t token) {
  merges_.push_back({left, right, token});
}

// Sets first_ and last_. A token that no merge makes is its own first and last symbol. Another
// token has the first symbol of its left half and the last symbol of its right half. False: a token
// has two different first or last symbols, or is made only of itself.
bool MergeJoints::find_ends() {
  int32_t highest = -1;
  for (const Merge& merge : merges_)
    highest = std::max({highest, merge.left, merge.right, merge.token});
  first_.resize(static_cast<size_t>(highest + 1));
  for (size_t id = 0; id < first_.size(); ++id) first_[id] = static_cast<int32_t>(id);
  for (const Merge& merge : merges_) first_[static_cast<size_t>(merge.token)] = kNotFound;
  last_ = first_;
  const auto take = [](int32_t& end, int32_t found, bool& changed) {
    changed = changed || end == kNotFound;
    if (end == kNotFound) end = found;
    return end == found;
  };
  for (bool waiting = true; waiting;) {
    bool changed = false;
    waiting = false;
    for (const Merge& merge : merges_) {
      const int32_t first = first_[static_cast<size_t>(merge.left)];
      const int32_t last = last_[static_cast<size_t>(merge.right)];
      if (first == kNotFound || last == kNotFound) {
        waiting = true;
        continue;
      }
      const auto token = static_cast<size_t>(merge.token);
      if (!take(first_[token], first, changed) || !take(last_[token], last, changed)) return false;
    }
    if (waiting && !changed) return false;
  }
  return true;
}

void MergeJoints::finish() {
  all_ = !find_ends();
  if (!all_) {
    pairs_.assign(16, kEmpty);
    size_t used = 0;
    for (const Merge& merge : merges_) {
      const uint64_t pair =
          key(last_[static_cast<size_t>(merge.left)], first_[static_cast<size_t>(merge.right)]);
      const size_t at = place_of(pairs_, pair);
      if (pairs_[at] == pair) continue;
      pairs_[at] = pair;
      if (++used * 2 <= pairs_.size()) continue;
      std::vector<uint64_t> old(pairs_.size() * 2, kEmpty);
      old.swap(pairs_);
      for (const uint64_t one : old)
        if (one != kEmpty) pairs_[place_of(pairs_, one)] = one;
    }
  }
  merges_ = {};
}

bool MergeJoints::may_join(int32_t left, int32_t right) const {
  if (all_) return true;
  const auto known = static_cast<int32_t>(first_.size());
  if (left >= known || right >= known) return false;  // the token is in no merge
  const uint64_t pair = key(last_[static_cast<size_t>(left)], first_[static_cast<size_t>(right)]);
  return pairs_[place_of(pairs_, pair)] == pair;
}

}  // namespace attn
