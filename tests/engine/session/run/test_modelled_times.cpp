// SPDX-License-Identifier: GPL-3.0-or-later
// That on the virtual clock the tables and the trace of a run are the same with every instruction
// set.
#include <gtest/gtest.h>

#include <map>

#include "engine/kernels/tiles/instruction_set.h"
#include "engine/session/report/report.h"
#include "hwy/targets.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

std::map<std::string, std::string> tables_of(const Scenario& scenario) {
  Recorder recorder(num_workers(scenario));
  EngineOptions options;
  options.recorder = &recorder;
  Engine engine(scenario, options);
  engine.run_to_end();
  recorder.drain();
  const EngineSnapshot shot = engine.snapshot(EnginePhase::kFinished);
  const std::vector<TraceEvent> events = recorder.sorted();
  return {{"requests", requests_csv(shot)},
          {"steps", steps_csv(shot)},
          {"blocks", blocks_csv(shot, events)},
          {"block table", block_table_csv(shot)},
          {"kernels", kernels_csv(events)},
          {"timeline", timeline_csv(events)},
          {"trace", trace_json(shot, events, recorder.messages())}};
}

TEST(ModelledTimes, AreTheSameWithEveryInstructionSet) {
  register_all_backends();
  const int64_t targets = hwy::SupportedTargets() & kernel_targets();
  ASSERT_NE(targets, 0);
  for (const char* name : {"first-look", "xformers-packed", "pallas-pages"}) {
    Scenario scenario = load_scenario(find_scenario(name));
    scenario.engine.clock = ClockKind::kVirtual;
    for (ScenarioRequest& request : scenario.requests)
      request.max_tokens = std::min<int64_t>(request.max_tokens, 4);
    const auto expected = tables_of(scenario);
    for (int64_t rest = targets; rest != 0; rest &= rest - 1) {
      const int64_t target = rest & -rest;
      SCOPED_TRACE(std::string(name) + " " + hwy::TargetName(target));
      hwy::SetSupportedTargetsForTest(target);
      const auto found = tables_of(scenario);
      hwy::SetSupportedTargetsForTest(0);
      for (const auto& [table, text] : expected) EXPECT_EQ(found.at(table), text) << table;
    }
  }
}

}  // namespace
}  // namespace attn
