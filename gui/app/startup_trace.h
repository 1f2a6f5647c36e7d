// SPDX-License-Identifier: GPL-3.0-or-later
// Prints when the window and its first view with a computed row were shown, in ms since the start
// of the process: "window <ms>", "heatmap <ms>". GUI thread.
#pragma once

#include "gui/app/window/main_window.h"

namespace attn::gui {

double ms_since_process_start();
void trace_startup(MainWindow& window, EngineBridge& bridge, Selection& selection);

}  // namespace attn::gui
