// SPDX-License-Identifier: GPL-3.0-or-later
// window_commands: the list of the command palette: the menus and actions of the window, scenarios,
// backends, pace, requests, choices of the views, and the places that can be named. GUI thread.
#pragma once

#include <QMenu>

#include "gui/app/bars/run_bar.h"
#include "gui/app/commands/actions.h"
#include "gui/app/commands/command_palette.h"
#include "gui/models/run_control.h"
#include "gui/models/selection.h"
#include "gui/models/time_cursor.h"

namespace attn::gui {

// What the commands act on; all of it outlives the palette.
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
};

std::vector<Command> window_commands(const CommandTargets& targets);

// "step 17", "block 40", "request 2", "token 5", "layer 1", "head 3": the command that goes there,
// refused with the range where there is no such thing. Anything else: none.
std::vector<Command> named_places(const CommandTargets& targets, const QString& typed);

}  // namespace attn::gui
