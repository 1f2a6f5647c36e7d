// SPDX-License-Identifier: GPL-3.0-or-later
// Workbench: the real window with a scenario, shown; the run is not started.
#pragma once

#include <memory>

#include "gui/app/window/main_window.h"

namespace attn::gui::test {

struct Workbench {
  explicit Workbench(const Scenario& scenario, bool keep_settings = false) : control(bridge) {
    follow_runs(bridge, selection);
    control.edit(scenario);
    window = std::make_unique<MainWindow>(bridge, control, selection, keep_settings);
    window->resize(1280, 720);
    window->show();
  }

  EngineBridge bridge;
  Selection selection;
  RunControl control;
  std::unique_ptr<MainWindow> window;
};

}  // namespace attn::gui::test
