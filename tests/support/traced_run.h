// SPDX-License-Identifier: GPL-3.0-or-later
// TracedRun: runs a backend on an AttentionCase with the virtual clock and keeps the trace events.
#pragma once

#include <vector>

#include "engine/trace/recorder.h"
#include "tests/support/attention_case.h"

namespace attn::testing {

struct TracedRun {
  TracedRun(const AttentionCase& c, const AttentionBackend& backend, int threads, int layers = 1);
  std::vector<TraceEvent> of(EventKind kind) const;

  std::vector<TraceEvent> events;  // in order of time
};

}  // namespace attn::testing
