// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that `run --figure FILE` writes. GUI thread.
#pragma once

#include "gui/app/command_line.h"
#include "gui/widgets/view.h"

namespace attn::gui {

// Writes the picture, table or array of the view into the file of --figure and prints the file's
// name. Throws Error.
void write_figure(View& view, const CommandLine& line);

}  // namespace attn::gui
