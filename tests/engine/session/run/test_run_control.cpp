// SPDX-License-Identifier: GPL-3.0-or-later
// EngineRunner: pause, steps of each kind, pace, cancel, restart, quit, errors, progress, and calls
// between steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

#include "engine/session/run/engine_runner.h"
#include "tests/engine/session/session_support.h"

namespace attn {
namespace {

using namespace std::chrono_literals;
using test::kSlowdown;
using test::model_scenario;
using test::synthetic_scenario;
using test::wait_until;

constexpr auto kPatience = 60s;  // only ends a test that hangs
constexpr uint64_t kWorkers = 2;
// Units that may still end after a command: each worker's tile and the task around it.
constexpr uint64_t kUnderWay = 2 * kWorkers;

// A scenario that runs longer than any of these tests lets it run.
Scenario endless() {
  Scenario scenario = synthetic_scenario({900, 700, 300}, 4000);
  scenario.source.synthetic->max_model_len = 1000000;
  scenario.engine.num_blocks = 20000;
  return scenario;
}

uint64_t count(const Recorder& recorder, EventKind kind) {
  std::vector<TraceEvent> events;
  recorder.read(0, events);
  return static_cast<uint64_t>(std::ranges::count(events, kind, &TraceEvent::kind));
}

uint64_t tiles(Recorder& recorder) {
  recorder.drain();
  return count(recorder, EventKind::kTile);
}

uint64_t units(Recorder& recorder) {
  recorder.drain();
  return count(recorder, EventKind::kTile) + count(recorder, EventKind::kTask);
}

EnginePhase phase(const EngineRunner& runner) {
  const auto shot = runner.snapshot();
  return shot ? shot->phase : EnginePhase::kIdle;
}

bool stands_still(EngineRunner& runner) {
  return runner.gate().state() == RunGate::State::kPaused && runner.gate().held() > 0;
}

TEST(RunControl, RunsToTheEndAndGoesOn) {
  EngineRunner runner;
  runner.start(model_scenario({"Once upon a time"}, 8));
  ASSERT_TRUE(runner.wait_finished(kPatience));
  auto shot = runner.snapshot();
  ASSERT_EQ(shot->phase, EnginePhase::kFinished);
  EXPECT_EQ(shot->requests.size(), 1u);
  EXPECT_EQ(shot->generated_tokens, 8);
  EXPECT_TRUE(shot->requests[0].attention->row_done(0, 0, 0));
  ScenarioRequest more;
  more.prompt = "Tom and his dog";
  more.max_tokens = 5;
  runner.add_request(more);
  ASSERT_TRUE(runner.wait_finished(kPatience));
  shot = runner.snapshot();
  ASSERT_EQ(shot->requests.size(), 2u);
  EXPECT_EQ(shot->requests[1].tokens->size() - static_cast<size_t>(shot->requests[1].prompt_len),
            5u);
  EXPECT_EQ(shot->phase, EnginePhase::kFinished);
}

TEST(RunControl, PauseStandsStillAfterTheTilesUnderWay) {
  EngineRunner runner;
  runner.start(endless());
  for (int round = 0; round < 5; ++round) {
    ASSERT_GE(wait_until(kPatience, [&] { return phase(runner) == EnginePhase::kRunning; }), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * round + 3));
    runner.gate().pause();
    const uint64_t at_pause = units(*runner.recorder());
    ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
    std::this_thread::sleep_for(80ms);
    EXPECT_LE(units(*runner.recorder()) - at_pause, kUnderWay);
    const uint64_t before = tiles(*runner.recorder());
    runner.gate().run();
    ASSERT_GE(wait_until(kPatience, [&] { return tiles(*runner.recorder()) > before; }), 0);
  }
  runner.cancel();
  EXPECT_TRUE(runner.wait_finished(kPatience));
}

void step_and_stand(EngineRunner& runner, Granularity unit) {
  runner.gate().step(unit);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  std::this_thread::sleep_for(10ms * kSlowdown);
}

TEST(RunControl, StepByTileMovesOneTile) {
  EngineRunner runner;
  runner.start(endless(), true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  EXPECT_EQ(tiles(*runner.recorder()), 0u);
  for (uint64_t i = 1; i <= 12; ++i) {
    step_and_stand(runner, Granularity::kTile);
    ASSERT_GE(wait_until(kPatience, [&] { return tiles(*runner.recorder()) >= i; }), 0);
    EXPECT_EQ(tiles(*runner.recorder()), i);
  }
}

TEST(RunControl, StepByKernelLayerAndStep) {
  EngineRunner runner;
  Scenario scenario = endless();
  scenario.source.synthetic->num_layers = 3;
  runner.start(scenario, true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  step_and_stand(runner, Granularity::kStep);
  Recorder& recorder = *runner.recorder();
  recorder.drain();
  EXPECT_EQ(count(recorder, EventKind::kStep), 1u);
  EXPECT_EQ(runner.snapshot()->step, 1u);
  EXPECT_EQ(runner.snapshot()->phase, EnginePhase::kPaused);
  for (const int next : {1, 2, -1}) {
    step_and_stand(runner, Granularity::kLayer);
    EXPECT_EQ(runner.snapshot()->step, 2u);
    EXPECT_EQ(runner.snapshot()->layer, next);
  }
  step_and_stand(runner, Granularity::kStep);
  EXPECT_EQ(runner.snapshot()->step, 3u);
  EXPECT_EQ(runner.snapshot()->layer, -1);
  recorder.drain();
  uint64_t kernels = count(recorder, EventKind::kKernel);
  for (int i = 0; i < 5; ++i) {
    step_and_stand(runner, Granularity::kKernel);
    recorder.drain();
    const uint64_t now = count(recorder, EventKind::kKernel);
    EXPECT_LE(now - kernels, 1u);
    kernels = now;
  }
}

TEST(RunControl, AStepWaitsForTheFirstArrival) {
  Scenario scenario = model_scenario({"Once upon a time", "Tom"}, 4);
  scenario.arrivals.kind = ArrivalKind::kListed;
  scenario.requests[0].arrival_s = scenario.requests[1].arrival_s = 100'000;
  EngineRunner runner;
  runner.start(scenario, true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  runner.gate().step(Granularity::kStep);
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(runner.gate().state(), RunGate::State::kStepping);
  runner.cancel();
  ASSERT_TRUE(runner.wait_finished(kPatience));
  scenario.requests[0].arrival_s = scenario.requests[1].arrival_s = 1.5;
  runner.start(scenario, true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  runner.gate().step(Granularity::kStep);
  runner.gate().pause();
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  step_and_stand(runner, Granularity::kStep);
  const auto shot = runner.snapshot();
  ASSERT_TRUE(shot->steps);
  EXPECT_EQ(shot->steps->size(), 1u);
  EXPECT_GT(shot->requests[0].num_computed, 0);
  runner.gate().run();
  ASSERT_TRUE(runner.wait_finished(kPatience));
  runner.start(scenario);
  std::this_thread::sleep_for(30ms);
  runner.cancel();
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kCancelled);
}

TEST(RunControl, PaceLimitsTilesPerSecond) {
  EngineRunner runner;
  Scenario scenario = endless();
  scenario.view.pace_tiles_per_s = 100;
  runner.start(scenario);
  ASSERT_GE(
      wait_until(kPatience, [&] { return runner.snapshot() && tiles(*runner.recorder()) > 0; }), 0);
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t before = tiles(*runner.recorder());
  uint64_t moved = 0;
  const double ms =
      wait_until(kPatience, [&] { return (moved = tiles(*runner.recorder()) - before) >= 40; });
  ASSERT_GE(ms, 0);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_LE(static_cast<double>(moved), 100 * seconds + 3);
}

TEST(RunControl, CancelUnderLoadAndWhilePausedThenRestart) {
  EngineRunner runner;
  for (const bool paused : {false, true, false}) {
    runner.start(endless());
    ASSERT_GE(wait_until(kPatience,
                         [&] {
                           return phase(runner) == EnginePhase::kRunning &&
                                  tiles(*runner.recorder()) > 0;
                         }),
              0);
    if (paused) {
      runner.gate().pause();
      ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
    }
    const auto records = runner.snapshot();
    runner.cancel();
    const uint64_t at_cancel = units(*runner.recorder());
    ASSERT_TRUE(runner.wait_finished(kPatience));
    EXPECT_LE(units(*runner.recorder()) - at_cancel, kUnderWay);
    EXPECT_EQ(phase(runner), EnginePhase::kCancelled);
    EXPECT_GT(records->run, 0u);
  }
  ScenarioRequest more;
  more.prompt_tokens = 10;
  more.max_tokens = 2;
  runner.add_request(more);
  ASSERT_TRUE(runner.wait_finished(kPatience));
  const auto shot = runner.snapshot();
  EXPECT_EQ(shot->phase, EnginePhase::kFinished);
  EXPECT_EQ(shot->requests.front().state, RequestState::kFinishedAborted);
  EXPECT_EQ(shot->requests.back().state, RequestState::kFinishedLengthCapped);
}

TEST(RunControl, QuitsAtAnyMoment) {
  std::mt19937 random(1);
  for (int i = 0; i < 12; ++i) {
    auto runner = std::make_unique<EngineRunner>();
    if (i % 4 == 3) {
      runner->start(model_scenario({"Once upon a time"}, 400));
    } else {
      runner->start(endless(), i % 4 == 2);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    runner.reset();
  }
}

TEST(RunControl, QuitWhilePausedComputesNothingMore) {
  auto runner = std::make_unique<EngineRunner>();
  runner->start(endless(), true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(*runner); }), 0);
  for (int i = 0; i < 3; ++i) step_and_stand(*runner, Granularity::kTile);
  const std::shared_ptr<Recorder> recorder = runner->recorder();
  const uint64_t before = units(*recorder);
  runner.reset();
  EXPECT_LE(units(*recorder) - before, kUnderWay);
}

TEST(RunControl, RecordsOutliveTheirRun) {
  EngineRunner runner;
  runner.start(endless());
  ASSERT_GE(wait_until(kPatience, [&] { return runner.snapshot() && runner.snapshot()->step > 2; }),
            0);
  runner.cancel();
  ASSERT_TRUE(runner.wait_finished(kPatience));
  const auto old = runner.snapshot();
  runner.start(synthetic_scenario({8}, 2));
  ASSERT_TRUE(runner.wait_finished(kPatience));
  ASSERT_TRUE(old->requests[0].attention);
  ASSERT_TRUE(old->requests[0].attention->row_done(0, 0, 100));
  float sum = 0;
  std::vector<float> weights(101);
  old->requests[0].attention->weights(0, 0, 100, 1, 0, 101, weights.data());
  for (const float weight : weights) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_GT(runner.snapshot()->run, old->run);
}

TEST(RunControl, ErrorsBecomeAFailedPhase) {
  EngineRunner runner;
  Scenario scenario = model_scenario({"Hi"}, 4);
  scenario.source.model = "no-such-model";
  runner.start(scenario);
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kFailed);
  EXPECT_NE(runner.snapshot()->phase_detail.find("no-such-model"), std::string::npos);
  scenario = synthetic_scenario({4}, 2);
  scenario.source.synthetic->head_size = 48;
  runner.start(scenario);
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kFailed);
  runner.start(synthetic_scenario({4}, 2));
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kFinished);
  ScenarioRequest bad;
  bad.max_tokens = 0;
  bad.prompt_tokens = 3;
  runner.add_request(bad);
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kFinished);
  ASSERT_EQ(runner.recorder()->messages().size(), 1u);
  EXPECT_NE(runner.recorder()->messages()[0].find("max_tokens"), std::string::npos);
}

