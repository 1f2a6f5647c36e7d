// SPDX-License-Identifier: GPL-3.0-or-later
// Times that a user waits for: generation, loading the model, and the answer to pause, step, cancel
// and quit during a long prompt.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "bench/attention_bench.h"
#include "engine/session/run/engine.h"
#include "engine/session/run/engine_runner.h"

namespace attn::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kNewTokens = 128;
constexpr size_t kCommands = 40;

Scenario model_scenario(int threads) {
  Scenario scenario;
  scenario.source.model = "tinystories-gqa";
  ScenarioRequest request;
  request.prompt = "Once upon a time there was a little girl called Lily.";
  request.max_tokens = kNewTokens;
  scenario.requests = {request};
  scenario.engine.threads = threads;
  return scenario;
}

void generate(benchmark::State& state, int threads) {
  const Scenario scenario = model_scenario(threads);
  const std::shared_ptr<Source> source = load_source(scenario);
  const auto run = [&](bool looked_at) {
    Recorder recorder(threads);
    Mailbox<EngineSnapshot> snapshots;
    EngineOptions options;
    options.keep_attention = looked_at;
    if (looked_at) options.recorder = &recorder, options.snapshots = &snapshots;
    Engine(scenario, source, options).run_to_end();
  };
  run(true);
  measure_against(
      state, [&] { run(false); }, [&] { run(true); }, threads);
  state.counters["speed_to_off"] = 1 / state.counters["ratio_to_off"];
}

Scenario long_prompt(int threads) {
  Scenario scenario;
  SyntheticSpec synthetic;
  synthetic.num_layers = 8;
  synthetic.num_heads = synthetic.num_kv_heads = 8;
  synthetic.head_size = 128;
  synthetic.max_model_len = 8192 + 16;
  scenario.source.synthetic = synthetic;
  ScenarioRequest request;
  request.prompt_tokens = 8192;
  request.max_tokens = 8;
  scenario.requests = {request};
  scenario.engine.backend = "unified";
  scenario.engine.threads = threads;
  scenario.engine.num_blocks = 520;
  scenario.engine.max_num_batched_tokens = 8192;
  return scenario;
}

template <class Condition>
bool wait_until(Condition&& condition) {
  const auto limit = Clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (Clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

struct Latencies {
  std::vector<double> ms;
  template <class Command, class Condition>
  bool time(Command&& command, Condition&& effect) {
    const auto begin = Clock::now();
    command();
    if (!wait_until(effect)) return false;
    ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    return true;
  }
};

enum class Command { kPause, kStep, kCancel };

bool is_in_step(const EngineRunner& runner) {
  const auto snapshot = runner.snapshot();
  return snapshot && snapshot->phase == EnginePhase::kRunning && snapshot->layer >= 0;
}

bool time_command(EngineRunner& runner, const Scenario& scenario, Command command, size_t number,
                  Latencies& latencies) {
  RunGate& gate = runner.gate();
  const auto stands = [&] { return gate.state() == RunGate::State::kPaused && gate.held() > 0; };
  if (!runner.snapshot() || runner.wait_finished(std::chrono::milliseconds(0))) {
    runner.start(scenario);
    if (!wait_until([&] { return runner.pending_commands() == 0 && is_in_step(runner); }))
      return false;
  }
  // Commands should come at different moments of the run.
  std::this_thread::sleep_for(std::chrono::milliseconds(3 + number * 7 % 40));
  if (command == Command::kCancel)
    return latencies.time([&] { runner.cancel(); },
                          [&] { return runner.wait_finished(std::chrono::milliseconds(0)); });
  if (command == Command::kPause) {
    if (!latencies.time([&] { gate.pause(); }, stands)) return false;
  } else {
    gate.pause();
    if (!wait_until(stands)) return false;
    if (!latencies.time([&] { gate.step(Granularity::kTile); }, stands)) return false;
  }
  gate.run();
  return true;
}

void set_latencies(benchmark::State& state, Latencies& latencies, int threads) {
  state.SetIterationTime(quantile(latencies.ms, 0.5) * 1e-3);
  state.counters["p50_ms"] = quantile(latencies.ms, 0.5);
  state.counters["p99_ms"] = quantile(latencies.ms, 0.99);
  state.counters["worst_ms"] = quantile(latencies.ms, 1);
  state.counters["threads"] = threads;
}

void respond(benchmark::State& state, Command command, int threads) {
  const Scenario scenario = long_prompt(threads);
  EngineRunner runner;
  Latencies latencies;
  for (auto _ : state) {
    for (size_t i = 0; i < kCommands; ++i)
      if (!time_command(runner, scenario, command, i, latencies)) {
        state.SkipWithError("the command had no effect within 20 s");
        return;
      }
    set_latencies(state, latencies, threads);
  }
  runner.cancel();
}

void quit(benchmark::State& state, int threads) {
  const Scenario scenario = long_prompt(threads);
  Latencies latencies;
  for (auto _ : state) {
    for (size_t i = 0; i < kCommands; ++i) {
      auto runner = std::make_unique<EngineRunner>();
      runner->start(scenario);
      if (!wait_until([&] { return is_in_step(*runner); }))
        return state.SkipWithError("the run did not begin within 20 s");
      std::this_thread::sleep_for(std::chrono::milliseconds(3 + i * 7 % 40));
      latencies.time([&] { runner.reset(); }, [] { return true; });
    }
    set_latencies(state, latencies, threads);
  }
}

void load(benchmark::State& state) {
  const Scenario scenario = model_scenario(1);
  Latencies latencies;
  for (auto _ : state) {
    for (int i = 0; i < 7; ++i) {
      std::shared_ptr<Source> source;
      latencies.time([&] { source = load_source(scenario); }, [] { return true; });
    }
    set_latencies(state, latencies, 1);
  }
}

}  // namespace

void register_engine(int threads) {
  for (const int t : thread_counts(threads))
    add_row("engine/generate/tinystories-gqa/looked_at/T" + std::to_string(t),
            [t](benchmark::State& state) { generate(state, t); });
  add_row("engine/load/tinystories-gqa", load);
  add_row("engine/quit/f32/S8192/H8/KV8/D128/T" + std::to_string(threads),
          [threads](benchmark::State& state) { quit(state, threads); });
  for (const auto& [command, name] :
       {std::pair{Command::kPause, "pause"}, std::pair{Command::kStep, "step"},
        std::pair{Command::kCancel, "cancel"}})
    add_row(std::string("engine/") + name + "/f32/S8192/H8/KV8/D128/T" + std::to_string(threads),
            [command = command, threads](benchmark::State& state) {
              respond(state, command, threads);
            });
}

}  // namespace attn::bench
