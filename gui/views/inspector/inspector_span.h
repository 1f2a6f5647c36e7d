// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about one event of the trace. For an event that begins a state of a
// request (such as prefill), the text begins with that state. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

struct RequestBar {
  QString state;  // "prefill"
  uint64_t begin_ns = 0, end_ns = 0;
  bool open = false;   // true: the state goes on, and end_ns is the newest time known
  int64_t tokens = 0;  // number of tokens sampled in this state
  // Tokens computed in a decode, or in a prefill that ended with a sampled token; 0 otherwise.
  // Tokens from the prefix cache or from a swap are left out.
  int64_t computed = 0;
};
// nullopt: no bar begins at this event.
std::optional<RequestBar> request_bar(const EngineSnapshot& snapshot,
                                      std::span<const TraceEvent> events, size_t index);

InspectorContent inspect_span(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                              size_t index);

}  // namespace attn::gui
