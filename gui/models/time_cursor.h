// SPDX-License-Identifier: GPL-3.0-or-later
// TimeCursor: the step that all views but Compare show. Live: always the newest state. Otherwise a
// past step, restored from the run's history while the run goes on; then none of them shows what
// came later. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <memory>

#include "engine/session/history/step_history.h"
#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

class TimeCursor : public QObject {
  Q_OBJECT
 public:
  explicit TimeCursor(EngineBridge& bridge, QObject* parent = nullptr);

  bool is_live() const { return past_ == nullptr; }
  // The snapshot that views show; null before the first one. A past snapshot stays valid after the
  // history has dropped its step.
  const std::shared_ptr<const EngineSnapshot>& snapshot() const {
    return past_ ? past_ : bridge_.snapshot();
  }
  // The steps that go_to() can reach.
  StepHistory::Range range() const;
  // The step that is shown: a past one or, while live, the newest completed one (range().last). 0
  // before the first step has ended.
  uint32_t step() const;
  // How many of the bridge's events, from the first on, may be shown: those that were recorded by
  // the end of the past step, or all of them.
  size_t num_events() const;

  // Goes to the nearest step of range(); does nothing while range() is empty. Going to the newest
  // step is not the same as live: the cursor stays there when the run goes on.
  void go_to(uint32_t step);
  // Goes to the step that ran at this time (ns of the run's clock), or to the last step before it.
  void go_to_time(uint64_t time_ns);
  // Moves by this many steps. -1 from live goes to the step before the newest; forward beyond the
  // newest goes live.
  void move(int steps);
  void go_live();

 signals:
  void changed();        // snapshot() changed
  void moved();          // a command or a new run led to another step, to live or away from live
  void range_changed();  // range() changed

 private:
  void set_past(std::shared_ptr<const EngineSnapshot> past);
  void look_at_range();

  EngineBridge& bridge_;
  std::shared_ptr<const EngineSnapshot> past_;  // null: live
  StepHistory::Range seen_;
};

}  // namespace attn::gui
