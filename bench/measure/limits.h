// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the limit of this machine with which a row of `attn bench` or `bench-views` is compared.
#pragma once

#include "engine/machine/limits.h"

namespace attn::bench {

// Measures the rate that `threads` threads reach together, in GFLOP/s or GB/s.
double limit_now(Limit limit, int threads);

}  // namespace attn::bench
