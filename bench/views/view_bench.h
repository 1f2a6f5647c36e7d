// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for the rows of `attention-workbench bench-views`, and the functions that register its
// rows: of views, of kernels that views use, and of the window. GUI thread.
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
  // Starts a run, and runs the event loop until the run has ended. Returns false when it failed or
  // took over 2 minutes.
  bool run(const Scenario& scenario);
};

// Runs the event loop until `condition` holds. Returns false when that takes over `limit_ms`.
bool turn_until(const std::function<bool()>& condition, int limit_ms);

// One prompt of `tokens` tokens, one layer with one head of size 64.
Scenario one_head_scenario(int64_t tokens);

// Registers further rows of a view; the row of its frames is there for every view. The file of such
// rows defines a constant of this class.
class ViewRows {
 public:
  // view: ViewEntry::name. add: calls bench::add_row().
  ViewRows(const char* view, void (*add)());
};

// Adds the rows of each ViewRows, in the order of view_registry().
void add_rows_of_views();
void add_rows_of_live_window();
void add_rows_of_window();
// Rows of the kernels that views use.
void register_cell_reduce();
void register_draw_curves();

}  // namespace attn::gui
