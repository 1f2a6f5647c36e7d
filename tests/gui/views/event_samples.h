// SPDX-License-Identifier: GPL-3.0-or-later
// Random events for the tests of the table of events, and expected answers by plain loops.
#pragma once

#include <QtTest>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gui/views/events/rows/event_rows.h"

namespace attn::gui::test {

inline constexpr int kWorkers = 3;

inline std::vector<TraceEvent> random_events(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  const auto below = [&random](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  std::vector<TraceEvent> events;
  constexpr uint64_t kStepNs = 1'000'000;
  uint32_t step = 0;
  while (events.size() < count) {
    const uint64_t begin = uint64_t{step} * kStepNs + 100;
    ++step;
    const auto add = [&](EventKind kind, uint8_t lane, uint64_t at, uint64_t duration) {
      TraceEvent event;
      event.kind = kind;
      event.lane = lane;
      event.layer = below(3) == 0 ? kNoLayer : static_cast<uint8_t>(below(4));
      event.begin_ns = at;
      event.duration_ns = duration;
      event.a = below(9);
      event.b = below(7);
      event.c = below(2000);
      event.d = below(5);
      events.push_back(event);
      return &events.back();
    };
    TraceEvent* schedule = add(EventKind::kSchedule, 0, begin, 500);
    schedule->a = step;
    const uint32_t inside = 5 + below(40);
    for (uint32_t i = 0; i < inside; ++i) {
      const uint64_t at = begin + 1000 + below(900000);
      const auto kind = static_cast<EventKind>(2 + below(static_cast<uint32_t>(kEventKinds) - 2));
      if (kind == EventKind::kStep || kind == EventKind::kSchedule) continue;
      TraceEvent* event = add(kind, static_cast<uint8_t>(is_span(kind) ? 1 + below(kWorkers) : 0),
                              at, is_span(kind) ? below(90000) : 0);
      if (kind == EventKind::kTile)
        pack(TileEvent{below(6), below(64), below(64), 1 + below(4), 1 + below(16), below(4),
                       below(2) ? KernelId::kFlashPrefill : KernelId::kPagedDecodeV1, 1 + below(2)},
             *event);
      if (kind == EventKind::kPageFetch) event->a |= 19u << 24;
      if (kind == EventKind::kRequestFinished) event->b = 3 + below(3);
      if (kind == EventKind::kBlockEvicted) event->b = event->c = kNoNumber;
      if (kind == EventKind::kWarning) event->a = below(2);
    }
    TraceEvent* end = add(EventKind::kStep, 0, begin, 950'000);
    end->a = step;
  }
  return events;
}

inline std::shared_ptr<Recorder> recorder_of(const std::vector<TraceEvent>& events) {
  auto recorder = std::make_shared<Recorder>(kWorkers, 1u << 10);
  recorder->add_message("The cache is full");
  recorder->add_message("A request waits: ÄTHER");
  for (const TraceEvent& event : events) {
    recorder->push(event);
    recorder->drain();
  }
  return recorder;
}

// --- expected answers ---

inline int64_t plain_step(const std::vector<TraceEvent>& events, const TraceEvent& event) {
  if (const int64_t own = step_of(event); own >= 0) return own;
  for (const TraceEvent& step : events)
    if (step.kind == EventKind::kStep && step.begin_ns <= event.begin_ns &&
        event.begin_ns <= step.begin_ns + step.duration_ns)
      return step.a;
  return -1;
}

struct Plain {
  std::vector<TraceEvent> events;
  std::vector<int64_t> steps;
  std::vector<std::string> messages{"The cache is full", "A request waits: ÄTHER"};

  explicit Plain(std::vector<TraceEvent> all) : events(std::move(all)) {
    for (const TraceEvent& event : events) steps.push_back(plain_step(events, event));
  }
  QString kind_lane_details(size_t i) const {
    const TraceEvent& event = events[i];
    std::string details;
    append_details(details, event, messages);
    const std::string_view name = name_of(event.kind);
    return (kind_words(event.kind) + QLatin1Char('\n') +
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) +
            QLatin1Char('\n') + lane_words(event.lane) + QLatin1Char('\n') +
            QString::fromStdString(details))
        .toLower();
  }
  template <class Holds>
  std::vector<uint32_t> rows(Holds&& holds) const {
    std::vector<uint32_t> found;
    for (size_t i = 0; i < events.size(); ++i)
      if (holds(events[i], i)) found.push_back(static_cast<uint32_t>(i));
    return found;
  }
};

inline std::vector<uint32_t> rows_of(const EventRows& rows) {
  std::vector<uint32_t> all;
  for (uint64_t i = 0; i < rows.size(); ++i) all.push_back(rows.event_at(i));
  return all;
}

inline EventFilter filter_of(const QString& text) {
  QString problem;
  EventFilter filter = EventFilter::parse(text, problem);
  if (!problem.isEmpty()) qWarning("%s", qPrintable(problem));
  return filter;
}

inline bool settle(EventRows& rows) {
  return QTest::qWaitFor([&] { return rows.complete(); }, 60000);
}

}  // namespace attn::gui::test
