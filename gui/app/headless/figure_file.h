// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that `run --figure FILE` writes. GUI thread.
#pragma once

#include "gui/app/command_line.h"
#include "gui/widgets/view.h"

namespace attn::gui {

// Writes the view as the file of --figure, whose ending chooses the kind, and prints the file's
// name. Throws Error(kNotSupported) for an array if nothing of the shown request was computed,
// Error(kFailed) if the file cannot be written.
void write_figure(View& view, const CommandLine& line);

}  // namespace attn::gui
