// SPDX-License-Identifier: GPL-3.0-or-later
// Measures one row of `attn bench`: the median of at least 5 runs, and by turns with them the limit
// of the machine. Engine thread.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/measure/limits.h"
#include "bench/measure/row_filter.h"

namespace attn::bench {

// What one run of a row does, and the limit it is compared with.
struct Work {
  const char* counter = "achieved_gflops";  // or "achieved_gbps"
  double amount = 0;                        // work of one run, in 1e9 FLOP or 1e9 bytes
  Limit limit = Limit::kFma;
  int threads = 1;
  double tokens = 0;  // tokens of one run; 0: no counter tokens_per_s
  // Name of another counter, "ns_per_pair" or "ns_per_key": the time of a run, ns, divided by
  // `units`; null: no such counter.
  const char* unit = nullptr;
  double units = 0;
};

// Runs `run` at least 5 times and for --min-time, by turns with measurements of the limit, fills
// the counters and sets the time of the row to the median, which it returns in seconds.
double measure(benchmark::State& state, const std::function<void()>& run, const Work& work);
// measure() without a limit: the row has the median of the time and, in `processor_ms`, that of the
// process's processor time.
void measure_alone(benchmark::State& state, const std::function<void()>& run, int threads);
// Runs `base` and `run` by turns. The row's time is the median of `run`; `ratio_to_off` is the
// median ratio of a `run` to the `base` before it.
void measure_against(benchmark::State& state, const std::function<void()>& base,
                     const std::function<void()>& run, int threads);

// Sets the counters and the time of a row. seconds: time of one run; limit: what the machine
// reached for work.limit, in 1e9 FLOP or bytes per second.
void set_counters(benchmark::State& state, double seconds, double limit, const Work& work);

// The least time for which a row runs, seconds; set by --min-time.
double& min_time_s();

// The thread counts to measure: 1, and `threads` if it is larger.
std::vector<int> thread_counts(int threads);

// The value at quantile `part` (0.5: the median, 1: the largest). Reorders `values`, which must not
// be empty.
double quantile(std::vector<double>& values, double part);

void add_row(const std::string& name, std::function<void(benchmark::State&)> body);
// Hands the rows whose names fit the filter (bench/measure/row_filter.h) to Google Benchmark and
// drops the others. Returns their names. Throws Error(kBadInput) where there are none.
std::vector<std::string> take_rows(const RowFilter& filter);

}  // namespace attn::bench
