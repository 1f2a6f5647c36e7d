// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/time_cursor.h"

#include <algorithm>
#include <utility>

#include "gui/models/event_words.h"

namespace attn::gui {

TimeCursor::TimeCursor(EngineBridge& bridge, QObject* parent) : QObject(parent), bridge_(bridge) {
  connect(&bridge, &EngineBridge::run_started, this, [this] {
    set_past(nullptr);
    look_at_range();
  });
  connect(&bridge, &EngineBridge::snapshot_changed, this, [this] {
    if (is_live()) emit changed();
    look_at_range();
  });
}

StepHistory::Range TimeCursor::range() const {
  const auto& now = bridge_.snapshot();
  if (!now || !now->history) return {};
  StepHistory::Range range = now->history->range();
  // The run may be steps ahead of the announced snapshot.
  const auto shown = now->steps ? static_cast<uint32_t>(now->steps->size()) : 0;
  range.last = std::min(range.last, shown);
  return range;
}

uint32_t TimeCursor::step() const {
  return past_ ? past_->step : range().last;
}

// The engine hands over the events of a step before those of the next one, so a binary search finds
// the end. The arrival of a request within a step is recorded by the next step, and counts here for
// the step in whose time it lies.
size_t TimeCursor::num_events() const {
  const std::vector<TraceEvent>& events = bridge_.events();
  if (!past_) return events.size();
  if (!past_->steps || past_->steps->empty()) return 0;
  const StepRecord& last = past_->steps->back();
  const auto is_later = [&](const TraceEvent& event) {
    const int64_t own = step_of(event);
    return own >= 0 ? own > last.step : event.begin_ns > last.end_ns;
  };
  auto end = std::ranges::partition_point(events, [&](const auto& it) { return !is_later(it); });
  // On the virtual clock the next step begins in the nanosecond in which this one ends. An event of
  // that time that names no step counts as later if it comes after the last event that names this
  // step.
  while (end != events.begin()) {
    const TraceEvent& before = *std::prev(end);
    if (step_of(before) >= 0 ? !is_later(before) : before.begin_ns < last.end_ns) break;
    --end;
  }
  return static_cast<size_t>(end - events.begin());
}

void TimeCursor::go_to(uint32_t step) {
  const StepHistory::Range steps = range();
  if (steps.empty()) return;
  step = std::clamp(step, steps.first, steps.last);
  if (past_ && past_->step == step) return;
  const EngineSnapshot& now = *bridge_.snapshot();
  // restore() gives null if the history has dropped the step meanwhile; then the oldest step is
  // shown.
  auto past = now.history->restore(now, step);
  if (!past) past = now.history->restore(now, now.history->range().first);
  if (past) set_past(std::move(past));
}

void TimeCursor::go_to_time(uint64_t time_ns) {
  const auto& now = bridge_.snapshot();
  if (!now || !now->steps || now->steps->empty()) return;
  const auto after = std::ranges::upper_bound(*now->steps, time_ns, {}, &StepRecord::begin_ns);
  go_to(after == now->steps->begin() ? 0 : std::prev(after)->step);
}

void TimeCursor::move(int steps) {
  const int64_t target = int64_t{step()} + steps;
  if (steps > 0 && (is_live() || target > range().last)) return go_live();
  go_to(static_cast<uint32_t>(std::max<int64_t>(0, target)));
}

void TimeCursor::go_live() {
  set_past(nullptr);
}

void TimeCursor::set_past(std::shared_ptr<const EngineSnapshot> past) {
  if (past_ == past) return;
  past_ = std::move(past);
  emit moved();
  emit changed();
}

void TimeCursor::look_at_range() {
  const StepHistory::Range now = range();
  if (now == seen_) return;
  seen_ = now;
  emit range_changed();
}

}  // namespace attn::gui

#include "moc_time_cursor.cpp"
