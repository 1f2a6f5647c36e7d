// SPDX-License-Identifier: GPL-3.0-or-later
// What the window costs the engine: a run that the window shows, against the same run that it does
// not show. Also the processor time of an idle window, and the time to show an earlier step.
#include <sys/resource.h>

#include <QEventLoop>
#include <QTimer>

#include "bench/views/view_bench.h"
#include "bench/views/watchdog.h"
#include "engine/session/run/engine_runner.h"
#include "gui/app/window/main_window.h"
#include "gui/models/run_control.h"

namespace attn::gui {
namespace {

double engine_seconds(const EngineSnapshot& snapshot) {
  double ns = 0;
  if (snapshot.steps)
    for (const StepRecord& step : *snapshot.steps)
      ns += static_cast<double>(step.end_ns - step.begin_ns);
  return ns * 1e-9;
}

Scenario live_scenario(const std::string& name) {
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.view.pace_tiles_per_s = 0;
  scenario.engine.threads = 1;
  return scenario;
}

void live(benchmark::State& state, const std::string& name) {
  const Scenario scenario = live_scenario(name);
  EngineRunner alone;
  BenchRun shown;
  RunControl control(shown.bridge);
  MainWindow window(shown.bridge, control, shown.selection, false);
  window.resize(1920, 1080);
  window.show();
  const auto run_alone = [&] {
    alone.start(scenario);
    return alone.wait_finished(std::chrono::minutes(2));
  };
  if (!run_alone() || !shown.run(scenario)) return state.SkipWithError("the run failed");
  Watchdog watchdog;
  uint64_t lost = 0;
  for (auto _ : state) {
    std::vector<double> ratios, seconds;
    for (int i = 0; i < 7; ++i) {
      const bool closed = run_alone();
      watchdog.excuse();
      if (!closed || !shown.run(scenario)) return state.SkipWithError("the run failed");
      const double with = engine_seconds(*shown.bridge.snapshot());
      seconds.push_back(with);
      ratios.push_back(with / engine_seconds(*alone.snapshot()));
      shown.bridge.catch_up();
      const TraceCounts counts = shown.bridge.trace_counts();
      lost += counts.pushed - counts.recorded;
    }
    state.SetIterationTime(bench::quantile(seconds, 0.5));
    state.counters["ratio_to_closed"] = bench::quantile(ratios, 0.5);
    state.counters["stall_worst_ms"] = watchdog.worst_ms();
    state.counters["drain_worst_ms"] = shown.bridge.worst_tick_ms();
    state.counters["lost"] = static_cast<double>(lost);
  }
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void idle(benchmark::State& state) {
  BenchRun run;
  RunControl control(run.bridge);
  MainWindow window(run.bridge, control, run.selection, false);
  window.resize(1920, 1080);
  window.show();
  if (!run.run(live_scenario("first-look"))) return state.SkipWithError("the run failed");
  turn_until([] { return false; }, 1000);
  for (auto _ : state) {
    const double before = cpu_seconds();
    QElapsedTimer clock;
    clock.start();
    QEventLoop loop;
    QTimer::singleShot(3000, &loop, &QEventLoop::quit);
    loop.exec();
    const double wall = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    state.SetIterationTime(wall);
    state.counters["cpu_percent"] = 100 * (cpu_seconds() - before) / wall;
  }
}

Scenario scrub_scenario() {
  Scenario scenario = live_scenario("synthetic-induction");
  scenario.source.synthetic->num_layers = 1;
  scenario.source.synthetic->num_heads = scenario.source.synthetic->num_kv_heads = 1;
  scenario.source.synthetic->head_size = 32;
  scenario.view.layer = scenario.view.head = 0;
  scenario.requests.clear();
  for (int i = 0; i < 320; ++i) {
    ScenarioRequest request;
    request.name = "R" + std::to_string(i);
    request.prompt_tokens = 16 + i % 17;
    request.max_tokens = 256;
    scenario.requests.push_back(request);
  }
  scenario.engine.block_size = 8;
  scenario.engine.num_blocks = 1024;
  scenario.engine.max_num_seqs = 8;
  scenario.engine.enable_prefix_caching = true;
  scenario.engine.extended = true;
  return scenario;
}

void scrub(benchmark::State& state) {
  BenchRun run;
  RunControl control(run.bridge);
  MainWindow window(run.bridge, control, run.selection, false);
  window.resize(1920, 1080);
  window.show();
  if (!run.run(scrub_scenario())) return state.SkipWithError("the run failed");
  turn_until([] { return false; }, 500);
  TimeCursor& cursor = window.cursor();
  const StepHistory::Range range = cursor.range();
  if (range.first != 1 || range.last < 10000)
    return state.SkipWithError("the history does not hold 10,000 steps");
  QImage screen(window.size(), QImage::Format_RGB32);
  std::vector<double> restores;
  measure_frames(state, 100, [&](int i) {
    const uint32_t step = 1 + (static_cast<uint32_t>(i) * 7919 + 13) % range.last;
    QElapsedTimer clock;
    clock.start();
    cursor.go_to(step);
    restores.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    window.render(&screen);
  });
  state.counters["restore_p99_ms"] = bench::quantile(restores, 0.99);
  state.counters["steps"] = static_cast<double>(range.last);
  state.counters["history_mb"] =
      static_cast<double>(run.bridge.snapshot()->history->bytes()) / (1 << 20);
}

}  // namespace

void add_rows_of_live_window() {
  for (const char* name : {"many-users", "long-prompt"})
    bench::add_row(std::string("view/window/live/") + name + "/T1",
                   [name](benchmark::State& state) { live(state, name); });
  bench::add_row("view/window/scrub/10000", [](benchmark::State& state) { scrub(state); });
  bench::add_row("view/window/idle", [](benchmark::State& state) { idle(state); });
}

}  // namespace attn::gui
