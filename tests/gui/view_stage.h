// SPDX-License-Identifier: GPL-3.0-or-later
// Stage: a run and views on it. deterministic(): a shipped scenario, perhaps with fewer new tokens,
// on the virtual clock with one worker.
#pragma once

#include <algorithm>
#include <vector>

#include "gui/models/time_cursor.h"
#include "gui/widgets/view.h"
#include "run_helpers.h"

namespace attn::gui::test {

inline Scenario deterministic(const char* name, int64_t most_tokens) {
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 1;
  scenario.view.pace_tiles_per_s = 0;
  for (ScenarioRequest& request : scenario.requests)
    request.max_tokens = std::min(request.max_tokens, most_tokens);
  return scenario;
}

// A widget to be drawn. digits: how many of its numbers may have another last digit on another
// processor. text: factor for the strays allowed with another Qt or other fonts.
struct Subject {
  const char* name;
  QWidget* widget;
  int digits = 1;
  double text = 1;
};

// A run and views on it. The window has the keyboard focus, so no view is drawn as focused.
class Stage {
 public:
  explicit Stage(const Scenario& scenario) : scenario_(scenario) {
    follow_runs(bridge, selection);
    window_.setFocusPolicy(Qt::StrongFocus);
  }
  template <class Widget>
  Widget& add(const char* name, QSize size, int digits = 1, double text = 1) {
    auto* view = new Widget(ViewContext{&bridge, &selection, &cursor}, &window_);
    view->setGeometry(QRect(QPoint(40, next_), size));
    next_ += size.height();
    subjects.push_back({name, view, digits, text});
    return *view;
  }
  bool stand_at_start() {
    window_.resize(800, next_ + 40);
    window_.show();
    window_.setFocus();
    bridge.start(scenario_, true);
    return wait_until_stands(bridge) && bridge.snapshot();
  }
  bool run_to_end() {
    if (!stand_at_start()) return false;
    bridge.run();
    return wait_until_phase(bridge, EnginePhase::kFinished);
  }
  // Runs whole steps, so that the run is held at the same place every time.
  bool run_until(int64_t tokens) {
    if (!stand_at_start()) return false;
    while (bridge.snapshot()->generated_tokens < tokens) {
      bridge.step(Granularity::kStep);
      if (!wait_until_stands(bridge)) return false;
    }
    return true;
  }

  EngineBridge bridge;
  Selection selection;
  TimeCursor cursor{bridge};
  std::vector<Subject> subjects;

 private:
  Scenario scenario_;
  int next_ = 40;
  QWidget window_;
};

}  // namespace attn::gui::test
