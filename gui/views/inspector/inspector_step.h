// SPDX-License-Identifier: GPL-3.0-or-later
// The part of InspectorContent about what an engine step costs: where its time goes, what a token
// takes of it, and how much of keys and values is read for a token. GUI thread.
#pragma once

#include "gui/views/inspector/inspector_content.h"

namespace attn::gui {

struct StepCost {
  struct Kernel {
    KernelId id;
    uint64_t ns = 0;
  };
  std::vector<Kernel> kernels;  // longest first
  // Keys that the step's attention tiles read, of all layers and KV heads; a key counts once for
  // each tile that reads it. Each comes with its value.
  int64_t keys_read = 0;
};

// events[index]: an event of kind kStep.
StepCost step_cost(const EngineSnapshot& snapshot, std::span<const TraceEvent> events,
                   size_t index);

// Adds the cost of the step to `out`. unit: what follows a time, such as " (modelled)".
void add_step_cost(InspectorContent& out, const EngineSnapshot& snapshot,
                   std::span<const TraceEvent> events, size_t index, const QString& unit);

// Adds "time per token". tokens: 0 adds nothing.
void add_time_per_token(InspectorContent& out, uint64_t ns, int64_t tokens, const QString& unit);

}  // namespace attn::gui
