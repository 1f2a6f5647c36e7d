// SPDX-License-Identifier: GPL-3.0-or-later
// A run that a signal can stop without losing what was computed. Main thread.
#pragma once

#include "engine/session/run/engine.h"

namespace attn::cli {

// Runs to the end, or to the end of the step in which SIGINT or SIGTERM comes. A second signal ends
// the process at once.
void run_until_stopped(Engine& engine);
// After the outputs are written: the exit code of the command. If a signal came, says so on stderr.
// kept: "the dump holds", to which the message adds "what was computed until then"; empty: nothing
// is left of a stopped run.
int exit_code_of_run(const Engine& engine, const char* kept);

}  // namespace attn::cli
