// SPDX-License-Identifier: GPL-3.0-or-later
// The heatmap at 1920 x 1080: the first picture of a long prompt, panning, zooming, scores, means
// of heads, exports.
#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <cmath>
#include <fstream>
#include <optional>

#include "bench/views/view_bench.h"
#include "gui/views/attention/heatmap/heatmap_view.h"

namespace attn::gui {
namespace {

constexpr QSize kHeatmapSize(1920, 1080);

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096 / (1 << 20);
}

void send_wheel(QWidget& widget, const QPointF& at, QPoint angle, Qt::KeyboardModifiers keys) {
  QWheelEvent event(at, at, QPoint(), angle, Qt::NoButton, keys, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

bool picture_done(BenchRun& run, HeatmapView& view) {
  return turn_until(
      [&] {
        run.bridge.catch_up();
        return !view.tiles().busy();
      },
      60000);
}

// A heatmap of a finished run of one layer. problem: what went wrong, or null.
struct ShownHeatmap {
  BenchRun run;
  std::optional<HeatmapView> view;
  const char* problem = nullptr;

  explicit ShownHeatmap(int64_t tokens, int64_t heads = 1) {
    Scenario scenario = one_head_scenario(tokens);
    scenario.source.synthetic->num_heads = heads;
    if (!run.run(scenario))
      problem = "the run failed";
    else
      show();
  }
  void show() {
    view.emplace(run.context, nullptr);
    view->resize(kHeatmapSize);
    view->show();
    if (!picture_done(run, *view)) problem = "the picture was not finished";
  }
};

void first_picture(benchmark::State& state, int64_t tokens) {
  ShownHeatmap heatmap(tokens);
  QImage target(kHeatmapSize, QImage::Format_RGB32);
  for (auto _ : state) {
    std::vector<double> ms, mib;
    for (int i = 0; i < 5; ++i) {
      heatmap.view.reset();
      const double before = resident_mib();
      QElapsedTimer timer;
      timer.start();
      heatmap.show();
      if (heatmap.problem) return state.SkipWithError(heatmap.problem);
      heatmap.view->render(&target);
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
      mib.push_back(resident_mib() - before);
      state.counters["tiles_mib"] = static_cast<double>(heatmap.view->tiles().bytes()) / (1 << 20);
    }
    state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
    state.counters["picture_ms"] = bench::quantile(ms, 0.5);
    state.counters["picture_worst_ms"] = bench::quantile(ms, 1);
    state.counters["extra_mib"] = bench::quantile(mib, 1);
  }
}

enum class Movement { kPan, kZoom };

// heads: if more than one, the picture is the mean of all of them. quantity: what a cell of one
// head shows.
void move(benchmark::State& state, int64_t tokens, Movement movement, int64_t heads = 1,
          Quantity quantity = Quantity::kWeight) {
  ShownHeatmap heatmap(tokens, heads);
  if (heatmap.problem) return state.SkipWithError(heatmap.problem);
  HeatmapView& view = *heatmap.view;
  if (heads > 1) {
    QElapsedTimer timer;
    timer.start();
    view.set_combination({Combine::kLayerMean, {}});
    if (!picture_done(heatmap.run, view)) return state.SkipWithError("the mean was not finished");
    state.counters["picture_ms"] = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
    state.counters["heads"] = static_cast<double>(heads);
  }
  if (quantity != Quantity::kWeight) {
    QElapsedTimer timer;
    timer.start();
    view.set_quantity(quantity);
    if (!picture_done(heatmap.run, view))
      return state.SkipWithError("the picture was not finished");
    state.counters["picture_ms"] = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
  }
  QImage target(kHeatmapSize, QImage::Format_RGB32);
  const QPointF middle = view.canvas_layout().cells.center();
  if (movement == Movement::kPan) {
    view.zoom_at(middle, static_cast<double>(tokens) / 1024);
    picture_done(heatmap.run, view);
  }
  view.render(&target);
  measure_frames(state, 300, [&](int i) {
    if (movement == Movement::kPan) {
      const int way = i / 75 % 2 == 0 ? -24 : 24;
      send_wheel(view, middle, QPoint(way, way), Qt::NoModifier);
    } else {
      send_wheel(view, middle, QPoint(0, i / 30 % 2 == 0 ? 120 : -120), Qt::ControlModifier);
    }
    view.render(&target);
  });
}

void mean_of_all(benchmark::State& state, int64_t tokens, int64_t layers, int64_t heads) {
  Scenario scenario = one_head_scenario(tokens);
  scenario.source.synthetic->num_layers = layers;
  scenario.source.synthetic->num_heads = heads;
  BenchRun run;
  if (!run.run(scenario)) return state.SkipWithError("the run failed");
  for (auto _ : state) {
    std::vector<double> ms, turns;
    for (int i = 0; i < 5; ++i) {
      HeatmapView view(run.context, nullptr);
      view.resize(kHeatmapSize);
      view.show();
      if (!picture_done(run, view)) return state.SkipWithError("the picture was not finished");
      QElapsedTimer timer, turn;
      timer.start();
      turn.start();
      view.set_combination({Combine::kMean, {}});
      double longest = static_cast<double>(turn.nsecsElapsed()) * 1e-6;
      turn.restart();
      const bool done = turn_until(
          [&] {
            longest = std::max(longest, static_cast<double>(turn.nsecsElapsed()) * 1e-6);
            turn.restart();
            return !view.tiles().busy();
          },
          60000);
      if (!done) return state.SkipWithError("the mean was not finished");
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
      turns.push_back(longest);
    }
    state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
    state.counters["picture_ms"] = bench::quantile(ms, 0.5);
    state.counters["longest_turn_ms"] = bench::quantile(turns, 1);
    state.counters["heads"] = static_cast<double>(layers * heads);
  }
}

void export_file(benchmark::State& state, int64_t tokens, bool png) {
  ShownHeatmap heatmap(tokens);
  if (heatmap.problem) return state.SkipWithError(heatmap.problem);
  HeatmapView& view = *heatmap.view;
  QTemporaryDir folder;
  for (auto _ : state) {
    std::vector<double> ms;
    for (int i = 0; i < 5; ++i) {
      QElapsedTimer timer;
      timer.start();
      const QString problem = png ? export_png(view, folder.filePath(QStringLiteral("a.png")), 1)
                                  : export_csv(view, folder.filePath(QStringLiteral("a.csv")));
      if (!problem.isEmpty()) return state.SkipWithError(qPrintable(problem));
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
    state.counters["export_ms"] = bench::quantile(ms, 0.5);
    state.counters["pixels_wide"] = view.export_size().width();
  }
}

void add_rows_of_heatmap() {
  for (const int64_t tokens : {4096, 16384}) {
    const std::string shape = "/N" + std::to_string(tokens);
    bench::add_row("view/heatmap/first_picture" + shape,
                   [=](benchmark::State& state) { first_picture(state, tokens); });
    bench::add_row("view/heatmap/pan" + shape,
                   [=](benchmark::State& state) { move(state, tokens, Movement::kPan); });
    bench::add_row("view/heatmap/zoom" + shape,
                   [=](benchmark::State& state) { move(state, tokens, Movement::kZoom); });
  }
  bench::add_row("view/heatmap/pan/mean/N4096",
                 [](benchmark::State& state) { move(state, 4096, Movement::kPan, 8); });
  for (const Quantity quantity : {Quantity::kScore, Quantity::kExp})
    bench::add_row(
        "view/heatmap/pan/" + std::string(word_of(quantity)) + "/N16384",
        [=](benchmark::State& state) { move(state, 16384, Movement::kPan, 1, quantity); });
  bench::add_row("view/heatmap/mean_of_all/H36/N512",
                 [](benchmark::State& state) { mean_of_all(state, 512, 6, 6); });
  bench::add_row("view/heatmap/export_png/N4096",
                 [](benchmark::State& state) { export_file(state, 4096, true); });
  bench::add_row("view/heatmap/export_csv/N1024",
                 [](benchmark::State& state) { export_file(state, 1024, false); });
}

const ViewRows rows_of_heatmap("heatmap", add_rows_of_heatmap);

}  // namespace
}  // namespace attn::gui
