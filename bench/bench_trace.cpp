// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of looking: the same prefill with no probe, with one event per tile, and with the gate
// before every tile.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "bench/attention_bench.h"

namespace attn::bench {
namespace {

enum class Looking { kOff, kTrace, kStep };

void look(benchmark::State& state, Looking looking, int threads) {
  Call call;
  call.query_lens = {2048};
  call.context_lens = {0};
  call.head_size = 64;
  call.threads = threads;
  AttentionBench bench(call);
  Recorder recorder(threads);
  RunClock clock(ClockKind::kReal, recorder.num_lanes());
  RunGate gate;
  for (auto _ : state) {
    bench.run(looking == Looking::kOff ? nullptr : &recorder, &clock,
              looking == Looking::kStep ? &gate : nullptr);
    state.PauseTiming();
    recorder.clear();
    state.ResumeTiming();
  }
  state.counters["threads"] = threads;
}

}  // namespace

void register_trace(int threads) {
  const std::pair<Looking, const char*> kinds[] = {
      {Looking::kOff, "off"}, {Looking::kTrace, "trace"}, {Looking::kStep, "step"}};
  for (const auto& [looking, name] : kinds) {
    const std::string full =
        std::string("looking/") + name + "/f32/S2048/H8/KV8/D64/T" + std::to_string(threads);
    benchmark::RegisterBenchmark(
        full.c_str(),
        [looking = looking, threads](benchmark::State& state) { look(state, looking, threads); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace attn::bench
