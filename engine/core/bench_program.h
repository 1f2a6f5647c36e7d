// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks are programs of their own beside the shipped ones, which link none of them.
#pragma once

#include <string>
#include <vector>

namespace attn {

// Goes on as the program `name` in the folder of this one, with `words` as its arguments. Throws
// Error(kFailed) where it is not there or cannot be started; `command` is what the user wrote.
// Main thread, before there is another.
[[noreturn]] void run_bench_program(const std::string& name, const std::vector<std::string>& words,
                                    const std::string& command);

}  // namespace attn
