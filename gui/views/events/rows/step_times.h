// SPDX-License-Identifier: GPL-3.0-or-later
// StepTimes: which step of the engine an event belongs to. Events that do not name their step
// (tiles, blocks) belong to the one that ran at their time: a step begins with its event kSchedule,
// and its event kStep, recorded when it has ended, has its begin and end. On the virtual clock a
// step begins in the very nanosecond in which the one before it ends: there the engine's own order
// of recording decides. A copy may be used on another thread while the original grows.
#pragma once

#include <cstdint>

#include "engine/trace/event.h"
#include "gui/views/events/rows/chunk_list.h"

namespace attn::gui {

struct EventStep {
  int64_t step = -1;    // -1: between steps, or not known
  bool certain = true;  // false: it may change when the step that runs now has ended
};

class StepTimes {
 public:
  void clear() { *this = {}; }
  // To be called with every event in order of recording; index: its place in this order.
  void take(const TraceEvent& event, uint32_t index);
  size_t num_ended() const { return ended_.size(); }
  // near: where the last search ended; makes neighbours in time cheap.
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
