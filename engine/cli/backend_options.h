// SPDX-License-Identifier: GPL-3.0-or-later
// The options of the backends on a command line: --sdpa-kernel for "sdpa_kernel". Backends must be
// registered.
#pragma once

#include <vector>

#include "engine/attention/backend_option.h"
#include "engine/command_line/options.h"

namespace attn::cli {

// Which values of an option are allowed. kThatRun: those that some backend runs. kAll: also those
// that all backends refuse, for commands that tell why.
enum class OptionValues { kThatRun, kAll };

std::vector<OptionSpec> backend_option_specs(OptionValues values);
BackendOptions chosen_backend_options(const Options& options, OptionValues values);

}  // namespace attn::cli
