// SPDX-License-Identifier: GPL-3.0-or-later
// The groups in which lists show the shipped scenarios. Any thread.
#pragma once

#include <string>
#include <vector>

namespace attn {

struct ScenarioGroup {
  std::string title;                   // "First steps"
  std::vector<std::string> scenarios;  // names, as shipped_scenarios() has them
};

// The groups of shipped_scenarios(). Scenarios that no other group names are in the last one,
// "More". Groups without a scenario are left out. Throws as shipped_scenarios() does.
std::vector<ScenarioGroup> scenario_groups();

}  // namespace attn
