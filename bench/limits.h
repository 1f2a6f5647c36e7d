// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine can do at most, measured in the same process and run as the ops: the roof every
// rate is divided by.
#pragma once

namespace attn::bench {

// f32 multiply-adds in registers, 2 FLOP each, all threads together, GFLOP/s. Takes about a
// millisecond.
double fma_gflops_now(int threads);
// Reading 1 GiB, all threads together, GB/s.
double read_gbps_now(int threads);

}  // namespace attn::bench
