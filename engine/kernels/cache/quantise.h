// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of numbers to the codes of a quantised cache (fp8, int8), vectorised. Codes and counts
// are those of round_to_code() for each number divided by the scale. Any thread.
#pragma once

#include <cstdint>

#include "engine/attention/cache_type/cache_rounding.h"

namespace attn {

// code = x / scale, rounded as from_f32() does. Adds to `counts` how many numbers saturated, how
// many vanished and how many were kept; saturated ones are kept, and a 0 is not counted.
void quantise(const float* x, int64_t count, float scale, Float8E4M3* codes,
              RoundingCounts& counts);
void quantise(const float* x, int64_t count, float scale, Float8E5M2* codes,
              RoundingCounts& counts);
void quantise(const float* x, int64_t count, float scale, int8_t* codes, RoundingCounts& counts);

}  // namespace attn
