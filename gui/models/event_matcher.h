// SPDX-License-Identifier: GPL-3.0-or-later
// EventMatcher: tells which events of the trace a selection highlights, the same in every view.
// Plain data, no Widgets; once made, any thread may use it.
#pragma once

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"

namespace attn::gui {

// A selected span matches that one event. A token matches the tile events of its request whose
// query rows include it, a cell those whose query rows and keys include it, and a block those of
// the request that owns it whose keys overlap it; only those of the selected layer and head if a
// layer or a head is selected.
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
  // Set for a selected block or token if some layers read a request's own keys and others those of
  // its encoder: then tiles of the encoder's layers do not match, and for a block only tiles of
  // layers that read the block's table do. Null: tiles of all layers match.
  std::shared_ptr<const LayerRules> rules_;
  // True if the selected block holds keys of the encoder (cross attention).
  bool cross_ = false;
};

}  // namespace attn::gui
