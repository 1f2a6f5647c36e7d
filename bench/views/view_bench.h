// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of `attention-workbench bench-views`: frames of the views, and what a window costs the
// engine. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <functional>
#include <string>
#include <vector>

#include "bench/measure/measure.h"
#include "gui/bridge/engine_bridge.h"
#include "gui/models/selection.h"
#include "gui/widgets/view.h"

namespace attn::gui {

// Runs frame(i) `frames` times. The row's time is the median; events between frames are not timed.
void measure_frames(benchmark::State& state, int frames, const std::function<void(int)>& frame);

// A bridge and a selection, as a window has them, to run scenarios with.
struct BenchRun {
  EngineBridge bridge;
  Selection selection;
  ViewContext context{&bridge, &selection};

  BenchRun() { follow_runs(bridge, selection); }
  // Runs the event loop until the run has ended. Returns false when it failed or took over 2
  // minutes.
  bool run(const Scenario& scenario);
};

// Runs the event loop until `condition` holds. Returns false when that takes over `limit_ms`.
bool turn_until(const std::function<bool()>& condition, int limit_ms);

// One prompt of `tokens` tokens, one layer with one head of size 64.
Scenario one_head_scenario(int64_t tokens);

void register_heatmap_views();
void register_timeline_views();
void register_block_views();
void register_head_views();
void register_live_views();
void register_metrics_views();
void register_event_views();
void register_window_views();
void register_cell_reduce();
void register_draw_curves();

}  // namespace attn::gui
