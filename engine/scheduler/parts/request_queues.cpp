// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/parts/request_queues.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/scheduler/fault.h"
#include "engine/scheduler/parts/require.h"

namespace attn {
namespace {

int64_t line_priority(const Request& request) {
  if (ATTN_SCHEDULER_FAULT(kPriorityIgnored)) return 0;
  if (ATTN_SCHEDULER_FAULT(kPriorityReversed)) return -request.priority;
  return request.priority;
}

}  // namespace

bool RequestQueues::Before::operator()(const Request* a, const Request* b) const {
  const auto place = [](const Request& r) {
    return std::tuple(line_priority(r), r.order, r.sample_index);
  };
  return place(*a) < place(*b);
}

void RequestQueues::add(Request& request) {
  request.order = std::numeric_limits<uint64_t>::max();  // behind those that have arrived
  future_.emplace(request.arrival_ns, &request);
}

Request* RequestQueues::take_arrived(uint64_t now_ns) {
  if (future_.empty()) return nullptr;
  if (future_.begin()->first > now_ns && !ATTN_SCHEDULER_FAULT(kArrivalIgnored)) return nullptr;
  Request& request = *future_.begin()->second;
  future_.erase(future_.begin());
  request.order = ATTN_SCHEDULER_FAULT(kArrivalsInOrderOfAdd) ? request.id : take_place();
  return &request;
}

void RequestQueues::enter(Request& request) {
  if (request.state == RequestState::kRunning) {
    running_.insert(std::upper_bound(running_.begin(), running_.end(), &request, Before{}),
                    &request);
  } else if (request.state == RequestState::kSwapped) {
    swapped_.insert(&request);
  } else if (request.state == RequestState::kWaiting) {
    waiting_.insert(&request);
  }
}

void RequestQueues::move(Request& request, RequestState state) {
  leave(request);
  request.state = state;
  enter(request);
}

void RequestQueues::leave(Request& request) {
  if (request.state == RequestState::kRunning) {
    std::erase(running_, &request);
  } else if (request.state == RequestState::kSwapped) {
    swapped_.erase(&request);
  } else if (waiting_.contains(&request)) {
    waiting_.erase(&request);
  } else {
    std::erase_if(future_, [&](const auto& entry) { return entry.second == &request; });
  }
}

std::optional<uint64_t> RequestQueues::next_arrival_ns() const {
  if (future_.empty()) return std::nullopt;
  return future_.begin()->first;
}

void RequestQueues::check(const std::vector<std::unique_ptr<Request>>& requests) const {
  size_t waiting = 0, running = 0, swapped = 0, future = 0;
  for (const auto& owned : requests) {
    Request& request = *owned;
    if (request.state == RequestState::kRunning) {
      ++running;
      require_state(std::find(running_.begin(), running_.end(), &request) != running_.end(),
                    "a running request is not among the running", request.id);
    } else if (request.state == RequestState::kSwapped) {
      ++swapped;
      require_state(swapped_.contains(&request), "a swapped request is not among the swapped",
                    request.id);
    } else if (request.state == RequestState::kWaiting) {
      ++(waiting_.contains(&request) ? waiting : future);
    }
  }
  require_state(waiting == waiting_.size() && running == running_.size() &&
                    swapped == swapped_.size() && future == future_.size(),
                "the queues do not hold exactly the unfinished requests", 0);
  require_state(std::is_sorted(running_.begin(), running_.end(), Before{}),
                "running is out of order", 0);
}

void RequestQueues::check_line() const {
  std::map<int64_t, const Request*> last_running;  // key: priority
  for (const Request* request : running_) last_running[request->priority] = request;
  for (const Request* request : waiting_) {
    const auto last = last_running.find(request->priority);
    require_state(last == last_running.end() || Before{}(last->second, request),
                  "a running request is younger than a waiting one", request->id);
  }
}

}  // namespace attn
