// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of the heatmap are marked: the cells of the selection, and what is pointed at. Any
// thread.
#pragma once

#include <vector>

#include "gui/models/selection.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// The cells of the selection. request: the request that the scene shows. events: the events of the
// run, in the order of recording. kNone: nothing is selected, or the selection has no cells in this
// scene.
HeatmapMark mark_of(const SelectionState& state, const HeatmapScene& scene,
                    const RequestView& request, const std::vector<TraceEvent>& events);

// Sets hover_query and hover_key of the scene to what is pointed at, in this or another view; -1 if
// the scene does not have it. request: the request that the scene shows; null: none.
void mark_pointed(const PointedState& state, const RequestView* request, HeatmapScene& scene);

}  // namespace attn::gui
