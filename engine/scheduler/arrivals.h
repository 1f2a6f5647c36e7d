// SPDX-License-Identifier: GPL-3.0-or-later
// When requests arrive. Any thread; no state.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

// A Poisson process: `count` arrival times in ns from 0, ascending, with independent exponential
// gaps of mean 1 / rate_per_s, the first one counted from 0. Inverse of the distribution function,
// gap = -ln(1 - u) / rate, on the numbers of Rng(seed), with a logarithm in integers: the same
// times on every machine, compiler and mathematical library. Throws Error(kBadInput) unless
// rate_per_s is in [0.01, 1e9] and count in [0, 1e6].
std::vector<uint64_t> poisson_arrivals(double rate_per_s, int64_t count, uint64_t seed);

// -ln(1 - u) of u = k * 2^-53, k in [0, 2^53): in units of 2^-40, to one unit.
uint64_t exponential_quantile(uint64_t k);

}  // namespace attn
