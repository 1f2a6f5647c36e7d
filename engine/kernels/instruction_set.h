// SPDX-License-Identifier: GPL-3.0-or-later
// The instruction set that the kernels run with, for reports and tests. Only the kernels know which
// they were compiled for: Highway alone names others too (SVE on Arm). Any thread.
#pragma once

#include <cstdint>
#include <string>

namespace attn {

// Highway's bits of the instruction sets that the kernels were compiled for.
int64_t kernel_targets();

// The best of them that this machine has, with the unit for bf16 that is used: "AVX3 + AMX".
std::string instruction_set();

}  // namespace attn
