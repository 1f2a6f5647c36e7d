// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline at 1920 x 420 with many spans. Every frame shows another range than the frame
// before, so that what that frame drew cannot be used again.
#include <QImage>

#include "bench/views/view_bench.h"
#include "gui/views/timeline/timeline_view.h"

namespace attn::gui {
namespace {

constexpr uint32_t kWorkers = 8;

std::vector<TraceEvent> tiles(uint32_t count) {
  std::vector<TraceEvent> events;
  events.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    TraceEvent event;
    event.kind = EventKind::kTile;
    event.lane = static_cast<uint8_t>(1 + i % kWorkers);
    event.layer = 0;
    event.begin_ns = i / kWorkers * 1000;
    event.duration_ns = 300 + i % 600;
    pack(TileEvent{0, 0, 0, 4, 4, 0, KernelId::kFlashPrefill}, event);
    events.push_back(event);
  }
  return events;
}

void frames(benchmark::State& state, uint32_t spans) {
  auto snapshot = std::make_shared<EngineSnapshot>();
  snapshot->run = 1;
  snapshot->num_lanes = static_cast<int>(kWorkers) + 1;
  RequestView request;
  request.name = "A";
  snapshot->requests.push_back(request);
  Selection selection;
  TimelineView view({nullptr, &selection});
  view.resize(1920, 420);
  view.show_run(snapshot, tiles(spans));
  QImage target(view.canvas().size(), QImage::Format_RGB32);
  measure_frames(state, 300, [&](int i) {
    view.canvas().zoom(i / 30 % 2 == 0 ? 1.3 : 1 / 1.3);
    view.canvas().render(&target);
  });
}

}  // namespace

void register_timeline_views() {
  for (const uint32_t spans : {1000000u, 10000000u})
    bench::add_row("view/timeline/zoom/E" + std::to_string(spans),
                   [spans](benchmark::State& state) { frames(state, spans); });
}

}  // namespace attn::gui
