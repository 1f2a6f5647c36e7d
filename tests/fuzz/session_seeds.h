// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs, as scenarios and saved as session files. The fuzz targets `scenario` and `session`
// and the walkers begin with them.
#pragma once

#include <string>
#include <vector>

#include "engine/session/notes/step_notes.h"
#include "engine/session/run/engine.h"
#include "engine/session/scenario/scenario.h"

namespace attn::fuzz {

struct SessionSeed {
  std::string name;  // for example "swap-pool"
  std::string bytes;
};

struct SeedScenario {
  std::string name;
  Scenario scenario;
  int steps = -1;                    // at most so many steps are run; -1: all
  std::vector<StepNote> notes = {};  // on steps that are run
  // A model of tests/golden/families, and tokens in place of the prompts; empty: as the scenario
  // says.
  std::string family = {};
  std::vector<EngineOptions::GivenPrompt> prompts = {};
  std::vector<ScenarioRequest> added = {};
};

// Both functions register the backends. The runs use the virtual clock, so their times are the same
// every time.
std::vector<SeedScenario> seed_scenarios();
std::vector<SessionSeed> session_seeds();

}  // namespace attn::fuzz
