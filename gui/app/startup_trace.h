// SPDX-License-Identifier: GPL-3.0-or-later
// With ATTN_STARTUP_TRACE=1 the program prints how long after the start of the process its window
// and the first correct heatmap were on the screen: "window <ms>", "heatmap <ms>". GUI thread.
#pragma once

#include "gui/app/window/main_window.h"

namespace attn::gui {

double ms_since_process_start();
void trace_startup(MainWindow& window, EngineBridge& bridge, Selection& selection);

}  // namespace attn::gui
