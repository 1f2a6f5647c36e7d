// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of options of `run` and --screenshot that need a scenario, a file or the shape of the
// source. They throw Error, which in most cases names the option. Any thread.
#pragma once

#include <string>

#include "engine/session/run/snapshot.h"
#include "engine/session/scenario/scenario.h"
#include "gui/app/command_line.h"
#include "gui/models/explore/combination.h"

namespace attn::gui {

bool has_texts_file(const CommandLine& line);
// Throws if the texts of --texts cannot be read, or the scenario (if no session) reads no text.
void check_texts(const CommandLine& line);

// Throws if the lesson of --lesson is missing or has mistakes.
void check_lesson(const CommandLine& line);

// Throws if --layer, --head, --heads, --knock-out or --combine names a layer or head that the
// source does not have, or if --combine subtracts the shown head or layer from itself. Without a
// loaded source it does nothing. shown: the head that the views show.
void check_heads(const CommandLine& line, const EngineSnapshot* snapshot, const HeadId& shown);

}  // namespace attn::gui
