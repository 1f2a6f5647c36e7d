// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/clock.h"

#include <algorithm>

namespace attn {

RunClock::RunClock(ClockKind kind, int num_lanes)
    : kind_(kind),
      start_(std::chrono::steady_clock::now()),
      lanes_(static_cast<size_t>(num_lanes)) {}

void RunClock::join_lanes() {
  if (is_virtual()) {
    uint64_t latest = 0;
    for (const Lane& lane : lanes_) latest = std::max(latest, lane.virtual_ns);
    for (Lane& lane : lanes_) lane.virtual_ns = latest;
    return;
  }
  for (Lane& lane : lanes_) lane.waited_ns = lanes_[0].waited_ns;
  someone_waited_.store(false, std::memory_order_relaxed);
}

void RunClock::end_kernel(uint64_t begin_ns) {
  if (!is_virtual() && someone_waited_.load(std::memory_order_relaxed)) {
    // The engine thread waited for workers that were held at the gate, so its own time does not say
    // when the work ended.
    uint64_t end = begin_ns;
    for (const Lane& lane : lanes_) end = std::max(end, lane.last_ns);
    lanes_[0].waited_ns = real_ns() - end;
  }
  join_lanes();
}

}  // namespace attn
