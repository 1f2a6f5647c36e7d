// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT (Ctrl+C) and SIGTERM ask a program that computes to stop and to keep what it has. The
// first one is noted; a second one, of either kind, ends the process at once as by default.
#pragma once

#include <string>

namespace attn {

// Catches SIGINT and SIGTERM from now on and notes which came. A signal that was ignored when the
// program began stays ignored. Main thread.
void catch_stop_signals();
// The signal that came, 0 before it. Any thread.
int stop_signal();
// A descriptor that can be read once a signal came, for event loops; -1 before
// catch_stop_signals().
int stop_signal_descriptor();
// The exit code of a program that stopped for the signal: 128 + its number, as shells have it.
int stop_exit_code();
// "SIGINT", "SIGTERM"
std::string stop_signal_name();

}  // namespace attn
