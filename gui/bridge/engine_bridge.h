// SPDX-License-Identifier: GPL-3.0-or-later
// EngineBridge: the GUI thread's side of the engine. Commands go to the runner and do not wait. A
// 16 ms timer takes what is new of the run and emits the signals; a tick that has taken 2 ms may
// leave the rest to the next one. The timer stops soon after the run has paused or ended. GUI
// thread only; no Widgets.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>
#include <vector>

#include "engine/session/run/engine_runner.h"

namespace attn::gui {

class EngineBridge : public QObject {
  Q_OBJECT
 public:
  explicit EngineBridge(QObject* parent = nullptr);
  ~EngineBridge() override;

  // --- commands ---
  void start(const Scenario& scenario, bool start_paused = false);
  void show(std::shared_ptr<const Session> session);
  // prompt: as in EngineRunner::add_request().
  void add_request(const ScenarioRequest& request, std::vector<int32_t> prompt = {});
  void abort(uint32_t request);
  void run();
  void pause();
  void step(Granularity unit);
  void set_pace(double tiles_per_second);  // 0: full speed
  void cancel();

  // --- the present state ---
  // The newest snapshot for listeners; null before the first one.
  const std::shared_ptr<const EngineSnapshot>& snapshot() const { return snapshot_; }
  // The events of this run that were taken from the recorder so far, in the order of
  // Recorder::read(). An event keeps its index for the whole run.
  const std::vector<TraceEvent>& events() const { return events_; }
  // The recorded run (saved or earlier) that is shown, from its run_started() on. Null: the shown
  // run is not a recorded one, or show() was called for another one that has not begun yet.
  std::shared_ptr<const Session> session() const {
    return session_ && recorder_ == session_->recorder ? session_ : nullptr;
  }
  std::vector<std::string> messages() const;
  TraceCounts trace_counts() const;
  // The recorder of this run, for readers on other threads. Its events have the indices of
  // events(), which may lag behind. Null before the first tick or catch_up().
  std::shared_ptr<const Recorder> recorder() const { return recorder_; }
  RunGate::State gate_state() const { return runner_.gate().state(); }
  double pace() const { return runner_.gate().pace(); }
  bool timer_active() const { return timer_.isActive(); }
  // The longest tick so far, ms.
  double worst_tick_ms() const { return worst_tick_ms_; }
  EngineRunner& runner() { return runner_; }

  // While the bridge is held the timer does not run. tick() and catch_up() still work.
  void hold(bool held);
  void tick();
  void catch_up();

 signals:
  void run_started();
  void snapshot_changed();                       // snapshot() has changed
  void events_appended(qint64 from, qint64 to);  // events() grew: [from, to)
  void attention_changed();                      // attention records or their rows have changed
  void gate_changed();                           // gate_state() or pace() has changed

 private:
  using Time = std::chrono::steady_clock::time_point;

  void wake();
  void announce_gate();
  void take_snapshot();
  bool take_run();  // true: run_started() is due
  void take_events(Time until);
  void drain(Time until);
  void announce_snapshot();
  void take_attention();

  mutable EngineRunner runner_;
  QTimer timer_;
  std::shared_ptr<const EngineSnapshot> snapshot_;
  uint64_t snapshot_version_ = 0;
  uint64_t run_ = 0;
  uint64_t attention_version_ = 0;
  std::shared_ptr<Recorder> recorder_;
  std::shared_ptr<const Session> session_;
  uint64_t read_position_ = 0;
  std::vector<TraceEvent> events_;
  RunGate::State last_gate_ = RunGate::State::kRunning;
  double last_pace_ = 0;
  std::shared_ptr<const EngineSnapshot> next_snapshot_;  // taken, but not announced yet
  // True: the recorder may have more events to read.
  bool events_wait_ = false;
  int first_stage_ = 0;  // where the next drain begins: 0 events, 1 snapshot, 2 attention
  bool behind_ = false;  // the last drain ran out of time; the next one may have work
  bool held_ = false;
  int idle_ticks_ = 0;
  double worst_tick_ms_ = 0;
};

}  // namespace attn::gui
