// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of a vocabulary as a tree of bytes. One walk finds all pieces with which a text
// begins. Any thread once built.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

class PieceTrie {
 public:
  PieceTrie() = default;
  // Pieces with their values, in any order; of equal pieces the last one counts. Empty ones are
  // left out.
  explicit PieceTrie(std::vector<std::pair<std::string_view, int32_t>> pieces);

  static constexpr uint32_t kRoot = 0, kNone = UINT32_MAX;
  bool empty() const { return nodes_.empty(); }
  // The node that `byte` leads to from `node`, or kNone.
  uint32_t next(uint32_t node, char byte) const;
  // The value of the piece that ends at the node; -1: none does.
  int32_t value(uint32_t node) const { return nodes_[node].value; }

 private:
  // The children of a node stand side by side, sorted by their bytes.
  struct Node {
    uint32_t child = 0;
    int32_t value = -1;
    uint16_t children = 0;
  };
  std::vector<Node> nodes_;
  std::vector<unsigned char> bytes_;
};

}  // namespace attn
