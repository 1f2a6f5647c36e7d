// SPDX-License-Identifier: GPL-3.0-or-later
// The events view with 10^7 events: frames while it scrolls, and the time of filters and sorting.
#include <QImage>
#include <QTimer>

#include "bench/views/view_bench.h"
#include "bench/views/watchdog.h"
#include "gui/views/events/events_view.h"

namespace attn::gui {
namespace {

constexpr uint32_t kWorkers = 8;
constexpr uint32_t kInStep = 5000;  // events in a step

std::shared_ptr<Recorder> record(uint32_t count) {
  auto recorder = std::make_shared<Recorder>(static_cast<int>(kWorkers), 1u << 14);
  const auto push = [&](EventKind kind, uint8_t lane, uint64_t at, uint64_t duration, uint32_t a,
                        uint32_t b) {
    TraceEvent event;
    event.kind = kind;
    event.lane = lane;
    event.layer = static_cast<uint8_t>(a % 12);
    event.begin_ns = at;
    event.duration_ns = duration;
    event.a = a;
    event.b = b;
    event.c = a % 100;
    event.d = b % 100;
    if (kind == EventKind::kTile)
      pack(TileEvent{a % 10, b % 4096 * 4, a % 512 * 16, 4, 16, a % 8, KernelId::kFlashPrefill},
           event);
    recorder->push(event);
  };
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = uint64_t{i} * 1000;
    const uint32_t step = i / kInStep + 1, hash = i * 2654435761u >> 8;
    if (i % kInStep == 0)
      push(EventKind::kSchedule, 0, at, 500, step, 0);
    else if (i % kInStep == kInStep - 1)
      push(EventKind::kStep, 0, at - uint64_t{kInStep - 1} * 1000, uint64_t{kInStep - 1} * 1000,
           step, 0);
    else if (i % 50 == 7)
      push(EventKind::kBlockAllocated, 0, at, 0, hash % 4096, hash % 10);
    else if (i % 100 == 8)
      push(EventKind::kTokenSampled, 0, at, 0, hash % 10, step);
    else
      push(EventKind::kTile, static_cast<uint8_t>(1 + i % kWorkers), at, 300 + hash % 90000, hash,
           i);
  }
  recorder->drain();
  return recorder;
}

struct Shown {
  Selection selection;
  EventsView view{{nullptr, &selection}};
  std::shared_ptr<Recorder> recorder;

  explicit Shown(uint32_t count) : recorder(record(count)) {
    view.resize(1920, 1080);
    view.show();
    view.show_recorder(recorder, recorder->size());
    turn_until([] { return false; }, 200);
  }
};

void scroll(benchmark::State& state, uint32_t count) {
  Shown shown(count);
  EventsTable& table = shown.view.events();
  QImage screen(shown.view.size(), QImage::Format_RGB32);
  measure_frames(state, 300, [&](int i) {
    const uint32_t place = static_cast<uint32_t>(i / 3) * 2654435761u % (count - 100);
    table.bar().setValue(static_cast<int>(place) + i % 3 * 3);
    shown.view.render(&screen);
  });
}

void answer(benchmark::State& state, uint32_t count, const QString& text, EventOrder order) {
  Shown shown(count);
  QImage screen(shown.view.size(), QImage::Format_RGB32);
  Watchdog watchdog;
  for (auto _ : state) {
    std::vector<double> seconds;
    for (int i = 0; i < 5; ++i) {
      shown.view.filter_line().clear();
      shown.view.rows().set_order({});
      shown.view.rows().set_filter({});
      turn_until([] { return false; }, 100);
      watchdog.excuse();
      QElapsedTimer clock;
      clock.start();
      QString problem;
      shown.view.rows().set_filter(EventFilter::parse(text, problem));
      if (order.column != EventColumn::kNumber) shown.view.rows().set_order(order);
      const bool done = turn_until([&] { return !shown.view.rows().pending(); }, 60000);
      if (!done || !problem.isEmpty()) return state.SkipWithError("no answer");
      seconds.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-9);
      turn_until([] { return false; }, 100);
    }
    state.SetIterationTime(bench::quantile(seconds, 0.5));
    state.counters["done_ms"] = bench::quantile(seconds, 0.5) * 1e3;
    state.counters["rows"] = static_cast<double>(shown.view.rows().size());
    state.counters["stall_worst_ms"] = watchdog.worst_ms();
  }
}

void add_rows_of_events() {
  constexpr uint32_t kEvents = 10'000'000;
  const std::string size = "E" + std::to_string(kEvents);
  bench::add_row("view/events/scroll/" + size,
                 [](benchmark::State& state) { scroll(state, kEvents); });
  bench::add_row("view/events/filter/" + size, [](benchmark::State& state) {
    answer(state, kEvents,
           QStringLiteral("kind:tile step:100..1500 request:3 duration:>50us flash"), {});
  });
  bench::add_row("view/events/find/" + size, [](benchmark::State& state) {
    answer(state, kEvents, QStringLiteral("12345"), {});
  });
  for (const auto& [name, column] :
       {std::pair{"duration", EventColumn::kDuration}, std::pair{"details", EventColumn::kDetails}})
    bench::add_row("view/events/sort/" + std::string(name) + "/" + size,
                   [column = column](benchmark::State& state) {
                     answer(state, kEvents, QString(), {column, true});
                   });
}

const ViewRows rows_of_events("events", add_rows_of_events);

}  // namespace
}  // namespace attn::gui
