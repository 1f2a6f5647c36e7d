// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/prefix_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "engine/cache/fault.h"

namespace attn {

// Each number is added to the hash so far, and the sum is mixed by splitmix64 (G. Steele, D. Lea,
// C. Flood, "Fast splittable pseudorandom number generators", 2014).
uint64_t default_prefix_hash(uint64_t parent, std::span<const int32_t> tokens, uint64_t extra_key) {
  const auto mix = [](uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  };
  uint64_t hash = mix(mix(parent) + extra_key);
  for (const int32_t token : tokens) hash = mix(hash + static_cast<uint32_t>(token));
  return hash == 0 ? 1 : hash;  // 0 stands for "no parent"
}

uint64_t PrefixIndex::hash_of(NodeId parent, std::span<const int32_t> tokens,
                              uint64_t extra_key) const {
  const bool is_first = parent == kRoot || ATTN_CACHE_FAULT(kHashWithoutParent);
  return hash_(is_first ? 0 : node(parent).hash, tokens, extra_key);
}

PrefixIndex::NodeId PrefixIndex::find(uint64_t hash, NodeId parent, std::span<const int32_t> tokens,
                                      uint64_t extra_key) const {
  const auto first = first_by_hash_.find(hash);
  if (first == first_by_hash_.end()) return kRoot;
  for (NodeId id = first->second; id != kRoot; id = node(id).next_equal) {
    const Node& n = node(id);
    if ((n.parent == parent || ATTN_CACHE_FAULT(kParentNotCompared)) && n.extra_key == extra_key &&
        (std::equal(n.tokens.begin(), n.tokens.end(), tokens.begin(), tokens.end()) ||
         ATTN_CACHE_FAULT(kCollisionAccepted))) {
      return id;
    }
  }
  return kRoot;
}

PrefixIndex::NodeId PrefixIndex::find(NodeId parent, std::span<const int32_t> tokens,
                                      uint64_t extra_key) const {
  return find(hash_of(parent, tokens, extra_key), parent, tokens, extra_key);
}

PrefixIndex::NodeId PrefixIndex::hold(NodeId parent, std::span<const int32_t> tokens,
                                      uint64_t extra_key) {
  const uint64_t hash = hash_of(parent, tokens, extra_key);
  NodeId id = find(hash, parent, tokens, extra_key);
  if (id != kRoot) {
    hold(id);
    return id;
  }
  if (free_nodes_.empty()) {
    id = static_cast<NodeId>(nodes_.size());
    nodes_.emplace_back();
  } else {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  }
  const auto [first, is_new] = first_by_hash_.try_emplace(hash, id);
  at(id) = {.hash = hash,
            .extra_key = extra_key,
            .parent = parent,
            .depth = parent == kRoot ? 0 : node(parent).depth + 1,
            .block = -1,
            .num_holders = 1,
            .serial = num_made_++,
            .next_equal = is_new ? kRoot : first->second,
            .tokens = {tokens.begin(), tokens.end()}};
  first->second = id;
  ++version_;
  hold(parent);
  return id;
}

void PrefixIndex::hold(NodeId node) {
  if (node != kRoot) ++at(node).num_holders;
}

void PrefixIndex::drop(NodeId node) {
  // Not by recursion: a prompt may have a million blocks.
  while (node != kRoot && --at(node).num_holders == 0) {
    const NodeId parent = at(node).parent;
    erase(node);
    node = parent;
  }
}

void PrefixIndex::erase(NodeId id) {
  const auto first = first_by_hash_.find(node(id).hash);
  NodeId* link = &first->second;
  while (*link != id) link = &at(*link).next_equal;
  *link = node(id).next_equal;
  if (first->second == kRoot) first_by_hash_.erase(first);
  at(id) = {};
  ++version_;
  free_nodes_.push_back(id);
}

void PrefixIndex::set_block(NodeId node, int32_t block) {
  at(node).block = block;
  ++version_;
  hold(node);
}

void PrefixIndex::take_block(NodeId node) {
  at(node).block = -1;
  ++version_;
  drop(node);
}

void PrefixIndex::check_invariants(std::span<const int64_t> num_standing) const {
  std::vector<int64_t> holders(num_standing.begin(), num_standing.end());
  holders.resize(nodes_.size(), 0);
  size_t used = 0;
  for (const Node& n : nodes_) {
    if (n.tokens.empty()) continue;
    ++used;
    if (n.parent != kRoot) ++holders[static_cast<size_t>(n.parent)];
    if (n.block >= 0) ++holders[static_cast<size_t>(&n - nodes_.data())];
  }
  if (used + free_nodes_.size() != nodes_.size())
    throw std::logic_error("B9: a prefix node is neither used nor free");
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    if (n.tokens.empty()) continue;
    const auto require = [&](bool holds, const char* what) {
      if (!holds) throw std::logic_error(fmt::format("B9: prefix node {} {}", i, what));
    };
    const bool is_first = n.parent == kRoot;
    require(is_first || !node(n.parent).tokens.empty(), "has a parent that does not exist");
    require(n.hash == hash_of(n.parent, n.tokens, n.extra_key),
            "does not have the hash of its chain");
    require(n.depth == (is_first ? 0 : node(n.parent).depth + 1),
            "does not have the depth of its chain");
    require(find(n.parent, n.tokens, n.extra_key) == static_cast<NodeId>(i), "is not found");
    require(n.num_holders == holders[i], "has the wrong number of holders");
  }
}

}  // namespace attn
