// SPDX-License-Identifier: GPL-3.0-or-later
// The part of InspectorContent about what the tokens of an engine step cost. GUI thread.
#pragma once

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

struct StepCost {
  struct Kernel {
    KernelId id;
    uint64_t ns = 0;
  };
  std::vector<Kernel> kernels;  // longest first
  // Keys read by the step's attention tiles, over all layers. A key counts once per tile and KV
  // head. Tiles that another kernel of the call has recorded are left out.
  int64_t keys_read = 0;
};

// events[index]: an event of kind kStep.
StepCost step_cost(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                   size_t index);

// unit: a text after a time, such as " (modelled)".
void add_step_cost(InspectorContent& out, const EngineSnapshot& snapshot,
                   std::span<const TraceEvent> events, size_t index, const QString& unit);

// Adds nothing if `ns` or `tokens` is 0.
void add_time_per_token(InspectorContent& out, uint64_t ns, int64_t tokens, const QString& unit);

}  // namespace attn::gui
