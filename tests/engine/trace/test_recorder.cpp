// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trace/recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/trace/bias_event.h"
#include "engine/trace/mailbox.h"
#include "engine/trace/probe.h"

namespace attn {
namespace {

TEST(TraceEvent, TileSurvivesPacking) {
  const TileEvent tile{0xabcdef, 0x123456, 0xfedcba, 96, 4096, 255, KernelId::kPagedReduce};
  TraceEvent event;
  pack(tile, event);
  const TileEvent back = unpack_tile(event);
  EXPECT_EQ(event.kind, EventKind::kTile);
  EXPECT_EQ(back.request, tile.request);
  EXPECT_EQ(back.q_begin, tile.q_begin);
  EXPECT_EQ(back.k_begin, tile.k_begin);
  EXPECT_EQ(back.q_count, tile.q_count);
  EXPECT_EQ(back.k_count, tile.k_count);
  EXPECT_EQ(back.head, tile.head);
  EXPECT_EQ(back.kernel, tile.kernel);
}

TEST(TraceEvent, MasksOfMoreThan4GiBKeepTheirBytes) {
  for (const uint64_t bytes : {uint64_t{111'360}, uint64_t{5} << 30, (uint64_t{1} << 40) - 1}) {
    TraceEvent event;
    pack(BiasEvent{7, 100'000, 90'000, bytes}, event);
    EXPECT_EQ(event.kind, EventKind::kBiasBuilt);
    const BiasEvent back = unpack_bias(event);
    EXPECT_EQ(back.step, 7u);
    EXPECT_EQ(back.rows, 100'000u);
    EXPECT_EQ(back.keys, 90'000u);
    EXPECT_EQ(back.bytes, bytes);
  }
  TraceEvent event;
  pack(BiasEvent{7, 1, uint32_t{1} << 24, uint64_t{1} << 40}, event);
  EXPECT_EQ(unpack_bias(event).keys, 0xffffffu);
  EXPECT_EQ(unpack_bias(event).bytes, (uint64_t{1} << 40) - 1);
}

TEST(TraceEvent, EveryKindAndKernelHasAName) {
  for (uint16_t kind = 0; kind < static_cast<uint16_t>(EventKind::kCount); ++kind)
    EXPECT_FALSE(name_of(static_cast<EventKind>(kind)).empty());
  for (uint8_t kernel = 0; kernel < static_cast<uint8_t>(KernelId::kCount); ++kernel)
    EXPECT_FALSE(name_of(static_cast<KernelId>(kernel)).empty());
}

TEST(TraceRing, DropsAndCountsWhenFull) {
  TraceRing ring(8);
  for (uint32_t i = 0; i < 11; ++i) {
    TraceEvent event;
    event.a = i;
    EXPECT_EQ(ring.push(event), i < 8);
  }
  std::vector<uint32_t> seen;
  EXPECT_EQ(ring.drain([&](const TraceEvent& event) { seen.push_back(event.a); }), 8u);
  EXPECT_EQ(seen, (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(ring.pushed(), 11u);
  EXPECT_EQ(ring.dropped(), 3u);
  EXPECT_TRUE(ring.push({}));
}

TEST(Recorder, LosesNothingBetweenProducersAndADrainingReader) {
  constexpr uint32_t kEvents = 300000;
  Recorder recorder(2);
  std::atomic<int> running{2};
  std::vector<std::thread> lanes;
  for (int lane = 1; lane <= 2; ++lane)
    lanes.emplace_back([&, lane] {
      for (uint32_t i = 0; i < kEvents; ++i) {
        TraceEvent event;
        event.lane = static_cast<uint8_t>(lane);
        event.a = i;
        recorder.ring(lane).push(event);
        if (i % 1024 == 0) std::this_thread::yield();
      }
      running.fetch_sub(1);
    });
  std::vector<TraceEvent> events;
  uint64_t from = 0;
  while (running.load() > 0) {
    recorder.drain();
    from = recorder.read(from, events);
  }
  for (std::thread& lane : lanes) lane.join();
  recorder.drain();
  from = recorder.read(from, events);
  const TraceCounts counts = recorder.counts();
  EXPECT_EQ(counts.pushed, 2u * kEvents);
  EXPECT_EQ(counts.pushed, counts.recorded + counts.dropped);
  EXPECT_EQ(events.size(), counts.recorded);
  uint32_t next[3] = {0, 0, 0};
  for (const TraceEvent& event : events) {
    EXPECT_GE(event.a, next[event.lane]);
    next[event.lane] = event.a + 1;
  }
}

TEST(Recorder, SortedByBeginThenLane) {
  Recorder recorder(1);
  for (const uint64_t begin : {30, 10, 20}) {
    TraceEvent event;
    event.begin_ns = begin;
    event.lane = 1;
    recorder.ring(1).push(event);
    event.lane = 0;
    recorder.ring(0).push(event);
  }
  recorder.drain();
  const auto events = recorder.sorted();
  ASSERT_EQ(events.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(events[i].begin_ns, 10 + i / 2 * 10);
    EXPECT_EQ(events[i].lane, i % 2);
  }
}

TEST(Mailbox, NewestWinsAndReplacedAreCounted) {
  Mailbox<int> mailbox;
  EXPECT_EQ(mailbox.latest(), nullptr);
  mailbox.publish(std::make_shared<int>(1));
  mailbox.publish(std::make_shared<int>(2));
  EXPECT_EQ(*mailbox.latest(), 2);
  mailbox.publish(std::make_shared<int>(3));
  EXPECT_EQ(*mailbox.latest(), 3);
  EXPECT_EQ(mailbox.version(), 3u);
  EXPECT_EQ(mailbox.replaced(), 1u);
}

TEST(Recorder, AFullRingIsEmptiedByItsProducer) {
  Recorder recorder(1, 8);
  for (uint32_t i = 0; i < 1000; ++i) {
    TraceEvent event;
    event.lane = 1;
    event.a = i;
    recorder.push(event);
  }
  recorder.drain();
  const TraceCounts counts = recorder.counts();
  EXPECT_EQ(counts.recorded, 1000u);
  EXPECT_EQ(counts.dropped, 0u);
  std::vector<TraceEvent> events;
  recorder.read(0, events);
  for (uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(events[i].a, i);
}

TEST(RealClock, LeavesOutTheTimeAtTheGate) {
  ThreadPool pool(1);
  Recorder recorder(1);
  RunClock clock(ClockKind::kReal, recorder.num_lanes());
  RunGate gate;
  gate.pause();
  Execution execution;
  execution.pool = &pool;
  execution.recorder = &recorder;
  execution.clock = &clock;
  execution.gate = &gate;
  const auto begin = std::chrono::steady_clock::now();
  std::thread run([&] {
    KernelSpan span(execution, KernelId::kFlashPrefill, 8, 8);
    pool.parallel_for(1, TaskOrder::kDynamic, [&](int64_t, int worker) {
      StepProbe probe(execution, worker);
      ASSERT_TRUE(probe.tile_begin());
      probe.tile_end({}, 64);
    });
  });
  while (gate.held() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto held = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto released = std::chrono::steady_clock::now();
  gate.run();
  run.join();
  const auto took = std::chrono::steady_clock::now() - begin;
  recorder.drain();
  ASSERT_EQ(recorder.sorted().size(), 2u);  // the kernel and its tile
  for (const TraceEvent& event : recorder.sorted())
    EXPECT_LE(std::chrono::nanoseconds(event.duration_ns), took - (released - held));
  EXPECT_GE(clock.now_ns(kEngineLane), recorder.sorted().back().begin_ns);
}

TEST(VirtualClock, TwoRunsGiveTheSameEvents) {
  const auto run = [] {
    ThreadPool pool(3);
    Recorder recorder(3);
    RunClock clock(ClockKind::kVirtual, recorder.num_lanes());
    Execution execution;
    execution.pool = &pool;
    execution.recorder = &recorder;
    execution.clock = &clock;
    for (uint32_t step = 0; step < 20; ++step) {
      execution.step = step;
      traced_parallel_for(execution, KernelId::kLinear, 7, 100, 1e6, 1e4, [](int64_t, int) {});
    }
    recorder.drain();
    return recorder.sorted();
  };
  const auto first = run(), second = run();
  ASSERT_EQ(first.size(), 20u * 8u);
  ASSERT_EQ(second.size(), first.size());
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(std::memcmp(&first[i], &second[i], sizeof(TraceEvent)), 0) << i;
  // 7 tasks on 3 workers: the busiest lane has 3 of them.
  EXPECT_EQ(first[0].kind, EventKind::kKernel);
  EXPECT_EQ(first[0].duration_ns, 3 * modelled_ns(1e6, 1e4));
}

}  // namespace
}  // namespace attn
