// SPDX-License-Identifier: GPL-3.0-or-later
// PrefixIndex: knows which prefix lies in which block. A node is one full block of tokens after a
// parent node; the path from the first block to a node is its prefix. A lookup goes by hash and
// then compares the parent node, the extra key and the token ids, so a collision of hashes shares
// no wrong data.
//
// A node lives as long as it has a block or child nodes, or a sequence holds it. Engine thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace attn {

// A hash of (the parent's hash, the token ids of the block, the extra key); the parent of a first
// block has hash 0.
using PrefixHash = uint64_t (*)(uint64_t parent, std::span<const int32_t> tokens,
                                uint64_t extra_key);
uint64_t default_prefix_hash(uint64_t parent, std::span<const int32_t> tokens, uint64_t extra_key);

class PrefixIndex {
 public:
  using NodeId = int32_t;
  static constexpr NodeId kRoot = -1;  // no node; the parent of first blocks

  struct Node {
    uint64_t hash = 0;
    uint64_t extra_key = 0;
    NodeId parent = kRoot;
    int64_t depth = 0;            // nodes before it
    int32_t block = -1;           // the block that holds its K and V; -1: none
    int64_t num_holders = 0;      // child nodes, sequences that hold it, and its block
    uint64_t serial = 0;          // how many nodes were made before it; ids are used again
    NodeId next_equal = kRoot;    // the next node with the same hash, kRoot: none
    std::vector<int32_t> tokens;  // [block_size]; empty: the node is free
  };

  explicit PrefixIndex(PrefixHash hash) : hash_(hash) {}

  // The child of `parent` with these tokens and this extra key; kRoot: there is none.
  NodeId find(NodeId parent, std::span<const int32_t> tokens, uint64_t extra_key) const;
  // Returns the node that find() looks for, and makes it if there is none. The caller holds it from
  // now on and must drop() it.
  NodeId hold(NodeId parent, std::span<const int32_t> tokens, uint64_t extra_key);
  void hold(NodeId node);  // holds it once more; kRoot is allowed here and in drop()
  void drop(NodeId node);

  // set_block() gives a block to a node that has none. take_block() takes the block away again; if
  // nobody else holds the node, it is erased, and so are parents that nobody holds any more.
  void set_block(NodeId node, int32_t block);
  void take_block(NodeId node);

  const Node& node(NodeId node) const { return nodes_[static_cast<size_t>(node)]; }
  // All nodes, including free ones (which have no tokens).
  std::span<const Node> nodes() const { return nodes_; }
  // Changes when a node is made or erased, or its block changes.
  uint64_t version() const { return version_; }
  int64_t num_nodes() const { return static_cast<int64_t>(nodes_.size() - free_nodes_.size()); }
  // Throws std::logic_error when a node's hash, depth, place in the index or number of holders is
  // wrong. num_standing[id]: how many sequences hold node id. O(nodes).
  void check_invariants(std::span<const int64_t> num_standing) const;

 private:
  uint64_t hash_of(NodeId parent, std::span<const int32_t> tokens, uint64_t extra_key) const;
  NodeId find(uint64_t hash, NodeId parent, std::span<const int32_t> tokens,
              uint64_t extra_key) const;
  void erase(NodeId node);
  Node& at(NodeId node) { return nodes_[static_cast<size_t>(node)]; }

  PrefixHash hash_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_nodes_;
  std::unordered_map<uint64_t, NodeId> first_by_hash_;
  uint64_t version_ = 0;
  uint64_t num_made_ = 0;  // nodes made so far
};

}  // namespace attn
