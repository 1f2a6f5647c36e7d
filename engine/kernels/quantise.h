// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers to the codes of a quantised cache (fp8, int8), by vectors; the same codes and counts as
// round_to_code() one by one. Any thread.
#pragma once

#include <cstdint>

#include "engine/attention/cache_rounding.h"

namespace attn {

// code = x / scale, rounded as from_f32() does. `counts` is added to.
void quantise(const float* x, int64_t count, float scale, Float8E4M3* codes,
              RoundingCounts& counts);
void quantise(const float* x, int64_t count, float scale, Float8E5M2* codes,
              RoundingCounts& counts);
void quantise(const float* x, int64_t count, float scale, int8_t* codes, RoundingCounts& counts);

}  // namespace attn
