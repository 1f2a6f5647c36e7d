// SPDX-License-Identifier: GPL-3.0-or-later
// Arrival times of requests by a Poisson process. Any thread; no state.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

// A Poisson process: `count` sorted arrival times in ns. Gaps are -ln(1 - u) / rate, with u from
// Rng(seed); the first is counted from 0. The logarithm is computed in integers. Throws
// Error(kBadInput) unless rate_per_s is in [0.01, 1e9] and count in [0, 1e6].
std::vector<uint64_t> poisson_arrivals(double rate_per_s, int64_t count, uint64_t seed);

// -ln(1 - u) for u = k * 2^-53, k in [0, 2^53), in units of 2^-40.
uint64_t exponential_quantile(uint64_t k);

}  // namespace attn
