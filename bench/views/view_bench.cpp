// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/views/view_bench.h"

#include <QCoreApplication>
#include <QThread>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gui/app/view_registry.h"

namespace attn::gui {
namespace {

// A function, because constants of other files use it before main().
std::multimap<std::string_view, void (*)()>& rows_by_view() {
  static std::multimap<std::string_view, void (*)()> rows;
  return rows;
}

}  // namespace

ViewRows::ViewRows(const char* view, void (*add)()) {
  rows_by_view().emplace(view, add);
}

void add_rows_of_views() {
  for (const auto& [view, add] : rows_by_view())
    if (!find_view(view)) throw std::logic_error("rows of an unknown view: " + std::string(view));
  for (const ViewEntry& entry : view_registry()) {
    const auto [begin, end] = rows_by_view().equal_range(entry.name);
    for (auto rows = begin; rows != end; ++rows) rows->second();
  }
}

void measure_frames(benchmark::State& state, int frames, const std::function<void(int)>& frame) {
  for (auto _ : state) {
    std::vector<double> ms;
    for (int i = 0; i < frames; ++i) {
      QElapsedTimer timer;
      timer.start();
      frame(i);
      ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
      QCoreApplication::processEvents();
    }
    const double median = bench::quantile(ms, 0.5);
    state.SetIterationTime(median * 1e-3);
    state.counters["frame_p50_ms"] = median;
    state.counters["frame_p99_ms"] = bench::quantile(ms, 0.99);
    state.counters["frame_worst_ms"] = bench::quantile(ms, 1);
    state.counters["frames"] = frames;
  }
}

bool turn_until(const std::function<bool()>& condition, int limit_ms) {
  QElapsedTimer timer;
  timer.start();
  while (!condition()) {
    if (timer.elapsed() > limit_ms) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
    QThread::usleep(100);
  }
  return true;
}

bool BenchRun::run(const Scenario& scenario) {
  const uint64_t before = bridge.snapshot() ? bridge.snapshot()->run : 0;
  bridge.start(scenario);
  const bool ended = turn_until(
      [&] {
        const auto& now = bridge.snapshot();
        return now && now->run != before &&
               (now->phase == EnginePhase::kFinished || now->phase == EnginePhase::kFailed);
      },
      120000);
  return ended && bridge.snapshot()->phase == EnginePhase::kFinished;
}

Scenario one_head_scenario(int64_t tokens) {
  Scenario scenario;
  SyntheticSpec synthetic;
  synthetic.kind = SyntheticKind::kInduction;
  synthetic.num_layers = synthetic.num_heads = synthetic.num_kv_heads = 1;
  synthetic.head_size = 64;
  synthetic.max_model_len = tokens + 8;
  scenario.source.synthetic = synthetic;
  ScenarioRequest request;
  request.name = "long";
  request.prompt_tokens = tokens;
  request.max_tokens = 1;
  scenario.requests = {request};
  scenario.engine.backend = "unified";
  scenario.engine.num_blocks = tokens / 16 + 8;
  scenario.engine.max_num_batched_tokens = tokens + 8;
  return scenario;
}

}  // namespace attn::gui
