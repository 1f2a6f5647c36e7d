// SPDX-License-Identifier: GPL-3.0-or-later
// Starts one of the benchmarks, which are separate programs.
#pragma once

#include <string>
#include <vector>

namespace attn {

// Replaces this process by the program `name` in the folder of this program, with `words` as its
// arguments. `command`: for the error, such as "attn bench". Throws Error(kFailed) if the program
// cannot be started. Main thread.
[[noreturn]] void run_bench_program(const std::string& name, const std::vector<std::string>& words,
                                    const std::string& command);

}  // namespace attn
