// SPDX-License-Identifier: GPL-3.0-or-later
// The options of the backends on a command line: --sdpa-kernel for "sdpa_kernel". Backends must be
// registered.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend_option.h"
#include "engine/command_line/options.h"

namespace attn::cli {

// Which values of an option are allowed. kThatRun: those that some backend runs. kAll: also those
// that all backends refuse, for commands that tell why.
enum class OptionValues { kThatRun, kAll };

std::vector<OptionSpec> backend_option_specs(OptionValues values);
BackendOptions chosen_backend_options(const Options& options, OptionValues values);
// Sets the options that are on the command line and leaves the others as they are: for commands
// whose file has them, too.
void change_backend_options(const Options& options, BackendOptions& chosen);
// Puts the options behind --backend in the list of a command. unless_given: words for the help on
// what counts where an option is not on the command line; empty: its default does.
void add_backend_options(CommandSpec& spec, const std::string& unless_given = "");

}  // namespace attn::cli
