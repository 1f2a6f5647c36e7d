// SPDX-License-Identifier: GPL-3.0-or-later
// SavedRun: runs a scenario and keeps what a session file contains. tiny_scenario(): a scenario for
// it.
#pragma once

#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/session/history/step_history.h"
#include "engine/session/session_file/session_chunks.h"
#include "engine/session/session_file/session_file.h"
#include "tests/engine/session/session_support.h"
#include "tests/support/session_chunks.h"
#include "tests/support/shipped_scenario.h"

namespace attn::test {

// Runs the scenario to its end, or for at most `steps` steps, and keeps what a session file
// contains.
struct SavedRun {
  explicit SavedRun(const Scenario& scenario, int steps = -1)
      : recorder(std::make_unique<Recorder>(num_workers(scenario))) {
    EngineOptions options;
    options.recorder = recorder.get();
    options.history_bytes = size_t{1} << 26;
    options.row_states = &row_states;
    row_states.watch(0, static_cast<int>(scenario.view.layer),
                     static_cast<int>(scenario.view.head));
    engine = std::make_unique<Engine>(scenario, options);
    while (engine->has_work() && steps-- != 0) EXPECT_TRUE(engine->step());
    recorder->drain();
    snapshot = std::make_shared<const EngineSnapshot>(
        engine->snapshot(engine->has_work() ? EnginePhase::kPaused : EnginePhase::kFinished));
  }
  SessionInputs inputs() const { return {snapshot, recorder.get(), &row_states, view, notes}; }
  void save(const std::filesystem::path& file) const { save_session(file, inputs()); }

  std::unique_ptr<Recorder> recorder;
  RowStateLog row_states;
  std::unique_ptr<Engine> engine;
  std::shared_ptr<const EngineSnapshot> snapshot;
  std::string view = "{\"tab\":\"heatmap\"}";
  std::vector<StepNote> notes;
};

// Two short requests and a cache of 8 blocks, so that the session file is small.
inline Scenario tiny_scenario() {
  Scenario scenario = synthetic_scenario({5, 3}, 3);
  scenario.source.synthetic->num_layers = 1;
  scenario.source.synthetic->num_heads = 2;
  scenario.source.synthetic->num_kv_heads = 1;
  scenario.source.synthetic->head_size = 32;
  scenario.engine.clock = ClockKind::kVirtual;
  scenario.engine.block_size = 4;
  scenario.engine.num_blocks = 8;
  scenario.engine.num_swap_blocks = 2;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.threads = 1;
  return scenario;
}

}  // namespace attn::test
