// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences: all requests of a scheduler, added ones and forks. It makes them and ends them.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/cache/block_manager.h"
#include "engine/scheduler/parts/request_queues.h"
#include "engine/scheduler/scheduler_config.h"

namespace attn {

class Sequences {
 public:
  // All three must outlive the sequences.
  Sequences(uint32_t first_fork_id, BlockManager& manager, RequestQueues& queues,
            const SchedulerEvents& events);

  // The reference stays valid as long as the sequences live. Throws std::logic_error for an id that
  // an earlier request has, or for a request without a table.
  Request& add(Request request);
  // Makes a request with an id of its own that continues the running `parent` and shares its
  // blocks.
  Request& fork(Request& parent, int64_t sample_index);
  // Sets state and end time, frees the blocks, takes it out of its queue and calls `finished`.
  void end(Request& request, RequestState state, uint64_t now_ns);
  void abort(Request& request, uint64_t now_ns);  // ends it unless it has ended
  // Gives back the blocks of all tables, on the device or in the swap pool.
  void free_blocks(const Request& request);

  Request* find(uint32_t id) const;  // null: unknown
  // The added request from which a fork comes; for an added request, itself.
  const Request& root_of(const Request& request) const;
  std::vector<Request*> forks_of(uint32_t root) const;
  // In order of creation.
  const std::vector<std::unique_ptr<Request>>& all() const { return all_; }
  // The forks made, and the requests ended, since the last call.
  std::vector<Fork> take_forked();
  std::vector<uint32_t> take_finished();  // without FINISHED_IGNORED

 private:
  BlockManager& manager_;
  RequestQueues& queues_;
  const SchedulerEvents& events_;
  std::vector<std::unique_ptr<Request>> all_;
  std::unordered_map<uint32_t, Request*> by_id_;
  std::unordered_map<uint32_t, std::vector<Request*>> forks_;  // key: the added request
  std::vector<Fork> forked_;
  std::vector<uint32_t> finished_;
  uint32_t next_fork_id_;
};

}  // namespace attn
