// SPDX-License-Identifier: GPL-3.0-or-later
// One row of `attn bench`: the median of at least 5 runs, beside the limit of the machine in the
// same seconds. Engine thread.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/limits.h"
#include "bench/options.h"

namespace attn::bench {

// What a run does.
struct Work {
  const char* counter = "achieved_gflops";  // or "achieved_gbps"
  double amount = 0;                        // per run, 1e9 FLOP or bytes
  Limit limit = Limit::kFma;
  int threads = 1;
  double tokens = 0;           // per run; 0: no counter
  const char* unit = nullptr;  // "ns_per_pair": time of a run over `units`
  double units = 0;
};

// Runs `run` for --min-time and at least 5 times, with a measurement of the limit between, fills
// the counters and sets the time of the row to the median. Returns it, in seconds.
double measure(benchmark::State& state, const std::function<void()>& run, const Work& work);
// `base` and `run` by turns; the row's time is that of `run`, `ratio_to_off` the median of the
// ratios of two that follow each other.
void measure_against(benchmark::State& state, const std::function<void()>& base,
                     const std::function<void()>& run, int threads);

// The counters of a row and its time. seconds: of one run.
void set_counters(benchmark::State& state, double seconds, double limit, const Work& work);

// Seconds that a row runs at least; set by --min-time.
double& min_time_s();

// 1, and `threads` if that is more: what most rows are measured with.
std::vector<int> thread_counts(int threads);

// Reorders `values`; not empty. part: 0.5 is the median.
double quantile(std::vector<double>& values, double part);

// A row. Its time is the one `body` sets.
void add_row(const std::string& name, std::function<void(benchmark::State&)> body);
// Hands the rows whose names fit the filter (bench/options.h) to Google Benchmark and
// forgets the others. Returns their names. Throws Error(kBadInput) where there are none.
std::vector<std::string> take_rows(const RowFilter& filter);

}  // namespace attn::bench
