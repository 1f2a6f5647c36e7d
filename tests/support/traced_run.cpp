// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/traced_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace attn::testing {

TracedRun::TracedRun(const AttentionCase& c, const AttentionBackend& backend, int threads,
                     int layers) {
  const AttentionConfig& config = c.spec.config;
  ThreadPool pool(threads);
  Recorder recorder(threads);
  RunClock clock(ClockKind::kVirtual, recorder.num_lanes());
  Tensor storage(c.spec.dtype, backend.kv_cache_shape(c.num_blocks, c.spec.block_size,
                                                      config.num_kv_heads, config.head_size));
  Execution execution;
  execution.pool = &pool;
  execution.recorder = &recorder;
  execution.clock = &clock;
  Tensor out(c.spec.dtype, c.query.shape());
  AttentionInputs inputs;
  inputs.query = &c.query;
  inputs.key = &c.key;
  inputs.value = &c.value;
  inputs.kv_cache = {&storage, c.num_blocks, c.spec.block_size, config.num_kv_heads,
                     config.head_size};
  for (int layer = 0; layer < layers; ++layer) {
    execution.layer = static_cast<uint8_t>(layer);
    EXPECT_TRUE(backend.make_impl(config)->forward(inputs, c.metadata, {&out, nullptr, nullptr},
                                                   execution));
  }
  recorder.drain();
  events = recorder.sorted();
}

std::vector<TraceEvent> TracedRun::of(EventKind kind) const {
  std::vector<TraceEvent> found;
  std::ranges::copy_if(events, std::back_inserter(found),
                       [kind](const TraceEvent& event) { return event.kind == kind; });
  return found;
}

}  // namespace attn::testing
