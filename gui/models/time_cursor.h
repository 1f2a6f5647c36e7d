// SPDX-License-Identifier: GPL-3.0-or-later
// TimeCursor: the step that all views show. Live: the newest there is. Otherwise a step of the
// past, put together again from the run's history, while the run goes on. GUI thread; no Widgets.
#pragma once

#include <QObject>
#include <memory>

#include "engine/session/step_history.h"
#include "gui/bridge/engine_bridge.h"

namespace attn::gui {

class TimeCursor : public QObject {
  Q_OBJECT
 public:
  explicit TimeCursor(EngineBridge& bridge, QObject* parent = nullptr);

  bool is_live() const { return past_ == nullptr; }
  // What views show; null before the first snapshot. In the past it stays as it is even when the
  // history lets its step go.
  const std::shared_ptr<const EngineSnapshot>& snapshot() const {
    return past_ ? past_ : bridge_.snapshot();
  }
  // Steps there are to go to.
  StepHistory::Range range() const;
  // The step shown, 0 before the first; the newest that came to its end: range().last.
  uint32_t step() const;

  // To the nearest step of range(); nothing happens while that is empty. The newest step is not
  // live: it stays when the run goes on.
  void go_to(uint32_t step);
  // To the step that ran at this time on the run's clock, or the last before it.
  void go_to_time(uint64_t time_ns);
  // From live, one step back is the one before the newest. Forward from the newest is live.
  void move(int steps);
  void go_live();

 signals:
  void changed();        // snapshot() is another one
  void moved();          // by a command, or because a new run began: is_live(), step()
  void range_changed();  // range()

 private:
  void set_past(std::shared_ptr<const EngineSnapshot> past);
  void look_at_range();

  EngineBridge& bridge_;
  std::shared_ptr<const EngineSnapshot> past_;  // null: live
  StepHistory::Range seen_;
};

}  // namespace attn::gui
