// SPDX-License-Identifier: GPL-3.0-or-later
// The most that this machine can do. A row measures its limit by turns with its runs, because the
// speed of a shared machine changes; the counter limit_ratio is the row's rate divided by its
// limit. For a peer, whose runs are in another process, the limit is measured once.
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

// The rate that `threads` threads reach together at this moment, in GFLOP/s or GB/s. Takes a few
// milliseconds (kFma, kBf16Dot) to a tenth of a second.
double limit_now(Limit limit, int threads);

// Whether this processor has bf16 dot products and the compiler could compile them.
bool has_bf16_dot();

// The work of one thread for kBf16Dot: `rounds` rounds of independent chains. Returns the number of
// FLOPs. Call it only where has_bf16_dot(). In limits_bf16.cpp.
double bf16_dot_chains(long rounds, float* sink);

}  // namespace attn::bench
