// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks are separate programs, so that the shipped programs link no benchmark library.
#pragma once

#include <string>
#include <vector>

namespace attn {

// Replaces this process by the program `name` in the folder of this one, with `words` as its
// arguments. Throws Error(kFailed) if it is not there or cannot be started; `command` is what the
// user typed. Main thread, before any other thread exists.
[[noreturn]] void run_bench_program(const std::string& name, const std::vector<std::string>& words,
                                    const std::string& command);

}  // namespace attn
