// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to use the program without a person at it: `run` writes a report, `--screenshot` a
// picture of the window. GUI thread, any platform plugin. Both throw Error.
#pragma once

#include "gui/app/command_line.h"

namespace attn::gui {

void run_and_export(const CommandLine& line);
void take_screenshot(const CommandLine& line);

}  // namespace attn::gui
