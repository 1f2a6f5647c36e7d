// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/events/rows/step_times.h"

#include "gui/models/event_words.h"

namespace attn::gui {

void StepTimes::take(const TraceEvent& event, uint32_t index) {
  if (event.kind == EventKind::kSchedule) {
    running_ = true;
    running_since_ns_ = event.begin_ns;
    running_step_ = event.a;
  } else if (event.kind == EventKind::kStep) {
    running_ = false;
    ended_.push_back({event.begin_ns, event.begin_ns + event.duration_ns, event.a, index});
  }
}

EventStep StepTimes::step_at(const TraceEvent& event, uint32_t index, size_t& near) const {
  if (const int64_t own = step_of(event); own >= 0) return {own, true};
  const uint64_t time = event.begin_ns;
  // An event at the very end of a step belongs to what comes after the step, unless the engine
  // recorded it before the event of the step itself.
  const auto is_past = [&](const Ended& step) {
    if (time != step.end_ns) return time > step.end_ns;
    return event.lane != kEngineLane || index > step.index;
  };
  if (ended_.empty() || is_past(ended_.back())) {
    if (running_ && time >= running_since_ns_) return {running_step_, false};
    return {-1, false};
  }
  // True if step i is the first one that the event is not past.
  const auto holds = [&](size_t i) {
    return !is_past(ended_[i]) && (i == 0 || is_past(ended_[i - 1]));
  };
  if (near >= ended_.size() || !holds(near)) {
    if (near + 1 < ended_.size() && holds(near + 1)) {
      ++near;
    } else {
      size_t first = 0, last = ended_.size() - 1;
      while (first < last) {
        const size_t middle = (first + last) / 2;
        if (is_past(ended_[middle]))
          first = middle + 1;
        else
          last = middle;
      }
      near = first;
    }
  }
  return {time >= ended_[near].begin_ns ? int64_t{ended_[near].step} : -1, true};
}

}  // namespace attn::gui
