// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about one event of the trace. If the event begins a state of a request
// (such as queued, prefill, decode, preempted), the text is about that state, which the timeline
// shows as a bar. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// A state of a request, with its time, as the timeline shows it in a bar.
struct RequestBar {
  QString state;  // "prefill"
  uint64_t begin_ns = 0, end_ns = 0;
  bool open = false;   // true: not ended; end_ns is the newest time known
  int64_t tokens = 0;  // sampled in this state
  // Of a decode, and of a prefill that has ended: tokens that it computed, without those that were
  // found in the cache.
  int64_t computed = 0;
};
// The state that the event begins; nullopt: it begins none.
std::optional<RequestBar> request_bar(const EngineSnapshot& snapshot,
                                      std::span<const TraceEvent> events, size_t index);

InspectorContent inspect_span(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                              size_t index);

}  // namespace attn::gui
