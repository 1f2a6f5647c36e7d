// SPDX-License-Identifier: GPL-3.0-or-later
// The part of InspectorContent about a preemption: why it happened and what it means for the
// request. GUI thread.
#pragma once

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// events[index]: an event of kind kRequestPreempted.
void add_preemption(InspectorContent& out, const EngineSnapshot& snapshot,
                    std::span<const TraceEvent> events, size_t index);

}  // namespace attn::gui
