// SPDX-License-Identifier: GPL-3.0-or-later
// Loads a shipped scenario and gives it the virtual clock and two threads.
#pragma once

#include <string>

#include "backends/register_all.h"
#include "engine/session/scenario/scenario.h"

namespace attn::test {

inline Scenario shipped_virtual(const std::string& name) {
  register_all_backends();
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.threads = 2;
  return scenario;
}

}  // namespace attn::test
