// SPDX-License-Identifier: GPL-3.0-or-later
// The part of InspectorContent about a free block: what the block was before. GUI thread.
#pragma once

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

// Adds the last owner of a block, when the block was freed and how often it was taken, as far as
// the events tell. `events`: those up to the shown step, in order of recording.
void add_past_of_block(InspectorContent& out, const EngineSnapshot& snapshot,
                       std::span<const TraceEvent> events, int64_t block, bool in_host_pool);

}  // namespace attn::gui
