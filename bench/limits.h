// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine can do at most, measured in the same process and run as the ops: the roof every
// rate is divided by.
#pragma once

#include <string_view>

namespace attn::bench {

enum class Limit {
  kFma,      // f32 multiply-adds in registers, 2 FLOP each, GFLOP/s
  kBf16Dot,  // bf16 dot products in registers (vdpbf16ps), 2 FLOP per pair, GFLOP/s
  kRead,     // reading 1 GiB, GB/s
  kCopy,     // copying 512 MiB, bytes read and bytes written, GB/s
};
std::string_view name_of(Limit limit);  // "f32 multiply-adds", ...

// What `threads` threads reach together, now. Takes a few milliseconds (kFma, kBf16Dot) to a tenth
// of a second.
double limit_now(Limit limit, int threads);

// Whether this processor has bf16 dot products and the compiler could build them.
bool has_bf16_dot();

// One thread's share of kBf16Dot, in limits_bf16.cpp: `rounds` rounds of independent chains.
// Returns FLOPs done. Only where has_bf16_dot().
double bf16_dot_chains(long rounds, float* sink);

}  // namespace attn::bench
