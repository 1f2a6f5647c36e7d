// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of options of `run` and --screenshot that need more than the command line: the scenario, a
// file, or the shape of the source. They throw Error, nearly always kBadInput; it names the option.
// Any thread.
#pragma once

#include <string>

#include "engine/session/run/snapshot.h"
#include "engine/session/scenario/scenario.h"
#include "gui/app/command_line.h"
#include "gui/views/attention/heatmap_combine.h"

namespace attn::gui {

// Throws if the source of the scenario is no model: only models read texts. option: the option that
// gives a text; found: its value.
void need_texts(const Scenario& scenario, const char* option, const std::string& found);

// Throws if --filter has a mistake. Called before anything is loaded.
void check_filter(const CommandLine& line);

// Whether --texts names a file, not the shipped texts.
bool has_texts_file(const CommandLine& line);
// Throws if --texts names no file of texts, or the scenario has no model to read them. Called
// before anything is loaded.
void check_texts(const CommandLine& line);

// Throws if --layer, --head, --heads, --knock-out or --combine names a head or layer that the model
// does not have, or --combine one that would be subtracted from itself. Called as soon as the
// source is loaded, before anything is computed. shown: the head that the views show.
void check_heads(const CommandLine& line, const EngineSnapshot* snapshot, const HeadId& shown);

}  // namespace attn::gui
