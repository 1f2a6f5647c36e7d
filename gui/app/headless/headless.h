// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to use the program without a person at it: `run` writes a report, `--screenshot` a
// picture of the window. GUI thread, any platform plugin. Both throw Error. If a view cannot
// compute what was asked for (no backend can run the comparison, or the view needs a model), they
// throw its error (View::throw_if_refused()) after the files are written; `--figure` writes none.
#pragma once

#include <string>
#include <vector>

#include "gui/app/command_line.h"

namespace attn::gui {

// Returns the exit code: 0, or 128 + the number of the signal that stopped the run (stop_signal.h).
// What was computed until then is written, unless the run had not begun.
int run_and_export(const CommandLine& line);
void take_screenshot(const CommandLine& line);

class MainWindow;
// Opens the lesson of --lesson at the step of --lesson-step.
void open_lesson(MainWindow& window, const CommandLine& line);
// Gives the window the size of --size, if there is one. Throws Error(kBadInput) naming --size if it
// is too small for the window, whose own widgets would make it larger.
void resize_window(MainWindow& window, const CommandLine& line);

}  // namespace attn::gui
