// SPDX-License-Identifier: GPL-3.0-or-later
// MergeJoints: where a text can be cut before its merges are looked for. A merge joins the last
// character of its left token with the first character of its right token. Between two characters
// that no merge joins in this way a text can be cut, and its parts are encoded one after the other.
// Any thread once finished.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

class MergeJoints {
 public:
  void add(int32_t left, int32_t right, int32_t token);  // a merge; before finish()
  void finish();
  // False: no merge reaches from the symbol `left` of a text to its right neighbour `right`.
  bool may_join(int32_t left, int32_t right) const;

 private:
  struct Merge {
    int32_t left, right, token;
  };
  bool find_ends();

  std::vector<Merge> merges_;
  std::vector<int32_t> first_, last_;  // of each token: the symbols at its ends
  std::vector<uint64_t> pairs_;        // hash table; the size is a power of two
  // may_join() returns true for all pairs: before finish(), or where find_ends() returned false.
  bool all_ = true;
};

}  // namespace attn
