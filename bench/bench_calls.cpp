// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the thread pool with work for 1 to 1000 us, with workers awake and asleep. The same work
// is timed on the calling thread by turns with the calls.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "bench/attention_bench.h"

namespace attn::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kTasks = 8;

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void work(int64_t rounds) {
  float value = 1;
  for (int64_t i = 0; i < rounds; ++i) value = std::fma(value, 0.5f, 1.0f);
  benchmark::DoNotOptimize(value);
}

int64_t rounds_for(double us) {
  constexpr int64_t kRounds = 1'000'000;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    work(kRounds);
    best = std::min(best, us_since(begin));
  }
  return static_cast<int64_t>(us / best * kRounds);
}

void call(benchmark::State& state, double work_us, bool asleep, int threads) {
  ThreadPool pool(threads);
  Execution execution;
  execution.pool = &pool;
  const int64_t rounds = rounds_for(work_us / kTasks);
  // The modelled machine does 32 FLOP in a nanosecond (engine/trace/probe.cpp).
  const double flops = 32e3 * work_us / kTasks;
  const auto run = [&] {
    traced_parallel_for(execution, KernelId::kLinear, kTasks, 1, flops, 0,
                        [&](int64_t, int) { work(rounds); });
  };
  std::vector<double> calls, alone;
  const auto measure_once = [&] {
    auto begin = Clock::now();
    for (int64_t task = 0; task < kTasks; ++task) work(rounds);
    alone.push_back(us_since(begin));
    begin = Clock::now();
    while (asleep && us_since(begin) < 10 * ThreadPool::kAwakeUs) {
    }
    if (!asleep)
      pool.parallel_for(2 * threads, TaskOrder::kStatic, [](int64_t, int) {});  // wakes all workers
    begin = Clock::now();
    run();
    calls.push_back(us_since(begin));
  };
  for (auto _ : state) {
    const auto begin = Clock::now();
    while (calls.size() < 500 || us_since(begin) < 1e6 * min_time_s()) measure_once();
    state.SetIterationTime(quantile(calls, 0.5) * 1e-6);
    state.counters["call_p50_us"] = quantile(calls, 0.5);
    state.counters["call_p90_us"] = quantile(calls, 0.9);
    state.counters["work_p50_us"] = quantile(alone, 0.5);
    state.counters["threads"] = threads;
  }
}

}  // namespace

void register_calls(int threads) {
  for (const int us : {1, 10, 30, 100, 1000})
    for (const bool asleep : {false, true})
      add_row(fmt::format("call/{}us/{}/T{}", us, asleep ? "asleep" : "awake", threads),
              [=](benchmark::State& state) { call(state, us, asleep, threads); });
}

}  // namespace attn::bench
