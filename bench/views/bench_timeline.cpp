// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the timeline at 1920 x 420 with 10^6 and 10^7 spans, while it zooms, while a range of
// time is selected, and while texts are searched for.
#include <QCoreApplication>
#include <QImage>
#include <utility>

#include "bench/views/view_bench.h"
#include "gui/views/timeline/timeline_view.h"

namespace attn::gui {
namespace {

constexpr uint32_t kTimelineWorkers = 8;

std::vector<TraceEvent> tiles(uint32_t count) {
  std::vector<TraceEvent> events;
  events.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    TraceEvent event;
    event.kind = EventKind::kTile;
    event.lane = static_cast<uint8_t>(1 + i % kTimelineWorkers);
    event.layer = 0;
    event.begin_ns = i / kTimelineWorkers * 1000;
    event.duration_ns = 300 + i % 600;
    pack(TileEvent{0, 0, 0, 4, 4, 0, KernelId::kFlashPrefill}, event);
    events.push_back(event);
  }
  return events;
}

struct TimelineFrames {
  Selection selection;
  TimelineView view{{nullptr, &selection}};
  QImage target;

  explicit TimelineFrames(uint32_t spans) {
    auto snapshot = std::make_shared<EngineSnapshot>();
    snapshot->run = 1;
    snapshot->num_lanes = static_cast<int>(kTimelineWorkers) + 1;
    RequestView request;
    request.name = "A";
    snapshot->requests.push_back(request);
    view.resize(1920, 420);
    view.show_run(snapshot, tiles(spans));
    target = QImage(view.size(), QImage::Format_RGB32);
  }
};

void zoom(benchmark::State& state, uint32_t spans) {
  TimelineFrames f(spans);
  f.target = QImage(f.view.canvas().size(), QImage::Format_RGB32);
  measure_frames(state, 300, [&](int i) {
    f.view.canvas().zoom(i / 30 % 2 == 0 ? 1.3 : 1 / 1.3);
    f.view.canvas().render(&f.target);
  });
}

void select_range(benchmark::State& state, uint32_t spans) {
  TimelineFrames f(spans);
  const uint64_t end = f.view.canvas().model().end_ns();
  measure_frames(state, 300, [&](int i) {
    f.view.canvas().set_range(
        {end / 7 + static_cast<uint64_t>(i), end - end / 1000 * static_cast<uint64_t>(i)});
    f.view.render(&f.target);
  });
}

void search(benchmark::State& state, uint32_t spans) {
  TimelineFrames f(spans);
  measure_frames(state, 300, [&](int i) {
    if (i % 30 == 0)
      f.view.canvas().find(i % 60 == 0 ? QStringLiteral("flash")
                                       : QStringLiteral("worker 3 layer 0"));
    QCoreApplication::processEvents();
    f.view.render(&f.target);
  });
}

void add_rows_of_timeline() {
  const std::pair<const char*, void (*)(benchmark::State&, uint32_t)> rows[]{
      {"zoom", zoom}, {"range", select_range}, {"search", search}};
  for (const auto& [name, frames] : rows)
    for (const uint32_t spans : {1000000u, 10000000u})
      bench::add_row("view/timeline/" + std::string(name) + "/E" + std::to_string(spans),
                     [run = frames, spans](benchmark::State& state) { run(state, spans); });
}

const ViewRows rows_of_timeline("timeline", add_rows_of_timeline);

}  // namespace
}  // namespace attn::gui
