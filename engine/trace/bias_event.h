// SPDX-License-Identifier: GPL-3.0-or-later
// BiasEvent: what a kBiasBuilt event says of the masks or biases that a layer built for prefills.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/trace/event.h"

namespace attn {

struct Execution;

struct BiasEvent {
  uint32_t step = 0;
  uint32_t rows = 0;   // of all masks together
  uint32_t keys = 0;   // < 2^24
  uint64_t bytes = 0;  // < 2^40
};
// a = step;  b = rows;  c = keys | highest byte of bytes << 24;  d = the lower 4 bytes of bytes.
// Larger numbers of keys or bytes are stored as the largest that fits.
inline void pack(const BiasEvent& bias, TraceEvent& event) {
  const uint64_t bytes = std::min(bias.bytes, (uint64_t{1} << 40) - 1);
  const auto highest = static_cast<uint32_t>(bytes >> 32);
  event.kind = EventKind::kBiasBuilt;
  event.a = bias.step;
  event.b = bias.rows;
  event.c = std::min<uint32_t>(bias.keys, 0xffffff) | highest << 24;
  event.d = static_cast<uint32_t>(bytes);
}
inline BiasEvent unpack_bias(const TraceEvent& event) {
  return {event.a, event.b, event.c & 0xffffff, uint64_t{event.c >> 24} << 32 | event.d};
}

// Records a BiasEvent on the engine lane, unless there is no recorder. rows, keys, bytes: sums over
// what was built. Engine thread.
void emit_bias_built(const Execution& execution, int64_t rows, int64_t keys, int64_t bytes);

}  // namespace attn
