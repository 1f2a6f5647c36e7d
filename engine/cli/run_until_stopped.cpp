// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/run_until_stopped.h"

#include "engine/core/counted.h"
#include "engine/core/print_error.h"
#include "engine/core/program/stop_signal.h"

namespace attn::cli {

void run_until_stopped(Engine& engine) {
  catch_stop_signals();
  while (stop_signal() == 0 && engine.has_work() && engine.step()) {
  }
}

int exit_code_of_run(const Engine& engine, const char* kept) {
  if (stop_signal() == 0) return 0;
  if (!engine.has_work())
    print_error("attn: {} came when the run had ended; everything was written\n",
                stop_signal_name());
  else
    print_error("attn: stopped by {} after {}{}{}\n", stop_signal_name(),
                counted(engine.steps().size(), "step", "steps"), *kept ? "; " : "",
                *kept ? std::string(kept) + " what was computed until then" : "");
  return stop_exit_code();
}

}  // namespace attn::cli
