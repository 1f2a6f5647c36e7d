// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that `run --figure FILE` writes. GUI thread.
#pragma once

#include "gui/app/command_line.h"
#include "gui/widgets/view.h"

namespace attn::gui {

// Writes the view as the file, whose ending chooses the kind, and prints its name. Throws
// Error(kNotSupported) for an array where nothing is computed, Error(kFailed) if the file cannot be
// written.
void write_figure(View& view, const CommandLine& line);

}  // namespace attn::gui
