// SPDX-License-Identifier: GPL-3.0-or-later
// StepTimes: which step of the engine an event belongs to. An event that does not name its step
// belongs to the step that ran when it began. A copy may be used on another thread while the
// original grows.
#pragma once

#include <cstdint>

#include "engine/trace/event.h"
#include "gui/views/events/rows/chunk_list.h"

namespace attn::gui {

struct EventStep {
  int64_t step = -1;    // -1: between steps, or not known
  bool certain = true;  // false: it may change when a step ends
};

class StepTimes {
 public:
  void clear() { *this = {}; }
  // To be called for each event, in order of recording; `index` is the place in this order.
  void take(const TraceEvent& event, uint32_t index);
  size_t num_ended() const { return ended_.size(); }
  // `near` is where the last search ended; it is tried first.
  EventStep step_at(const TraceEvent& event, uint32_t index, size_t& near) const;

 private:
  struct Ended {
    uint64_t begin_ns = 0, end_ns = 0;
    uint32_t step = 0, index = 0;
  };
  ChunkList<Ended> ended_;  // in order of time
  bool running_ = false;
  uint64_t running_since_ns_ = 0;
  uint32_t running_step_ = 0;
};

}  // namespace attn::gui
