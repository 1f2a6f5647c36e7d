// SPDX-License-Identifier: GPL-3.0-or-later
// EventMatcher: which events of the trace a selection lights up, the same in every view. Plain
// data, no Widgets; any thread once made.
#pragma once

#include "engine/session/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"

namespace attn::gui {

// What belongs to a selection: every event of the chosen token, cell, block or request.
class EventMatcher {
 public:
  EventMatcher() = default;
  EventMatcher(const SelectionState& selection, const EngineSnapshot* snapshot);
  bool active() const { return active_; }
  bool matches(const TraceEvent& event, uint32_t index) const;
  bool operator==(const EventMatcher&) const = default;

 private:
  bool active_ = false;
  SelectionState selection_;
  int64_t request_ = -1;                   // whose tiles
  int64_t key_begin_ = -1, key_end_ = -1;  // keys of a block or cell, [begin, end)
  int64_t query_ = -1;
};

}  // namespace attn::gui
