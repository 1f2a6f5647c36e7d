// SPDX-License-Identifier: GPL-3.0-or-later
// Prints two times in ms since the start of the process: "window <ms>", when the window was first
// painted, and "heatmap <ms>", when the heatmap was first painted with a computed row. GUI thread.
#pragma once

#include "gui/app/window/main_window.h"

namespace attn::gui {

double ms_since_process_start();
void trace_startup(MainWindow& window, EngineBridge& bridge, Selection& selection);

}  // namespace attn::gui
