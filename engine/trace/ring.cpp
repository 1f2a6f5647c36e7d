// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/ring.h"

#include <bit>

namespace attn {

TraceRing::TraceRing(uint32_t capacity)
    : slots_(new TraceEvent[std::bit_ceil(capacity)]), mask_(std::bit_ceil(capacity) - 1) {}

}  // namespace attn
