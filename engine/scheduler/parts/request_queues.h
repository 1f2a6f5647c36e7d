// SPDX-License-Identifier: GPL-3.0-or-later
// RequestQueues: the unfinished requests of a scheduler in four queues: those that have not
// arrived, by arrival time, and those that wait, run or are swapped out, each in the order of the
// line.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/scheduler/request.h"

namespace attn {

class RequestQueues {
 public:
  // The order of the line: by priority, then arrival, then sample_index.
  struct Before {
    bool operator()(const Request* a, const Request* b) const;
  };
  using Line = std::set<Request*, Before>;

  // Takes a WAITING request that has not arrived.
  void add(Request& request);
  // Removes the next request whose arrival time has come from those that have not arrived, and
  // gives it its place in the line. It is in no queue until enter(). Null: no arrival time has
  // come.
  Request* take_arrived(uint64_t now_ns);
  // Puts a request that is in no queue into the queue of its state.
  void enter(Request& request);
  // Changes the state, and the queue with it. A finished request is in no queue.
  void move(Request& request, RequestState state);
  // Returns a place in the order of arrival that is behind all others.
  uint64_t take_place() { return next_place_++; }

  bool none_arrived() const { return waiting_.empty() && running_.empty() && swapped_.empty(); }
  bool empty() const { return none_arrived() && future_.empty(); }
  // The earliest arrival time of the requests that have not arrived; nullopt: all have.
  std::optional<uint64_t> next_arrival_ns() const;
  int64_t num_not_arrived() const { return static_cast<int64_t>(future_.size()); }
  const Line& waiting() const { return waiting_; }
  const Line& swapped() const { return swapped_; }
  const std::vector<Request*>& running() const { return running_; }

  // Throws std::logic_error unless each of these requests that is unfinished is in a queue of its
  // state, the queues have no others, and running() is in order.
  void check(const std::vector<std::unique_ptr<Request>>& requests) const;
  // Throws std::logic_error if a running request is behind a waiting one of its priority.
  void check_line() const;

 private:
  void leave(Request& request);

  std::multimap<uint64_t, Request*> future_;  // key: arrival_ns
  Line waiting_, swapped_;
  std::vector<Request*> running_;
  uint64_t next_place_ = 0;
};

}  // namespace attn