// The reference backend makes a tile of each row of a head.
TEST(RunControl, ProgressSaysWhereAStepIsAndWhereItWasStopped) {
  using Stage = StepProgress::Stage;
  EngineRunner runner;
  EXPECT_EQ(runner.progress().step, 0u);
  Scenario scenario = synthetic_scenario({40}, 3);
  scenario.source.synthetic->head_size = 128;  // every backend supports this size
  scenario.engine.backend = "reference";
  runner.start(scenario, true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  EXPECT_FALSE(runner.progress().in_step);
  for (int64_t tile = 1; tile <= 5; ++tile) {
    runner.gate().step(Granularity::kTile);
    ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
    const StepProgress::State at = runner.progress();
    EXPECT_TRUE(at.in_step);
    EXPECT_EQ(at.step, 1u);
    EXPECT_EQ(at.layer, 0);
    EXPECT_EQ(at.num_layers, 2);
    EXPECT_EQ(at.stage, Stage::kAttention);
    EXPECT_EQ(at.rows, 40 * 4);
    EXPECT_EQ(at.rows_done, tile);
  }
  runner.cancel();
  ASSERT_TRUE(runner.wait_finished(kPatience));
  EXPECT_EQ(phase(runner), EnginePhase::kCancelled);
  const StepProgress::State stopped = runner.progress();
  EXPECT_TRUE(stopped.in_step);
  EXPECT_EQ(stopped.layer, 0);
  EXPECT_EQ(stopped.rows_done, 5);
  EXPECT_TRUE(runner.snapshot()->steps->empty());
  for (const char* backend : {"reference", "torch_sdpa", "xformers", "pallas", "unified"}) {
    scenario.engine.backend = backend;
    runner.start(scenario);
    ASSERT_TRUE(runner.wait_finished(kPatience));
    EXPECT_EQ(phase(runner), EnginePhase::kFinished);
    const StepProgress::State end = runner.progress();
    EXPECT_FALSE(end.in_step);
    EXPECT_EQ(end.step, 3u);
    EXPECT_EQ(end.stage, Stage::kAfterLayers);
    EXPECT_EQ(end.rows, 4);
    EXPECT_EQ(end.rows_done, end.rows) << backend;
  }
}

TEST(RunControl, CallsRunBetweenSteps) {
  EngineRunner runner;
  std::atomic<int> calls{0};
  runner.with_engine([&](Engine* engine) { calls += engine == nullptr; });
  ASSERT_GE(wait_until(kPatience, [&] { return calls == 1; }), 0);
  runner.start(endless());
  runner.with_engine([&](Engine* engine) { calls += engine != nullptr; });
  EXPECT_GE(wait_until(kPatience, [&] { return calls == 2; }), 0);
  runner.with_engine([](Engine*) { throw std::runtime_error("from the outside"); });
  ASSERT_GE(wait_until(kPatience, [&] { return !runner.recorder()->messages().empty(); }), 0);
  EXPECT_EQ(phase(runner), EnginePhase::kRunning);
}

TEST(RunControl, CommandsActWhilePausedBetweenSteps) {
  EngineRunner runner;
  runner.start(endless(), true);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  std::atomic<int> calls{0};
  runner.with_engine([&](Engine* engine) { calls += engine != nullptr; });
  EXPECT_GE(wait_until(kPatience, [&] { return calls == 1; }), 0);
  ScenarioRequest more;
  more.prompt_tokens = 5;
  more.max_tokens = 2;
  runner.add_request(more);
  EXPECT_GE(wait_until(kPatience, [&] { return runner.snapshot()->requests.size() == 4; }), 0);
  runner.abort(0);
  EXPECT_GE(
      wait_until(
          kPatience,
          [&] { return runner.snapshot()->requests[0].state == RequestState::kFinishedAborted; }),
      0);
  ASSERT_GE(wait_until(kPatience, [&] { return stands_still(runner); }), 0);
  EXPECT_EQ(phase(runner), EnginePhase::kPaused);
  EXPECT_EQ(runner.gate().state(), RunGate::State::kPaused);
  EXPECT_EQ(tiles(*runner.recorder()), 0u);
  step_and_stand(runner, Granularity::kStep);
  EXPECT_EQ(runner.snapshot()->step, 1u);
  EXPECT_FALSE(runner.snapshot()->slowed_or_paused);
  step_and_stand(runner, Granularity::kStep);
  EXPECT_EQ(runner.snapshot()->step, 2u);
  EXPECT_TRUE(runner.snapshot()->slowed_or_paused);
}

TEST(RunControl, AQuitIsNotLostToAnAddedRequest) {
  for (int i = 0; i < 40; ++i) {
    auto runner = std::make_unique<EngineRunner>();
    runner->start(endless());
    ASSERT_GE(wait_until(kPatience, [&] { return phase(*runner) == EnginePhase::kRunning; }), 0);
    runner->cancel();
    ASSERT_TRUE(runner->wait_finished(kPatience));
    ScenarioRequest more;
    more.prompt_tokens = 800;
    more.max_tokens = 100000;
    runner->add_request(more);
    std::this_thread::sleep_for(std::chrono::microseconds(i * 20));
    runner.reset();
  }
}

// For ThreadSanitizer: one thread gives commands while others read.
TEST(RunControl, Stress) {
  EngineRunner runner;
  std::atomic<bool> stop{false};
  const auto reader = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<float> tile(64 * 64);
    std::vector<TraceEvent> events;
    while (!stop) {
      const auto shot = runner.snapshot();
      if (!shot) continue;
      for (const RequestView& request : shot->requests) {
        if (!request.attention) continue;
        const auto q = static_cast<int64_t>(random() % 300),
                   k = static_cast<int64_t>(random() % 300);
        request.attention->weights(random() % 2, random() % 4, q, 64, k, 64, tile.data());
        for (const float weight : tile)
          if (weight > 1.01f || weight < 0) stop = true;
        request.attention->operands(1, 2, q, k);
      }
      events.clear();
      runner.recorder()->drain();
      runner.recorder()->read(0, events);
      std::this_thread::sleep_for(1ms);
    }
  };
  std::thread first(reader, 1), second(reader, 2);
  std::mt19937 random(3);
  Scenario scenario = endless();
  scenario.engine.num_blocks = 150;  // few enough for preemptions
  runner.start(scenario);
  for (int i = 0; i < 120 && !stop; ++i) {
    switch (random() % 9) {
      case 0:
        runner.start(scenario, random() % 2 == 0);
        break;
      case 1:
        runner.cancel();
        break;
      case 2:
        runner.gate().pause();
        break;
      case 3:
        runner.gate().step(static_cast<Granularity>(random() % 4));
        break;
      case 4:
        runner.abort(random() % 4);
        break;
      case 5:
        runner.gate().set_pace(random() % 2 ? 0 : 5000);
        break;
      case 6: {
        ScenarioRequest more;
        more.prompt_tokens = 1 + random() % 200;
        more.max_tokens = 4;
        runner.add_request(more);
        break;
      }
      default:
        runner.gate().run();
        break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 12));
  }
  EXPECT_FALSE(stop) << "a weight outside [0, 1] was read";
  stop = true;
  first.join();
  second.join();
  EXPECT_NE(phase(runner), EnginePhase::kFailed) << runner.snapshot()->phase_detail;
}

}  // namespace
}  // namespace attn
