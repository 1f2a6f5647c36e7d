// SPDX-License-Identifier: GPL-3.0-or-later
// The block grid with 65,536 blocks, a new snapshot every frame, while a recorder takes 100,000
// events a second on another thread and the frame drains it as the window does.
#include <QImage>
#include <QThread>
#include <atomic>
#include <chrono>
#include <thread>

#include "bench/views/view_bench.h"
#include "engine/trace/recorder.h"
#include "gui/views/blocks/blocks_view.h"

namespace attn::gui {
namespace {

constexpr int64_t kBlocks = 65536;
constexpr int kEventsPerMs = 100;

std::shared_ptr<EngineSnapshot> snapshot_of_blocks() {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = 1;
  shot->block_size = 16;
  shot->blocks.resize(kBlocks);
  for (uint32_t id = 0; id < 32; ++id) {
    RequestView request;
    request.id = id;
    request.name = "request " + std::to_string(id);
    for (int32_t j = 0; j < 1500; ++j) {
      const int32_t block = j * 32 + static_cast<int32_t>(id);
      request.blocks.push_back(block);
      shot->blocks[static_cast<size_t>(block)] = {static_cast<int32_t>(id), 1, j, 16, 1, 1, 1};
    }
    shot->requests.push_back(std::move(request));
  }
  shot->free_blocks = kBlocks - 32 * 1500;
  return shot;
}

void frames(benchmark::State& state) {
  auto shot = snapshot_of_blocks();
  Selection selection;
  BlocksView view({nullptr, &selection});
  view.resize(1920, 1080);
  view.show_snapshot(shot);
  QImage target(view.canvas().size(), QImage::Format_RGB32);
  Recorder recorder(1);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> pushed{0};
  std::thread engine([&] {
    auto next = std::chrono::steady_clock::now();
    while (!stop) {
      TraceEvent event;
      event.kind = EventKind::kTile;
      for (int i = 0; i < kEventsPerMs; ++i) recorder.push(event);
      pushed += kEventsPerMs;
      std::this_thread::sleep_until(next += std::chrono::milliseconds(1));
    }
  });
  std::vector<TraceEvent> events;
  uint64_t read = 0;
  QElapsedTimer clock;
  clock.start();
  const auto drain = [&] {
    recorder.drain();
    read = recorder.read(read, events);
  };
  measure_frames(state, 200, [&](int i) {
    drain();
    auto next = std::make_shared<EngineSnapshot>(*shot);
    next->step = static_cast<uint32_t>(i + 2);
    for (int64_t b = i; b < kBlocks; b += 200)
      next->blocks[static_cast<size_t>(b)].last_read_step = next->step;
    view.show_snapshot(next);
    view.canvas().render(&target);
  });
  const double seconds = static_cast<double>(clock.elapsed()) * 1e-3;
  stop = true;
  engine.join();
  drain();
  state.counters["events_per_s"] = static_cast<double>(pushed) / seconds;
  state.counters["lost"] = static_cast<double>(pushed) - static_cast<double>(events.size());
}

}  // namespace

void register_block_views() {
  bench::add_row("view/blocks/live/B65536", [](benchmark::State& state) { frames(state); });
}

}  // namespace attn::gui
