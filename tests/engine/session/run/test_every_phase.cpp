// SPDX-License-Identifier: GPL-3.0-or-later
// Abort, cancel followed by another run, and quit, each in every phase of a run: blocks are given
// back, the other run ends, and the history that a view holds stays valid.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "engine/session/history/step_history.h"
#include "engine/session/run/engine_runner.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using namespace std::chrono_literals;
using test::kSlowdown;
using test::wait_until;

constexpr auto kPhasePatience = 30s;

bool stands(EngineRunner& runner) {
  return runner.gate().state() == RunGate::State::kPaused && runner.gate().held() > 0;
}

Scenario shipped(const char* name) {
  register_all_backends();
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.view.pace_tiles_per_s = 0;
  scenario.engine.threads = 2;
  return scenario;
}

void step(EngineRunner& runner, Granularity unit) {
  runner.gate().step(unit);
  EXPECT_GE(wait_until(kPhasePatience, [&] { return stands(runner); }), 0);
}

void begin_paused(EngineRunner& runner, const Scenario& scenario) {
  runner.start(scenario, true);
  ASSERT_GE(wait_until(kPhasePatience, [&] { return stands(runner); }), 0);
}

template <class There>
void step_until(EngineRunner& runner, There&& there) {
  for (int i = 0; i < 200 && !there(*runner.snapshot()); ++i) step(runner, Granularity::kStep);
  EXPECT_TRUE(there(*runner.snapshot()));
}

struct Phase {
  const char* name;
  void (*reach)(EngineRunner&);
};

const Phase kPhases[] = {
    {"loading", [](EngineRunner& runner) { runner.start(shipped("full-house-swap")); }},
    {"before_the_first_step",
     [](EngineRunner& runner) { begin_paused(runner, shipped("full-house-swap")); }},
    {"waiting_for_an_arrival",
     [](EngineRunner& runner) {
       Scenario scenario = shipped("full-house-swap");
       scenario.arrivals.kind = ArrivalKind::kListed;
       for (ScenarioRequest& request : scenario.requests) request.arrival_s = 100'000;
       runner.start(scenario);
       std::this_thread::sleep_for(60ms * kSlowdown);
     }},
    {"in_a_tile_of_a_prefill",
     [](EngineRunner& runner) {
       begin_paused(runner, shipped("full-house"));
       for (int i = 0; i < 5; ++i) step(runner, Granularity::kTile);
     }},
    {"in_a_kernel_of_a_decode",
     [](EngineRunner& runner) {
       begin_paused(runner, shipped("full-house"));
       for (int i = 0; i < 3; ++i) step(runner, Granularity::kStep);
       for (int i = 0; i < 7; ++i) step(runner, Granularity::kKernel);
     }},
    {"preempted",
     [](EngineRunner& runner) {
       begin_paused(runner, shipped("full-house"));
       step_until(runner, [](const EngineSnapshot& shot) {
         return std::ranges::any_of(shot.requests, [](const RequestView& request) {
           return request.state == RequestState::kWaiting && request.num_preemptions > 0;
         });
       });
     }},
    {"swapped",
     [](EngineRunner& runner) {
       begin_paused(runner, shipped("full-house-swap"));
       step_until(runner, [](const EngineSnapshot& shot) {
         return std::ranges::any_of(shot.requests, [](const RequestView& request) {
           return request.state == RequestState::kSwapped;
         });
       });
     }},
    {"beams_share_blocks",
     [](EngineRunner& runner) {
       begin_paused(runner, shipped("beam-search"));
       step_until(runner, [](const EngineSnapshot& shot) {
         return std::ranges::any_of(shot.blocks,
                                    [](const BlockView& block) { return block.ref_count > 1; });
       });
     }},
    {"running",
     [](EngineRunner& runner) {
       runner.start(shipped("shared-prompt"));
       wait_until(kPhasePatience, [&] { return runner.snapshot() && runner.snapshot()->step > 2; });
     }},
    {"finished",
     [](EngineRunner& runner) {
       runner.start(shipped("samples"));
       EXPECT_TRUE(runner.wait_finished(kPhasePatience));
     }},
};

class EveryPhase : public testing::TestWithParam<Phase> {};

void expect_all_given_back(EngineRunner& runner) {
  std::atomic<bool> looked = false;
  runner.with_engine([&](Engine* engine) {
    looked = true;
    if (!engine) return;
    engine->scheduler().check_invariants();
    const EngineSnapshot shot = engine->snapshot(EnginePhase::kFinished);
    for (const RequestView& request : shot.requests) EXPECT_TRUE(is_finished(request.state));
    for (const BlockView& block : shot.blocks) EXPECT_EQ(block.ref_count, 0);
    for (const BlockView& block : shot.swap_blocks) EXPECT_EQ(block.ref_count, 0);
  });
  EXPECT_GE(wait_until(kPhasePatience, [&] { return looked.load(); }), 0);
}

TEST_P(EveryPhase, AbortGivesEverythingBack) {
  EngineRunner runner;
  GetParam().reach(runner);
  // Forks get ids of their own during the run. If the run is held inside a step, the aborts are
  // handled at the end of the step.
  for (uint32_t id = 0; id < 64; ++id) runner.abort(id);
  runner.gate().run();
  for (int round = 0; round < 20 && !runner.wait_finished(100ms); ++round)
    if (const auto shot = runner.snapshot())
      for (const RequestView& request : shot->requests) runner.abort(request.id);
  ASSERT_TRUE(runner.wait_finished(kPhasePatience));
  expect_all_given_back(runner);
}

TEST_P(EveryPhase, CancelAndRunAnother) {
  EngineRunner runner;
  GetParam().reach(runner);
  runner.cancel();
  ASSERT_TRUE(runner.wait_finished(kPhasePatience));
  Scenario next = shipped("first-look");
  next.requests[0].max_tokens = 3;
  runner.start(next);
  ASSERT_TRUE(runner.wait_finished(kPhasePatience));
  EXPECT_EQ(runner.snapshot()->phase, EnginePhase::kFinished);
  EXPECT_EQ(runner.snapshot()->generated_tokens, 3);
  expect_all_given_back(runner);
}

TEST_P(EveryPhase, QuitLeavesWhatAViewHolds) {
  auto runner = std::make_unique<EngineRunner>();
  GetParam().reach(*runner);
  const auto history = runner->snapshot() ? runner->snapshot()->history : nullptr;
  runner.reset();
  const size_t steps = history ? history->range().last : 0;
  EXPECT_EQ(steps > 0, history && !history->range().empty());
}

INSTANTIATE_TEST_SUITE_P(All, EveryPhase, testing::ValuesIn(kPhases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace attn
