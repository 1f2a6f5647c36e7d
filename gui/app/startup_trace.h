// SPDX-License-Identifier: GPL-3.0-or-later
// Where ATTN_STARTUP_TRACE is set, the program prints how long after the start of the process its
// window and the first heatmap with weights were on the screen: "window <ms>", "heatmap <ms>". GUI
// thread.
#pragma once

#include "gui/app/window/main_window.h"

namespace attn::gui {

double ms_since_process_start();
void trace_startup(MainWindow& window, EngineBridge& bridge, Selection& selection);

}  // namespace attn::gui
