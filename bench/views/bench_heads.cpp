// SPDX-License-Identifier: GPL-3.0-or-later
// The head grid and the head lines at 1920 x 1080: the time until they are complete, and frames
// while they scroll.
#include <QCoreApplication>
#include <QImage>
#include <QWheelEvent>
#include <optional>

#include "bench/views/view_bench.h"
#include "gui/views/attention/heads/head_grid_view.h"
#include "gui/views/attention/lines/head_lines_view.h"

namespace attn::gui {
namespace {

constexpr QSize kHeadsSize(1920, 1080);

Scenario many_heads_scenario(int64_t tokens) {
  Scenario scenario = one_head_scenario(tokens);
  scenario.source.synthetic->num_layers = scenario.source.synthetic->num_heads = 6;
  scenario.source.synthetic->num_kv_heads = 3;
  return scenario;
}

void send_wheel(QWidget& widget, int angle) {
  const QPointF at = QRectF(widget.rect()).center();
  QWheelEvent event(at, at, QPoint(), QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

void read_heads(benchmark::State& state, int64_t tokens) {
  BenchRun run;
  if (!run.run(many_heads_scenario(tokens))) return state.SkipWithError("the run failed");
  for (auto _ : state) {
    std::vector<double> ms, stall;
    for (int i = 0; i < 3; ++i) {
      HeadGridView view(run.context);
      view.resize(kHeadsSize);
      QElapsedTimer timer, turn;
      timer.start();
      view.show();
      double longest = 0;
      const bool done = turn_until(
          [&] {
            if (turn.isValid())
              longest = std::max(longest, static_cast<double>(turn.nsecsElapsed()) * 1e-6);
            turn.start();
            return !view.stats().busy();
          },
          120000);
      if (!done) return state.SkipWithError("not all heads were read");
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
      stall.push_back(longest);
    }
    state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
    state.counters["read_ms"] = bench::quantile(ms, 0.5);
    state.counters["worst_turn_ms"] = bench::quantile(stall, 1);
    state.counters["heads"] = 36;
  }
}

void scroll_grid(benchmark::State& state, int64_t tokens) {
  BenchRun run;
  if (!run.run(many_heads_scenario(tokens))) return state.SkipWithError("the run failed");
  HeadGridView view(run.context);
  view.resize(kHeadsSize);
  view.show();
  if (!turn_until([&] { return !view.stats().busy(); }, 120000))
    return state.SkipWithError("not all heads were read");
  view.canvas().set_zoom(2);
  turn_until([&] { return !view.stats().busy(); }, 120000);
  QImage target(view.canvas().size(), QImage::Format_RGB32);
  measure_frames(state, 200, [&](int i) {
    send_wheel(view.canvas(), i / 20 % 2 == 0 ? -60 : 60);
    view.canvas().render(&target);
  });
}

Scenario lines_scenario(int64_t tokens) {
  Scenario scenario = many_heads_scenario(tokens);
  scenario.source.synthetic->num_layers = 1;
  return scenario;
}

struct LinesCase {
  int64_t tokens = 0;
  bool all_heads = false;
  double least = 0.05;  // least weight of a line; 0: each weight above 0 is a line
};

// Runs the event loop until the lines are complete, then draws. longest: raised to the longest turn
// of the loop or the drawing, ms.
bool paint_all_lines(HeadLinesView& view, QImage& target, double& longest) {
  QElapsedTimer turn;
  return turn_until(
      [&] {
        if (turn.isValid())
          longest = std::max(longest, static_cast<double>(turn.nsecsElapsed()) * 1e-6);
        turn.start();
        if (view.line_rows().busy() || view.canvas().shown().missing > 0) return false;
        view.canvas().render(&target);
        longest = std::max(longest, static_cast<double>(turn.nsecsElapsed()) * 1e-6);
        return true;
      },
      60000);
}

void scroll_lines(benchmark::State& state, const LinesCase& one) {
  BenchRun run;
  if (!run.run(lines_scenario(one.tokens))) return state.SkipWithError("the run failed");
  HeadLinesView view(run.context);
  view.resize(kHeadsSize);
  if (one.least != 0.05) view.set_filter({LineFilter::Kind::kAtLeast, one.least, false});
  QImage target(kHeadsSize, QImage::Format_RGB32);
  double longest = 0;
  QElapsedTimer timer;
  timer.start();
  view.show();
  if (one.all_heads) view.set_heads({0, 1, 2, 3, 4, 5});
  if (!paint_all_lines(view, target, longest)) return state.SkipWithError("not all rows were read");
  const double first = static_cast<double>(timer.nsecsElapsed()) * 1e-6;
  size_t drawn = 0;
  int64_t kept = 0;
  measure_frames(state, 200, [&](int i) {
    send_wheel(view.canvas(), i / 100 % 2 == 0 ? -120 : 120);
    view.canvas().render(&target);
    drawn = std::max(drawn, view.canvas().shown().lines.size());
    kept = std::max(kept, view.canvas().shown().kept);
  });
  state.counters["first_picture_ms"] = first;
  state.counters["first_longest_turn_ms"] = longest;
  state.counters["drawn"] = static_cast<double>(drawn);
  state.counters["lines"] = static_cast<double>(kept);
}

void add_rows_of_heads() {
  for (const int64_t tokens : {512, 4096}) {
    const std::string shape = "/N" + std::to_string(tokens);
    bench::add_row("view/heads/read" + shape,
                   [=](benchmark::State& state) { read_heads(state, tokens); });
    bench::add_row("view/heads/scroll" + shape,
                   [=](benchmark::State& state) { scroll_grid(state, tokens); });
    for (const bool all : {false, true}) {
      const std::string heads = all ? "/H6" : "/H1";
      bench::add_row("view/lines/scroll" + heads + shape, [=](benchmark::State& state) {
        scroll_lines(state, {tokens, all});
      });
      bench::add_row("view/lines/scroll_every_weight" + heads + shape,
                     [=](benchmark::State& state) {
                       scroll_lines(state, {tokens, all, 0});
                     });
    }
  }
}

const ViewRows rows_of_heads("heads", add_rows_of_heads);

}  // namespace
}  // namespace attn::gui
