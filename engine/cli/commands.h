// SPDX-License-Identifier: GPL-3.0-or-later
// Subcommands of `attn`. A command takes the words after its name, prints to stdout, and
// returns the exit code or throws Error.
#pragma once

#include <string>
#include <vector>

namespace attn::cli {

using Words = std::vector<std::string>;

int command_op(const Words& words);
int command_generate(const Words& words);
int command_run(const Words& words);
int command_compare(const Words& words);
int command_explore(const Words& words);
int command_backends(const Words& words);
int command_inspect(const Words& words);
int command_models(const Words& words);
int command_lesson(const Words& words);
int command_convert(const Words& words);

}  // namespace attn::cli
