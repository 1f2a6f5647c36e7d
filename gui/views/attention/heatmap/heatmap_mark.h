// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the heatmap that the selection points out. Any thread.
#pragma once

#include <vector>

#include "gui/models/selection.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// request: the one that the scene shows. events: those of the run, in the order of recording.
// kNone: nothing is selected, or the selection has no cells in this scene.
HeatmapMark mark_of(const SelectionState& state, const HeatmapScene& scene,
                    const RequestView& request, const std::vector<TraceEvent>& events);

// Marks in the scene what the mouse points at. request: the one that the scene shows; null: none.
void mark_pointed(const PointedState& state, const RequestView* request, HeatmapScene& scene);

}  // namespace attn::gui
