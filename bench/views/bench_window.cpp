// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of each registered view, and times to close the window, apply a layout and export a view.
#include <QTemporaryDir>
#include <algorithm>
#include <memory>

#include "bench/views/view_bench.h"
#include "bench/views/watchdog.h"
#include "gui/app/view_registry.h"
#include "gui/app/window/main_window.h"
#include "gui/models/run_control.h"

namespace attn::gui {
namespace {

struct Window {
  BenchRun run;
  RunControl control{run.bridge};
  MainWindow window{run.bridge, control, run.selection, false};

  Window() {
    window.resize(1280, 720);
    window.show();
  }
};

Scenario full_speed(const char* name) {
  Scenario scenario = load_scenario(find_scenario(name));
  scenario.view.pace_tiles_per_s = 0;
  scenario.engine.threads = 2;
  return scenario;
}

void set_times(benchmark::State& state, std::vector<double>& ms) {
  state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
  state.counters["p50_ms"] = bench::quantile(ms, 0.5);
  state.counters["worst_ms"] = bench::quantile(ms, 1);
}

double ms_of(const std::function<void()>& work) {
  QElapsedTimer clock;
  clock.start();
  work();
  return static_cast<double>(clock.nsecsElapsed()) * 1e-6;
}

void quit(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<double> ms;
    const auto close = [&](std::unique_ptr<Window> shown) {
      ms.push_back(ms_of([&] {
        shown->window.close();
        shown.reset();
      }));
    };
    close(std::make_unique<Window>());
    for (const char* name : {"full-house-swap", "many-users", "first-look"})
      for (const int wait_ms : {0, 5, 20, 60, 150, 400}) {
        auto shown = std::make_unique<Window>();
        shown->run.bridge.start(full_speed(name));
        turn_until([] { return false; }, wait_ms);
        close(std::move(shown));
      }
    auto ended = std::make_unique<Window>();
    if (!ended->run.run(full_speed("samples"))) return state.SkipWithError("the run failed");
    close(std::move(ended));
    set_times(state, ms);
  }
}

void frame(benchmark::State& state, const ViewEntry& entry) {
  BenchRun run;
  const std::unique_ptr<View> view(entry.make(run.context, nullptr));
  view->resize(1280, 720);
  view->show();
  if (!run.run(full_speed("first-look"))) return state.SkipWithError("the run failed");
  if (!turn_until([&] { return !view->is_behind(); }, 10000))
    return state.SkipWithError("the view was not ready within ten seconds");
  measure_frames(state, 30, [&](int) { view->grab(); });
}

void layouts(benchmark::State& state) {
  Window shown;
  if (!shown.run.run(full_speed("first-look"))) return state.SkipWithError("the run failed");
  turn_until([] { return false; }, 500);
  for (auto _ : state) {
    std::vector<double> ms;
    for (int round = 0; round < 4; ++round)
      for (const char* name : {"teach", "systems", "explore"})
        ms.push_back(ms_of([&] {
          shown.window.layouts().apply(QLatin1String(name));
          shown.window.grab();
        }));
    set_times(state, ms);
  }
}

void exports(benchmark::State& state) {
  QTemporaryDir folder;
  Window shown;
  if (!shown.run.run(full_speed("first-look"))) return state.SkipWithError("the run failed");
  turn_until([] { return false; }, 500);
  Watchdog watchdog;
  for (auto _ : state) {
    std::vector<double> ms;
    for (View* view : shown.window.views())
      for (const char* format : {"png", "svg", "pdf", "csv"}) {
        bool written = false;
        const auto told = QObject::connect(&shown.window, &MainWindow::export_finished,
                                           &shown.window, [&] { written = true; });
        watchdog.excuse();
        ms.push_back(ms_of([&] {
          shown.window.export_view(
              *view, QLatin1String(format),
              folder.filePath(view->export_name() + QLatin1Char('.') + QLatin1String(format)));
          turn_until([&] { return written; }, 60000);
        }));
        QObject::disconnect(told);
        if (!written) return state.SkipWithError("a view was not written within a minute");
      }
    set_times(state, ms);
    state.counters["stall_worst_ms"] = watchdog.worst_ms();
  }
}

}  // namespace

void add_rows_of_window() {
  for (const ViewEntry& entry : view_registry())
    bench::add_row("view/" + entry.name + "/frame",
                   [&entry](benchmark::State& state) { frame(state, entry); });
  bench::add_row("view/window/quit", quit);
  bench::add_row("view/window/layouts", layouts);
  bench::add_row("view/window/export", exports);
}

}  // namespace attn::gui
