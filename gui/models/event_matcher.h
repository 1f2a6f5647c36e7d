// SPDX-License-Identifier: GPL-3.0-or-later
// EventMatcher: tells which trace events a selection highlights. Plain data, no Widgets. Once it is
// constructed, any thread may use it.
#pragma once

#include "engine/session/run/snapshot.h"
#include "engine/trace/event.h"
#include "gui/models/selection.h"

namespace attn::gui {

// A selected span matches only its own event. The other kinds of selection match only tile events:
// a token the tiles that have its query row, a cell the tiles that have its query row and its key,
// and a block the tiles of the block's owner that have keys of the block. If the selection names a
// layer or a head, tiles of other layers or heads do not match.
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
  // Set if a block or a token is selected and the layers differ in whose tokens their queries and
  // keys are: the request's or its encoder's. Tiles of the encoder's layers then do not match, nor,
  // for a block, tiles of layers whose keys are not those of the block (cross_).
  std::shared_ptr<const LayerRules> rules_;
  // Whether the selected block holds keys of the encoder (cross attention).
  bool cross_ = false;
};

}  // namespace attn::gui
