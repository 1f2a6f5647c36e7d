// SPDX-License-Identifier: GPL-3.0-or-later
// TimeCursor: the step that most views show. While the cursor is live, they show the newest state;
// otherwise a past step, restored from the run's history. GUI thread; no Widgets.
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
  StepHistory::Range range() const;
  // The shown step: a past one or, while live, range().last. 0 before the first step has ended.
  uint32_t step() const;
  // How many of the bridge's events, from the first on, may be shown: all while live, otherwise
  // those recorded by the end of the past step.
  size_t num_events() const;

  // While range() is empty, does nothing. Otherwise goes to its step that is nearest to `step`, and
  // the cursor is not live, even at the newest step: it stays at its step when the run goes on.
  void go_to(uint32_t step);
  // Goes to the last step of range() that began by this time (ns of the run's clock); if none did,
  // to the oldest of them.
  void go_to_time(uint64_t time_ns);
  // Moves by this many steps. While the cursor is live, -1 goes to the step before the newest. A
  // move forward beyond the newest step makes the cursor live.
  void move(int steps);
  void go_live();

 signals:
  void changed();        // snapshot() changed
  void moved();          // the cursor went to another past step, or to or from live
  void range_changed();  // range() changed

 private:
  void set_past(std::shared_ptr<const EngineSnapshot> past);
  void look_at_range();

  EngineBridge& bridge_;
  std::shared_ptr<const EngineSnapshot> past_;  // null: live
  StepHistory::Range seen_;
};

}  // namespace attn::gui
