// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set that the kernels run with, for reports and tests. Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace attn {

// The instruction sets that the kernels were compiled for, as a mask of Highway's target bits.
int64_t kernel_targets();

// Name of the instruction set that the kernels run with, and of the bf16 unit in use, if any:
// "AVX3 + AMX".
std::string instruction_set();

}  // namespace attn
