// SPDX-License-Identifier: GPL-3.0-or-later
// window_commands(): the commands of the command palette. named_places(): the commands for places
// that are typed there. palette_content(): both together. GUI thread.
#pragma once

#include <QMenu>

#include "gui/app/bars/run_bar.h"
#include "gui/app/commands/actions.h"
#include "gui/app/commands/command_palette.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"
#include "gui/views/workload/workload_panel.h"

namespace attn::gui {

// The objects on which the commands act. They must outlive the palette.
struct CommandTargets {
  const Actions& actions;
  const QMenu& panels;
  const QMenu& exports;
  const QMenu& recent;
  const QMenu& lessons;
  const QMenu& help;
  RunBar& bar;
  RunControl& control;
  Selection& selection;
  TimeCursor& cursor;
  const std::vector<View*>& views;
  WorkloadPanel& workload;
};

std::vector<Command> window_commands(const CommandTargets& targets);

// The command for "step 17", "block 40", "request 2", "token 5", "layer 1" or "head 3"; refused if
// the number is missing or out of range, or the run has none. Empty for other texts.
std::vector<Command> named_places(const CommandTargets& targets, const QString& typed);

// recent: names of the commands used last, the newest first.
PaletteContent palette_content(const CommandTargets& targets, const QStringList& recent);

}  // namespace attn::gui
