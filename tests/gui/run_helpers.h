// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for a run in GUI tests: the event loop turns while it waits.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QtTest>
#include <algorithm>
#include <fstream>

#include "gui/bridge/engine_bridge.h"

namespace attn::gui::test {

inline bool stands(EngineBridge& bridge) {
  return bridge.gate_state() == RunGate::State::kPaused && bridge.runner().gate().held() > 0;
}

inline bool wait_until_stands(EngineBridge& bridge, int timeout_ms = 20000) {
  const bool done = QTest::qWaitFor([&] { return stands(bridge); }, timeout_ms);
  bridge.catch_up();
  return done;
}

inline bool wait_until_phase(EngineBridge& bridge, EnginePhase phase, int timeout_ms = 60000) {
  const bool done = QTest::qWaitFor(
      [&] {
        return bridge.snapshot() && bridge.snapshot()->phase == phase &&
               bridge.runner().pending_commands() == 0;
      },
      timeout_ms);
  bridge.catch_up();
  return done;
}

inline int64_t count_events(const EngineBridge& bridge, EventKind kind) {
  return std::count_if(bridge.events().begin(), bridge.events().end(),
                       [kind](const TraceEvent& event) { return event.kind == kind; });
}

// A small synthetic run that needs no model.
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

// Beats every 5 ms on the GUI thread. A gap is the time between two beats less what the thread
// spent in the queue for a core, which is the machine's doing and not ours: running too long and
// waiting for a lock both count.
class Watchdog : public QObject {
 public:
  Watchdog() {
    connect(&timer_, &QTimer::timeout, this, [this] { beat(); });
    timer_.setTimerType(Qt::PreciseTimer);
    clock_.start();
    queued_ms_ = queued_ms();
    timer_.start(5);
  }
  double worst_ms() const { return worst_ms_; }
  // Leaves out what the test itself did on this thread since the last beat.
  void excuse() {
    clock_.restart();
    queued_ms_ = queued_ms();
  }

 private:
  static double queued_ms() {
    std::ifstream stat("/proc/thread-self/schedstat");
    double ran = 0, queued = 0;
    return stat >> ran >> queued ? queued / 1e6 : 0;
  }
  void beat() {
    const double now_queued = queued_ms();
    const double gap = static_cast<double>(clock_.nsecsElapsed()) / 1e6 - (now_queued - queued_ms_);
    clock_.restart();
    queued_ms_ = now_queued;
    worst_ms_ = std::max(worst_ms_, gap);
  }
  QTimer timer_;
  QElapsedTimer clock_;
  double queued_ms_ = 0, worst_ms_ = 0;
};

}  // namespace attn::gui::test
