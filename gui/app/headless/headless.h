// SPDX-License-Identifier: GPL-3.0-or-later
// Two modes of the program that need no user: `run` writes files about a run, `--screenshot` writes
// a picture of the window. Both throw Error. Also what --screenshot and the window share. GUI
// thread.
#pragma once

#include <string>
#include <vector>

#include "gui/app/command_line.h"

namespace attn::gui {

// Returns the exit code: 0, or 128 + the number of the signal that stopped the run (stop_signal.h).
int run_and_export(const CommandLine& line);
void take_screenshot(const CommandLine& line);

class MainWindow;
void open_lesson(MainWindow& window, const CommandLine& line);
// Gives the window the size of --size, if that is given. Throws Error(kBadInput) naming --size if
// the window does not fit into it.
void resize_window(MainWindow& window, const CommandLine& line);

}  // namespace attn::gui
