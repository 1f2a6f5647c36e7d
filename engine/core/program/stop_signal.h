// SPDX-License-Identifier: GPL-3.0-or-later
// Catches SIGINT (Ctrl+C) and SIGTERM. The first signal is noted; a second one ends the process.
#pragma once

#include <string>

namespace attn {

// Notes the first SIGINT or SIGTERM from now on. One that is ignored now stays ignored. Main
// thread.
void catch_stop_signals();
// The signal that came; 0: none yet. Any thread.
int stop_signal();
// A descriptor for event loops, readable once a signal came; -1: catch_stop_signals() was not
// called, or got no descriptor from the system.
int stop_signal_descriptor();
// 128 + the number of the signal, as shells report it.
int stop_exit_code();
// "SIGINT" or "SIGTERM".
std::string stop_signal_name();

}  // namespace attn
