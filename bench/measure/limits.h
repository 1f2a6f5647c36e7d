// SPDX-License-Identifier: GPL-3.0-or-later
// The limits that rows are compared with (engine/machine/limits.h). A row measures its limit by
// turns with its runs, because the speed of a shared machine changes; the counter limit_ratio is
// the row's rate divided by its limit.
#pragma once

#include "engine/machine/limits.h"

namespace attn::bench {

// Measures the rate that `threads` threads reach together, in GFLOP/s or GB/s.
double limit_now(Limit limit, int threads);

}  // namespace attn::bench
