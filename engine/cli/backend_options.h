// SPDX-License-Identifier: GPL-3.0-or-later
// The options of the backends on a command line, such as --sdpa-kernel for "sdpa_kernel". Backends
// must be registered.
#pragma once

#include <string>
#include <vector>

#include "engine/attention/backend.h"
#include "engine/attention/backend_option.h"
#include "engine/command_line/options.h"

namespace attn::cli {

// Allowed values of an option. kThatRun: values that some backend runs. kAll: also values that all
// backends refuse.
enum class OptionValues { kThatRun, kAll };

std::vector<OptionSpec> backend_option_specs(OptionValues values);
BackendOptions chosen_backend_options(const Options& options, OptionValues values);
// Sets the options that are on the command line and leaves the others as they are.
void change_backend_options(const Options& options, BackendOptions& chosen);
// Says on stderr which options about devices are given although `backend` does not have them. (For
// options about kernels, warnings_of() says so.)
void note_other_devices(const Options& options, const AttentionBackend& backend);
// Puts the options after --backend in a command's list. unless_given: what the help says of an
// option that is not given; empty: its default value.
void add_backend_options(CommandSpec& spec, const std::string& unless_given = "");

}  // namespace attn::cli
