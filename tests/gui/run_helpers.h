// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers of GUI tests: waiting for a run while the event loop runs, a count of events, and a
// synthetic scenario.
#pragma once

#include <QtTest>
#include <algorithm>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui::test {

inline bool stands(EngineBridge& bridge) {
  return bridge.gate_state() == RunGate::State::kPaused && bridge.runner().gate().held() > 0;
}

inline bool wait_until_stands(EngineBridge& bridge, int timeout_ms = 60000) {
  const bool done = QTest::qWaitFor([&] { return stands(bridge); }, timeout_ms);
  bridge.catch_up();
  return done;
}

// The runner is asked, too: after a start the bridge shows the earlier snapshot until its next
// tick.
inline bool wait_until_phase(EngineBridge& bridge, EnginePhase phase, int timeout_ms = 60000) {
  const EngineRunner& runner = bridge.runner();
  const bool done = QTest::qWaitFor(
      [&] {
        if (runner.pending_commands() != 0) return false;
        const auto latest = runner.snapshot(), shown = bridge.snapshot();
        return latest && shown && latest->phase == phase && shown->phase == phase &&
               shown->run == latest->run;
      },
      timeout_ms);
  bridge.catch_up();
  return done;
}

inline int64_t count_events(const EngineBridge& bridge, EventKind kind) {
  return std::count_if(bridge.events().begin(), bridge.events().end(),
                       [kind](const TraceEvent& event) { return event.kind == kind; });
}

inline Scenario synthetic_scenario(int64_t prompt_tokens, int64_t max_tokens) {
  Scenario scenario;
  scenario.title = "test";
  scenario.source.synthetic = SyntheticSpec{.kind = SyntheticKind::kInduction,
                                            .num_layers = 2,
                                            .num_heads = 4,
                                            .num_kv_heads = 2,
                                            .head_size = 32,
                                            .max_model_len = 1024};
  ScenarioRequest request;
  request.name = "A";
  request.prompt_tokens = prompt_tokens;
  request.max_tokens = max_tokens;
  scenario.requests = {request};
  scenario.engine.num_blocks = 128;
  scenario.engine.threads = 1;
  return scenario;
}

}  // namespace attn::gui::test
