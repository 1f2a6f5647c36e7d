// SPDX-License-Identifier: GPL-3.0-or-later
// The limits that rows are compared with (engine/machine/limits.h).
#pragma once

#include "engine/machine/limits.h"

namespace attn::bench {

// Measures the rate that `threads` threads reach together, in GFLOP/s or GB/s.
double limit_now(Limit limit, int threads);

}  // namespace attn::bench
