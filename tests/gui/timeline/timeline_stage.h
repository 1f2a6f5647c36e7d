// SPDX-License-Identifier: GPL-3.0-or-later
// RandomRun: random events and steps. TimelineStage: a timeline that shows such a run.
#pragma once

#include <QtTest>
#include <random>
#include <vector>

#include "gui/views/timeline/timeline_view.h"

namespace attn::gui::test {

// Random steps on three workers, and random events of requests.
struct RandomRun {
  std::vector<TraceEvent> events;
  std::shared_ptr<EngineSnapshot> snapshot = std::make_shared<EngineSnapshot>();

  explicit RandomRun(uint32_t seed, uint32_t num_steps = 40) : random_(seed) {
    auto steps = std::make_shared<std::vector<StepRecord>>();
    for (uint32_t step = 1; step <= num_steps; ++step) add_step(step, *steps);
    snapshot->run = 1;
    snapshot->block_size = 4;
    snapshot->blocks.resize(8);
    snapshot->num_lanes = 1 + kWorkers;
    for (uint32_t id = 0; id < num_requests_; ++id) {
      RequestView request;
      request.id = id;
      request.name = id % 3 == 0 ? "Lily " + std::to_string(id) : "";
      snapshot->requests.push_back(request);
    }
    snapshot->steps = steps;
  }
  std::shared_ptr<const EngineSnapshot> after(size_t step) const {
    auto past = std::make_shared<EngineSnapshot>(*snapshot);
    past->steps = std::make_shared<std::vector<StepRecord>>(
        snapshot->steps->begin(), snapshot->steps->begin() + static_cast<ptrdiff_t>(step));
    const uint64_t until = past->steps->back().end_ns;
    std::erase_if(past->requests,
                  [&](const RequestView& request) { return queued_ns_[request.id] > until; });
    return past;
  }
  uint64_t end_ns() const { return now_; }
  uint64_t pick(uint64_t below) { return random_() % below; }

 private:
  static constexpr uint32_t kWorkers = 3;

  TraceEvent& add(EventKind kind, uint64_t begin, uint64_t duration, uint8_t lane, uint32_t a,
                  uint32_t b = 0, uint32_t c = 0, uint32_t d = 0) {
    TraceEvent event;
    event.kind = kind;
    event.begin_ns = begin;
    event.duration_ns = duration;
    event.lane = lane;
    event.layer = kNoLayer;
    event.a = a;
    event.b = b;
    event.c = c;
    event.d = d;
    events.push_back(event);
    return events.back();
  }
  void add_request_event(uint32_t step) {
    if (num_requests_ == 0 || pick(4) == 0) {
      queued_ns_.push_back(now_);
      add(EventKind::kRequestQueued, now_, 0, 0, num_requests_++, 5);
      return;
    }
    const auto request = static_cast<uint32_t>(pick(num_requests_));
    constexpr EventKind kinds[]{EventKind::kRequestScheduled, EventKind::kTokenSampled,
                                EventKind::kTokenSampled, EventKind::kRequestPreempted,
                                EventKind::kRequestFinished};
    const EventKind kind = kinds[pick(5)];
    const bool sampled = kind == EventKind::kTokenSampled;
    add(kind, now_, 0, 0, request, sampled ? 7 : step, sampled ? 77 : 3,
        sampled ? step : static_cast<uint32_t>(pick(2)));
  }
  void add_step(uint32_t step, std::vector<StepRecord>& steps) {
    now_ += pick(3) * pick(5000);
    const uint64_t begin = now_;
    for (uint64_t i = pick(4); i > 0; --i) add_request_event(step);
    const uint64_t planning = pick(2) * pick(3000);
    add(EventKind::kSchedule, now_, planning, 0, step, 1, 2, 3);
    now_ += planning;
    for (uint64_t i = pick(12); i > 0; --i) add_kernel(step);
    for (uint64_t i = pick(3); i > 0; --i) add_request_event(step);
    const auto prefill = static_cast<uint32_t>(pick(2) * pick(20)),
               decode = static_cast<uint32_t>(pick(2) * pick(5));
    add(EventKind::kStep, begin, now_ - begin, 0, step, prefill, decode, 1);
    steps.push_back({.step = step,
                     .begin_ns = begin,
                     .end_ns = now_,
                     .prefill_tokens = prefill,
                     .decode_tokens = decode});
  }
  void add_kernel(uint32_t step) {
    constexpr KernelId kernels[]{KernelId::kLinear,       KernelId::kNorm,
                                 KernelId::kFlashPrefill, KernelId::kPagedDecodeV1,
                                 KernelId::kCacheWrite,   KernelId::kCopyBlocks,
                                 KernelId::kPlan};
    const KernelId kernel = kernels[pick(7)];
    const auto layer = static_cast<uint8_t>(pick(14));
    const uint64_t begin = now_;
    for (uint8_t worker = 1; worker <= kWorkers; ++worker) {
      uint64_t at = begin + pick(50);
      for (uint64_t i = pick(4); i > 0; --i) {
        const uint64_t duration = pick(5) * pick(400);
        TraceEvent& event =
            add(EventKind::kTask, at, duration, worker, static_cast<uint32_t>(kernel), step, 0, 4);
        event.layer = layer;
        if (kernel_facts(kernel).attention) {
          TileEvent tile;
          tile.request = static_cast<uint32_t>(num_requests_ ? pick(num_requests_) : 0);
          tile.kernel = kernel;
          tile.head = static_cast<uint32_t>(pick(4));
          tile.heads = static_cast<uint32_t>(1 + pick(2));
          tile.q_count = tile.k_count = 4;
          pack(tile, event);
        }
        at += duration + pick(30);
        now_ = std::max(now_, at);
      }
    }
    add(kernel == KernelId::kPlan ? EventKind::kTask : EventKind::kKernel, begin, now_ - begin, 0,
        static_cast<uint32_t>(kernel), step, 2, 5)
        .layer = layer;
  }

  std::mt19937 random_;
  uint64_t now_ = 0;
  uint32_t num_requests_ = 0;
  std::vector<uint64_t> queued_ns_;
};

struct TimelineStage {
  RandomRun run;
  Selection selection;
  QWidget window;
  TimelineView view{{nullptr, &selection}, &window};
  TimelineCanvas& canvas = view.canvas();

  explicit TimelineStage(uint32_t seed = 7, QSize size = {1100, 420}) : run(seed) {
    window.resize(size);
    view.resize(size);
    window.show();
    view.show_run(run.snapshot, run.events);
    window.activateWindow();
    canvas.setFocus();
    settle();
  }
  void settle() {
    QCoreApplication::processEvents();
    view.grab();  // lays out and paints
  }
  QPoint at(double time_ns, double y) const {
    return QPointF(canvas.axis().to_pixel(time_ns) + canvas.layout_now().lanes.left(), y).toPoint();
  }
  void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(&widget, Qt::LeftButton, keys, from);
    QTest::mouseMove(&widget, (from + to) / 2);
    QTest::mouseMove(&widget, to);
    QTest::mouseRelease(&widget, Qt::LeftButton, keys, to);
    settle();
  }
};

}  // namespace attn::gui::test
