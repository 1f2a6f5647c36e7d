// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the metrics view: while a long run grows by one step per frame, and while the pointer
// moves.
#include <QImage>
#include <QMouseEvent>

#include "bench/views/view_bench.h"
#include "gui/views/metrics/metrics_view.h"

namespace attn::gui {
namespace {

StepRecord step_at(uint32_t i) {
  StepRecord step;
  step.step = i + 1;
  step.begin_ns = uint64_t{i} * 1000000;
  step.end_ns = step.begin_ns + 900000;
  step.prefill_tokens = i % 17 == 0 ? 256 : 0;
  step.decode_tokens = i % 17 == 0 ? 0 : 24 + i % 9;
  step.waiting = (i / 100) % 40;
  step.running = 16 + i % 8;
  step.swapped = i % 5;
  step.used_blocks = 3000 + (i * 37) % 900;
  step.cached_blocks = (i * 11) % 150;
  step.free_blocks = 4096 - step.used_blocks - step.cached_blocks;
  step.queried_tokens = step.prefill_tokens;
  step.hit_tokens = step.prefill_tokens / 2;
  step.preemptions = i % 501 == 0;
  step.copied_blocks = i % 7 == 0;
  step.evicted_blocks = i % 13 == 0 ? 4 : 0;
  return step;
}

std::shared_ptr<EngineSnapshot> snapshot_of_steps(uint32_t steps) {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = 1;
  shot->phase = EnginePhase::kRunning;
  auto records = std::make_shared<std::vector<StepRecord>>();
  for (uint32_t i = 0; i < steps; ++i) records->push_back(step_at(i));
  shot->steps = records;
  for (uint32_t id = 0; id < 1000; ++id) {
    RequestView request;
    request.id = id;
    request.state = RequestState::kFinishedStopped;
    request.metrics.ttft_ns = 1000000 + uint64_t{id} * 7919 % 90000000;
    request.metrics.tpot_ns = 900000.0 + id * 613 % 200000;
    shot->requests.push_back(std::move(request));
  }
  return shot;
}

void live(benchmark::State& state, uint32_t steps) {
  Selection selection;
  MetricsView view({nullptr, &selection});
  view.resize(1920, 1080);
  view.show();
  view.show_snapshot(snapshot_of_steps(steps));
  QImage target(view.size(), QImage::Format_RGB32);
  view.render(&target);
  // Snapshots are made before the frames are timed: in a run the engine's thread makes them.
  std::vector<std::shared_ptr<EngineSnapshot>> next;
  for (uint32_t i = 0; i < 100; ++i) next.push_back(snapshot_of_steps(steps + i + 1));
  measure_frames(state, 100, [&](int i) {
    view.show_snapshot(next[static_cast<size_t>(i)]);
    view.render(&target);
  });
}

void hover(benchmark::State& state, uint32_t steps) {
  Selection selection;
  MetricsView view({nullptr, &selection});
  view.resize(1920, 1080);
  view.show();
  view.show_snapshot(snapshot_of_steps(steps));
  QImage target(view.size(), QImage::Format_RGB32);
  view.render(&target);
  const QRectF plot = view.canvas().charts()->plot().translated(
      view.canvas().grid().chart(ChartKind::kRequests).topLeft());
  measure_frames(state, 300, [&](int i) {
    const QPointF at(plot.left() + plot.width() * i / 300, plot.center().y());
    QMouseEvent move(QEvent::MouseMove, at, view.canvas().mapToGlobal(at), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&view.canvas(), &move);
    view.render(&target);
  });
}

void add_rows_of_metrics() {
  bench::add_row("view/metrics/live/N10000", [](benchmark::State& state) { live(state, 10000); });
  bench::add_row("view/metrics/hover/N10000", [](benchmark::State& state) { hover(state, 10000); });
}

const ViewRows rows_of_metrics("metrics", add_rows_of_metrics);

}  // namespace
}  // namespace attn::gui
