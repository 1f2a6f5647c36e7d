// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/tokenizer/models/piece_trie.h"

#include <algorithm>
#include <queue>

namespace attn {

PieceTrie::PieceTrie(std::vector<std::pair<std::string_view, int32_t>> pieces) {
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // The tree is made level by level. A node owns the pieces [begin, end), which begin with the same
  // `depth` bytes.
  struct Open {
    size_t begin, end, depth;
  };
  std::queue<Open> open;
  open.push({0, pieces.size(), 0});
  // A piece needs a node for each byte after the beginning that it shares with the one before it.
  size_t count = 1;
  std::string_view before;
  for (const auto& [piece, value] : pieces) {
    const auto differs = std::ranges::mismatch(piece, before).in1;
    count += static_cast<size_t>(piece.end() - differs);
    before = piece;
  }
  nodes_.reserve(count);
  bytes_.reserve(count);
  nodes_.emplace_back();
  bytes_.push_back(0);
  for (size_t node = 0; node < nodes_.size(); ++node) {
    auto [begin, end, depth] = open.front();
    open.pop();
    for (; begin < end && pieces[begin].first.size() == depth; ++begin)
      if (depth > 0) nodes_[node].value = pieces[begin].second;
    nodes_[node].child = static_cast<uint32_t>(nodes_.size());
    while (begin < end) {
      const char byte = pieces[begin].first[depth];
      size_t last = begin;
      while (last < end && pieces[last].first[depth] == byte) ++last;
      nodes_.emplace_back();
      bytes_.push_back(static_cast<unsigned char>(byte));
      open.push({begin, last, depth + 1});
      ++nodes_[node].children;
      begin = last;
    }
  }
}

uint32_t PieceTrie::next(uint32_t node, char byte) const {
  const auto wanted = static_cast<unsigned char>(byte);
  const auto first = bytes_.begin() + nodes_[node].child;
  const auto last = first + nodes_[node].children;
  const auto found = std::lower_bound(first, last, wanted);
  if (found == last || *found != wanted) return kNone;
  return static_cast<uint32_t>(found - bytes_.begin());
}

}  // namespace attn
