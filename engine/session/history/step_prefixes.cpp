// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/session/history/step_prefixes.h"

#include <algorithm>
#include <unordered_set>

namespace attn::history {
namespace {

// The nodes on the paths to these prefixes, in the order of prefix_views().
std::vector<const Prefix*> nodes_of(const Prefixes& prefixes) {
  std::vector<const Prefix*> nodes;
  std::unordered_set<const Prefix*> seen;
  seen.reserve(prefixes.size());
  for (const auto& found : prefixes)
    for (const Prefix* node = found.get(); node && seen.insert(node).second;
         node = node->parent.get())
      nodes.push_back(node);
  std::ranges::sort(nodes, {},
                    [](const Prefix* node) { return std::pair(node->depth, node->serial); });
  return nodes;
}

}  // namespace

// The prefix that lies in the block. A new node takes its tokens from the request that hashed()
// named.
std::shared_ptr<const Prefix> StepPrefixes::prefix_in(int32_t block, const Scheduler& scheduler,
                                                      const BlockManager& manager,
                                                      size_t& new_nodes) {
  const PrefixIndex& index = manager.prefix_index();
  known_.resize(index.nodes().size());
  const auto known = [&](PrefixIndex::NodeId id) -> std::shared_ptr<const Prefix>& {
    return known_[static_cast<size_t>(id)];
  };
  std::vector<PrefixIndex::NodeId> unknown;  // not in known_ yet, from the block's own one upwards
  PrefixIndex::NodeId id = manager.known_as(block);
  for (; id != PrefixIndex::kRoot; id = index.node(id).parent) {
    if (known(id) && known(id)->serial == index.node(id).serial) break;
    unknown.push_back(id);
  }
  std::shared_ptr<const Prefix> prefix = id == PrefixIndex::kRoot ? nullptr : known(id);
  if (unknown.empty()) return prefix;
  const auto& requests = scheduler.requests();
  const auto of = std::ranges::find(requests, hashed_by_.at(block), &Request::id);
  new_nodes += unknown.size();
  for (; !unknown.empty(); unknown.pop_back()) {
    prefix = std::make_shared<const Prefix>(std::move(prefix), index.node(unknown.back()).serial,
                                            static_cast<uint32_t>(of - requests.begin()));
    known(unknown.back()) = prefix;
  }
  return prefix;
}

size_t StepPrefixes::collect(std::span<const int32_t> touched, const Scheduler& scheduler,
                             const BlockManager& manager, Prefixes& now,
                             std::vector<PrefixEntry>& entries) {
  size_t new_nodes = 0;
  for (const int32_t block : touched) {
    std::shared_ptr<const Prefix> prefix = prefix_in(block, scheduler, manager, new_nodes);
    if (prefix == now[static_cast<size_t>(block)]) continue;
    now[static_cast<size_t>(block)] = prefix;
    entries.push_back({block, std::move(prefix)});
  }
  hashed_by_.clear();
  return new_nodes;
}

std::shared_ptr<const std::vector<PrefixView>> prefix_views(
    const Prefixes& prefixes, const std::vector<RequestView>& requests, int64_t block_size) {
  const std::vector<const Prefix*> nodes = nodes_of(prefixes);
  auto views = std::make_shared<std::vector<PrefixView>>(nodes.size());
  std::unordered_map<const Prefix*, int32_t> place;
  place.reserve(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Prefix& node = *nodes[i];
    const auto begin = requests[node.request].tokens->begin() + node.depth * block_size;
    (*views)[i] = {
        .parent = node.parent ? place.at(node.parent.get()) : -1,
        .block = -1,
        .depth = node.depth,
        .tokens = std::make_shared<const std::vector<TokenView>>(begin, begin + block_size)};
    place.emplace(&node, static_cast<int32_t>(i));
  }
  for (size_t block = 0; block < prefixes.size(); ++block)
    if (prefixes[block])
      (*views)[static_cast<size_t>(place.at(prefixes[block].get()))].block =
          static_cast<int32_t>(block);
  return views;
}

}  // namespace attn::history
