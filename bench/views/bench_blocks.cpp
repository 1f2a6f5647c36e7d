// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the block grid with 65,536 blocks while another thread changes blocks, records events
// and publishes snapshots. Also the time of an engine's snapshot of as many blocks.
#include <QImage>
#include <QThread>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "bench/views/view_bench.h"
#include "engine/session/run/engine.h"
#include "engine/trace/mailbox.h"
#include "engine/trace/recorder.h"
#include "gui/views/blocks/blocks_view.h"

namespace attn::gui {
namespace {

constexpr int64_t kBlocks = 65536;
constexpr int64_t kRequests = 32, kBlocksEach = 1500;
constexpr int kEventsPerMs = 100;
constexpr int kSnapshotEveryMs = 4;

std::shared_ptr<EngineSnapshot> snapshot_of_blocks() {
  auto shot = std::make_shared<EngineSnapshot>();
  shot->run = 1;
  shot->phase = EnginePhase::kRunning;
  shot->block_size = 16;
  shot->blocks.resize(kBlocks);
  for (uint32_t id = 0; id < kRequests; ++id) {
    RequestView request;
    request.id = id;
    request.name = "request " + std::to_string(id);
    for (int32_t j = 0; j < kBlocksEach; ++j) {
      const int32_t block = j * static_cast<int32_t>(kRequests) + static_cast<int32_t>(id);
      request.own_table.blocks.push_back(block);
      shot->blocks[static_cast<size_t>(block)] = {static_cast<int32_t>(id), 1, j, 16, 1, 1, 1};
    }
    shot->requests.push_back(std::move(request));
  }
  shot->free_blocks = kBlocks - kRequests * kBlocksEach;
  return shot;
}

// Changes only blocks that are in no table, so the blocks of the tables stay as they were.
class ChangingCache {
 public:
  ChangingCache() : shot_(*snapshot_of_blocks()), thread_([this] { run(); }) {}
  ~ChangingCache() { stop(); }
  void stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Recorder& recorder() { return recorder_; }
  const Mailbox<EngineSnapshot>& snapshots() const { return snapshots_; }
  double snapshot_ms() const {
    return 1e-6 * static_cast<double>(build_ns_) / std::max(1, built_.load());
  }

 private:
  void run() {
    auto next = std::chrono::steady_clock::now();
    for (uint64_t ms = 0; !stop_; ++ms) {
      shot_.step = static_cast<uint32_t>(ms + 2);
      for (int i = 0; i < kEventsPerMs; ++i) change_one();
      if (ms % kSnapshotEveryMs == 0) publish();
      std::this_thread::sleep_until(next += std::chrono::milliseconds(1));
    }
  }
  void change_one() {
    constexpr int64_t kFirst = kRequests * kBlocksEach;
    random_ = random_ * 6364136223846793005 + 1442695040888963407;
    const int64_t block = kFirst + static_cast<int64_t>(random_ >> 33) % (kBlocks - kFirst);
    BlockView& view = shot_.blocks[static_cast<size_t>(block)];
    const auto owner = static_cast<int32_t>(random_ % kRequests);
    TraceEvent event;
    event.begin_ns = ++time_ns_;
    event.a = static_cast<uint32_t>(block);
    event.b = static_cast<uint32_t>(owner);
    event.kind = view.ref_count > 0 ? EventKind::kBlockFreed : EventKind::kBlockAllocated;
    if (view.ref_count > 0)
      view = {};
    else
      view = {.owner = owner, .ref_count = 1, .filled = 16, .allocated_step = shot_.step};
    recorder_.push(event);
  }
  void publish() {
    const auto begin = std::chrono::steady_clock::now();
    snapshots_.publish(std::make_shared<const EngineSnapshot>(shot_));
    build_ns_ += (std::chrono::steady_clock::now() - begin).count();
    ++built_;
  }

  EngineSnapshot shot_;
  Recorder recorder_{1};
  Mailbox<EngineSnapshot> snapshots_;
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> build_ns_{0};
  std::atomic<int> built_{0};
  uint64_t random_ = 1, time_ns_ = 0;
  std::thread thread_;
};

void frames(benchmark::State& state, BlockColorBy by) {
  Selection selection;
  BlocksView view({nullptr, &selection});
  view.resize(1920, 1080);
  view.show();
  BlocksCanvas& canvas = view.canvas();
  canvas.set_color_by(by);
  QImage target(canvas.size(), QImage::Format_RGB32);
  std::vector<TraceEvent> events;
  canvas.set_events(&events);
  ChangingCache cache;
  uint64_t read = 0;
  QElapsedTimer clock;
  clock.start();
  const auto drain = [&] {
    const auto from = static_cast<int64_t>(events.size());
    cache.recorder().drain();
    read = cache.recorder().read(read, events);
    canvas.take_events(from, static_cast<int64_t>(events.size()));
  };
  turn_until([&] { return cache.snapshots().version() > 0; }, 1000);
  std::shared_ptr<const EngineSnapshot> shown;
  int64_t same = 0;
  measure_frames(state, 300, [&](int) {
    drain();
    const std::shared_ptr<const EngineSnapshot> next = cache.snapshots().latest();
    same += next == shown;
    shown = next;
    canvas.set_snapshot(next);
    canvas.render(&target);
  });
  const double seconds = static_cast<double>(clock.elapsed()) * 1e-3;
  cache.stop();
  drain();
  const TraceCounts counts = cache.recorder().counts();
  state.counters["events_per_s"] = static_cast<double>(counts.pushed) / seconds;
  state.counters["lost"] = static_cast<double>(counts.pushed - events.size());
  state.counters["dropped"] = static_cast<double>(counts.dropped);
  state.counters["frames_without_news"] = static_cast<double>(same);
  state.counters["snapshot_ms"] = cache.snapshot_ms();
}

void engine_snapshot(benchmark::State& state, bool prefix_caching) {
  Scenario scenario = one_head_scenario(16);
  scenario.source.synthetic->head_size = 16;
  scenario.engine.block_size = 1;
  scenario.engine.num_blocks = kBlocks;
  scenario.engine.enable_prefix_caching = prefix_caching;
  EngineOptions options;
  options.keep_attention = false;
  Engine engine(scenario, options);
  engine.run_to_end();
  for (auto _ : state) {
    std::vector<double> ms;
    for (int i = 0; i < 200; ++i) {
      QElapsedTimer timer;
      timer.start();
      const EngineSnapshot shot = engine.snapshot(EnginePhase::kRunning);
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    state.SetIterationTime(bench::quantile(ms, 0.5) * 1e-3);
    state.counters["p99_ms"] = bench::quantile(ms, 0.99);
  }
}

void add_rows_of_blocks() {
  bench::add_row("view/blocks/live/B65536",
                 [](benchmark::State& state) { frames(state, BlockColorBy::kOwner); });
  bench::add_row("view/blocks/live/B65536/age",
                 [](benchmark::State& state) { frames(state, BlockColorBy::kAge); });
  bench::add_row("view/blocks/live/B65536/reader",
                 [](benchmark::State& state) { frames(state, BlockColorBy::kReader); });
  bench::add_row("view/blocks/snapshot/B65536",
                 [](benchmark::State& state) { engine_snapshot(state, false); });
  bench::add_row("view/blocks/snapshot/B65536/prefixes",
                 [](benchmark::State& state) { engine_snapshot(state, true); });
}

const ViewRows rows_of_blocks("blocks", add_rows_of_blocks);

}  // namespace
}  // namespace attn::gui
