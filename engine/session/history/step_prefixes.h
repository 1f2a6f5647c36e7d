// SPDX-License-Identifier: GPL-3.0-or-later
// The prefix tree in a StepHistory: which prefix lies in which block. The tree consists of the
// paths to these prefixes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/scheduler/scheduler.h"
#include "engine/session/run/snapshot.h"

namespace attn::history {

// A node of the prefix tree. Its tokens are those of block number `depth` of `request`.
struct Prefix {
  std::shared_ptr<const Prefix> parent;  // null: begins a prompt
  uint64_t serial = 0;                   // by order of creation
  int32_t depth = 0;                     // blocks before it
  uint32_t request = 0;                  // index in State::requests

  Prefix(std::shared_ptr<const Prefix> above, uint64_t number, uint32_t of_request)
      : parent(std::move(above)),
        serial(number),
        depth(parent ? parent->depth + 1 : 0),
        request(of_request) {}
  Prefix(const Prefix&) = delete;
  Prefix& operator=(const Prefix&) = delete;
  // Iterative, because a long chain of parents would need a deep recursion.
  ~Prefix() {
    std::shared_ptr<const Prefix> last = std::move(parent);
    while (last && last.use_count() == 1) {
      std::shared_ptr<const Prefix> above = last->parent;
      last = std::move(above);
    }
  }
};
constexpr size_t kPrefixBytes = sizeof(Prefix) + 2 * sizeof(void*);

struct PrefixEntry {
  int32_t block = 0;
  std::shared_ptr<const Prefix> prefix;  // null: none from now on
};
using Prefixes = std::vector<std::shared_ptr<const Prefix>>;

inline void apply(const std::vector<PrefixEntry>& entries, size_t num_blocks, Prefixes& prefixes) {
  if (entries.empty()) return;
  prefixes.resize(num_blocks);
  for (const PrefixEntry& entry : entries)
    prefixes.at(static_cast<size_t>(entry.block)) = entry.prefix;
}

// The views of the nodes on the paths to prefixes that lie in a block: parents first, at equal
// depth the older first. requests: as they are at that time or later.
std::shared_ptr<const std::vector<PrefixView>> prefix_views(
    const Prefixes& prefixes, const std::vector<RequestView>& requests, int64_t block_size);

// Follows the prefixes of a run from step to step. Engine thread.
class StepPrefixes {
 public:
  // Call this when a device block can be found by its prefix from now on. request: one with that
  // prefix.
  void hashed(int32_t block, uint32_t request) { hashed_by_[block] = request; }
  // Adds those prefixes of the touched blocks (sorted, without duplicates) that differ from
  // `now` to `entries`, and updates `now`. Returns how many nodes were seen for the first time.
  size_t collect(std::span<const int32_t> touched, const Scheduler& scheduler,
                 const BlockManager& manager, Prefixes& now, std::vector<PrefixEntry>& entries);

 private:
  std::shared_ptr<const Prefix> prefix_in(int32_t block, const Scheduler& scheduler,
                                          const BlockManager& manager, size_t& new_nodes);

  std::unordered_map<int32_t, uint32_t> hashed_by_;   // block -> request
  std::vector<std::shared_ptr<const Prefix>> known_;  // index: NodeId
};

}  // namespace attn::history
