// SPDX-License-Identifier: GPL-3.0-or-later
// Measures and registers rows of `attn bench` and `attention-workbench bench-views`. One thread at
// a time.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/measure/limits.h"
#include "bench/measure/row_filter.h"

namespace attn::bench {

struct Work {
  const char* counter = "achieved_gflops";  // or "achieved_gbps"
  double amount = 0;                        // work of one run, in 1e9 FLOP or 1e9 bytes
  Limit limit = Limit::kFma;
  int threads = 1;
  double tokens = 0;  // tokens of one run; 0: no counter tokens_per_s
  // Name of a counter for the nanoseconds of a run divided by `units`; null: no such counter.
  const char* unit = nullptr;
  double units = 0;
};

// Runs `run` at least 5 times and for at least min_time_s(), in 5 rounds, and measures the limit
// before each round. Sets the counters and the row's time, the median, which it also returns [s].
double measure(benchmark::State& state, const std::function<void()>& run, const Work& work);
// Times `run` as measure() does, but measures no limit. The counter processor_ms is the median
// processor time of a run, of all threads of the process.
void measure_alone(benchmark::State& state, const std::function<void()>& run, int threads);
// Runs `base` and `run` by turns. The row's time is the median of `run`; `ratio_to_off` is the
// median ratio of a `run` to the `base` before it.
void measure_against(benchmark::State& state, const std::function<void()>& base,
                     const std::function<void()>& run, int threads);

// Sets the counters and the time of a row. seconds: time of one run; limit: measured rate of
// work.limit, GFLOP/s or GB/s.
void set_counters(benchmark::State& state, double seconds, double limit, const Work& work);

// The value of --min-time, in seconds; 0.2 unless it is given.
double& min_time_s();

// The thread counts to measure: 1, and `threads` if it is larger.
std::vector<int> thread_counts(int threads);

// The value at quantile `part` (0.5: the median, 1: the largest). Reorders `values`, which must not
// be empty.
double quantile(std::vector<double>& values, double part);

void add_row(const std::string& name, std::function<void(benchmark::State&)> body);
// Hands the rows whose names fit the filter to Google Benchmark and drops the others. Returns the
// names that fit. Throws Error(kBadInput) if no name fits.
std::vector<std::string> take_rows(const RowFilter& filter);

}  // namespace attn::bench
