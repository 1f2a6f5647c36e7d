// SPDX-License-Identifier: GPL-3.0-or-later
// Runs an Engine that a signal can stop after a step, and gives the exit code. Main thread.
#pragma once

#include "engine/session/run/engine.h"

namespace attn::cli {

// Runs to the end, or to the end of the step in which SIGINT or SIGTERM comes.
void run_until_stopped(Engine& engine);
// The exit code of the command. Call it after the outputs are written. If a signal came, says so on
// stderr. kept: words for this message such as "the dump holds", if an output has the computed part
// of a stopped run; empty: no output has it.
int exit_code_of_run(const Engine& engine, const char* kept);

}  // namespace attn::cli
