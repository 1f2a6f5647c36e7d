// SPDX-License-Identifier: GPL-3.0-or-later
// Trace events and row states in a session file, 32 bytes each, little endian. For code that
// saves or loads sessions.
#pragma once

#include <string_view>

#include "engine/session/session_file/session_bytes.h"
#include "engine/trace/probe.h"

namespace attn {

inline constexpr size_t kEventBytes = 32;

// Writes an event: begin_ns u64; duration_ns 40 bits, kind, lane, layer 8 bits each; a, b, c, d
// u32.
void put_event(const TraceEvent& event, PutBytes& out);
// Writes a row state: request, query, k_begin, k_count u32; max, sum f32; layer, head, lane,
// kernel, begins u8; three bytes 0.
void put_row_state(const RowStateEvent& event, PutBytes& out);

// Values that views use as indices are checked against what the run has. Throw Error(kBadInput).
TraceEvent take_event(TakeBytes& in, const SessionLimits& limits, uint32_t num_messages);
RowStateEvent take_row_state(TakeBytes& in, const SessionLimits& limits);

}  // namespace attn
