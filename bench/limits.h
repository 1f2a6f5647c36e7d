// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine can do at most, measured in the same process and run as the ops: the roof every
// rate is divided by.
#pragma once

namespace attn::bench {

struct Limits {
  double fma_gflops = 0;  // f32 multiply-adds in registers, 2 FLOP each, all threads together
  double read_gbps = 0;   // reading 1 GiB, all threads together
};

// Best of 5 measurements, made once per thread count and kept.
const Limits& limits(int threads);

}  // namespace attn::bench
