// SPDX-License-Identifier: GPL-3.0-or-later
// Fixture and helpers for tests of the xformers backend and its kernels.
#pragma once

#include <algorithm>
#include <vector>

#include "tests/support/backend_test.h"
#include "tests/support/traced_run.h"

namespace attn::testing {

class Xformers : public BackendTest {
 protected:
  static const AttentionBackend& xformers() { return backend_named("xformers"); }
};

inline std::vector<TraceEvent> traced_events(const AttentionCase& c, int layers = 1) {
  return TracedRun(c, backend_named("xformers"), 2, layers).events;
}

inline int64_t count_of(const std::vector<TraceEvent>& events, EventKind kind) {
  return std::ranges::count(events, kind, &TraceEvent::kind);
}
inline int64_t kernels_of(const std::vector<TraceEvent>& events, KernelId kernel) {
  return std::ranges::count_if(events, [&](const TraceEvent& event) {
    return event.kind == EventKind::kKernel && event.a == static_cast<uint32_t>(kernel);
  });
}

}  // namespace attn::testing
