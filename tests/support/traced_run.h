// SPDX-License-Identifier: GPL-3.0-or-later
// The events of a backend's run of a case, on a virtual clock.
#pragma once

#include <vector>

#include "engine/trace/recorder.h"
#include "tests/support/attention_case.h"

namespace attn::testing {

struct TracedRun {
  // The call is made once per layer.
  TracedRun(const AttentionCase& c, const AttentionBackend& backend, int threads, int layers = 1);
  std::vector<TraceEvent> of(EventKind kind) const;

  std::vector<TraceEvent> events;  // in order of time
};

}  // namespace attn::testing
