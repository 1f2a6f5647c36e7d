// SPDX-License-Identifier: GPL-3.0-or-later
// PrefixIndex: which prefix of which prompt lies in which block. Each node is one full block of
// tokens after a parent node; the way from the first block to it is the prefix. A node is found by
// its hash and then compared: the same parent node, the same key and the same token ids. Parents
// are compared as nodes and not by their hash, so nodes are equal only when the whole prefixes are:
// a collision costs time and never shares wrong data (B13).
//
// A node lives as long as a block holds its tokens' K and V, or a deeper node or a sequence stands
// on it. So a block whose parents were evicted is found again once they are computed again. Engine
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace attn {

// f(hash of the parent, token ids of the block, extra key); the parent of a first block has hash 0.
using PrefixHash = uint64_t (*)(uint64_t parent, std::span<const int32_t> tokens,
                                uint64_t extra_key);
uint64_t default_prefix_hash(uint64_t parent, std::span<const int32_t> tokens, uint64_t extra_key);

class PrefixIndex {
 public:
  using NodeId = int32_t;
  static constexpr NodeId kRoot = -1;  // before the first block; stands for every key

  struct Node {
    uint64_t hash = 0;
    uint64_t extra_key = 0;
    NodeId parent = kRoot;
    int64_t depth = 0;            // nodes before it
    int32_t block = -1;           // holds its K and V; -1: none does any more
    int64_t num_holders = 0;      // child nodes, sequences that stand on it, and its block
    uint64_t serial = 0;          // of this index the how-manieth; ids are used again
    NodeId next_equal = kRoot;    // the next node with the same hash, kRoot: none
    std::vector<int32_t> tokens;  // [block_size]; empty: the node is free
  };

  explicit PrefixIndex(PrefixHash hash) : hash_(hash) {}

  // The child of `parent` with these tokens, kRoot when there is none.
  NodeId find(NodeId parent, std::span<const int32_t> tokens, uint64_t extra_key) const;
  // The same, made when there is none. The caller holds it from now on: drop() it.
  NodeId hold(NodeId parent, std::span<const int32_t> tokens, uint64_t extra_key);
  void hold(NodeId node);  // once more; kRoot is allowed, here and in drop()
  void drop(NodeId node);

  // The block of a node that had none; take_block() takes it away again and drops the node with it
  // when nobody else holds it.
  void set_block(NodeId node, int32_t block);
  void take_block(NodeId node);

  const Node& node(NodeId node) const { return nodes_[static_cast<size_t>(node)]; }
  // All, free ones among them (no tokens).
  std::span<const Node> nodes() const { return nodes_; }
  // Another number after every change of the nodes or of their blocks.
  uint64_t version() const { return version_; }
  int64_t num_nodes() const { return static_cast<int64_t>(nodes_.size() - free_nodes_.size()); }
  // Throws std::logic_error when a node's hash, depth, place or count is not what follows from the
  // others; `num_standing[id]` sequences stand on node id. O(nodes).
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
  uint64_t num_made_ = 0;  // nodes so far
};

}  // namespace attn
