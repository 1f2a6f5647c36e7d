// SPDX-License-Identifier: GPL-3.0-or-later
// EventMatcher: tells which trace events a selection highlights. Plain data, no Widgets. Any thread
// may use a finished one.
#pragma once

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"

namespace attn::gui {

// A selected span matches its event. For the other kinds tile events match: for a token those with
// its query row, for a cell those with its row and key, for a block those of its owner with keys of
// the block. A selected layer or head limits them.
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
  int64_t request_ = -1;                   // the request whose tiles match
  int64_t key_begin_ = -1, key_end_ = -1;  // keys of the selected block or cell, [begin, end)
  int64_t query_ = -1;
  // Set if layers read different keys (own and of the encoder) and a block or token is selected.
  // Tiles of the encoder's layers then do not match.
  std::shared_ptr<const LayerRules> rules_;
  // Whether the selected block holds keys of the encoder (cross attention).
  bool cross_ = false;
};

}  // namespace attn::gui
