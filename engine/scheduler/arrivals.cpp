// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/arrivals.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/rng.h"

namespace attn {
namespace {

constexpr double kLowestRate = 0.01, kHighestRate = 1e9;  // per second
constexpr int64_t kMostArrivals = 1'000'000;
constexpr int kUniformBits = 53;
constexpr int kLogBits = 48;                    // fraction bits of the binary logarithm
constexpr int kQuantileBits = 40;               // fraction bits of the result
constexpr uint64_t kLn2 = 0xb17217f7d1cf79abu;  // ln 2 * 2^64
constexpr uint64_t kHalf32 = 0xffffffffu;

uint64_t multiply_high(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & kHalf32, a1 = a >> 32, b0 = b & kHalf32, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const uint64_t low = a0 * b1 + (middle & kHalf32);
  return a1 * b1 + (middle >> 32) + (low >> 32);
}

}  // namespace

uint64_t exponential_quantile(uint64_t k) {
  const uint64_t rest = (uint64_t{1} << kUniformBits) - k;  // (1 - u) * 2^53, in [1, 2^53]
  const int zeros = std::countl_zero(rest);
  // log2 of the mantissa in [1, 2), bit by bit: squaring doubles the logarithm.
  uint64_t mantissa = rest << zeros, fraction = 0;
  for (int bit = 0; bit < kLogBits; ++bit) {
    const uint64_t square = multiply_high(mantissa, mantissa);
    const bool above_two = square >> 63;
    fraction = fraction << 1 | (above_two ? 1 : 0);
    mantissa = above_two ? square : square << 1;
  }
  const auto whole = static_cast<uint64_t>(kUniformBits - (63 - zeros));
  const uint64_t log2 = (whole << kLogBits) - fraction;  // -log2(1 - u)
  constexpr int kDropped = kLogBits - kQuantileBits;
  return (multiply_high(log2, kLn2) + (uint64_t{1} << (kDropped - 1))) >> kDropped;
}

std::vector<uint64_t> poisson_arrivals(double rate_per_s, int64_t count, uint64_t seed) {
  if (!(rate_per_s >= kLowestRate && rate_per_s <= kHighestRate))
    throw_bad_input(
        {"the rate of arrivals is out of range", "rate_per_s", fmt::format("{}", rate_per_s),
         fmt::format("{} to {:.0f} requests per second", kLowestRate, kHighestRate), ""});
  if (count < 0 || count > kMostArrivals)
    throw_bad_input({"the number of arrivals is out of range", "count", fmt::format("{}", count),
                     fmt::format("0 to {}", kMostArrivals), ""});
  const double mean_ns = 1e9 / rate_per_s;
  Rng rng(seed);
  std::vector<uint64_t> arrivals;
  arrivals.reserve(static_cast<size_t>(count));
  uint64_t now = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t quantile = exponential_quantile(rng.next() >> (64 - kUniformBits));
    now += static_cast<uint64_t>(std::llround(static_cast<double>(quantile) * 0x1p-40 * mean_ns));
    arrivals.push_back(now);
  }
  return arrivals;
}

}  // namespace attn
