// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/measure/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

#include "bench/measure/row_filter.h"
#include "engine/core/error.h"

namespace attn::bench {
namespace {

// measure() measures the limit again in each round, because the speed of a shared machine changes.
constexpr size_t kRounds = 5;

double seconds_of(const std::function<void()>& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

using Row = std::pair<std::string, std::function<void(benchmark::State&)>>;
std::vector<Row>& rows() {
  static std::vector<Row> all;
  return all;
}

// Calls `run` until the calls have taken 1 / kRounds of min_time_s(); at least one call.
void run_round(const std::function<void()>& run, std::vector<double>& seconds) {
  double spent = 0;
  do {
    seconds.push_back(seconds_of(run));
    spent += seconds.back();
  } while (spent < min_time_s() / kRounds);
}

}  // namespace

double& min_time_s() {
  static double seconds = 0.2;
  return seconds;
}

void set_counters(benchmark::State& state, double seconds, double limit, const Work& work) {
  const double rate = work.amount / seconds;
  state.SetIterationTime(seconds);
  state.counters[work.counter] = rate;
  state.counters["limit"] = limit;
  state.counters["limit_ratio"] = rate / limit;
  state.counters["threads"] = work.threads;
  if (work.tokens > 0) state.counters["tokens_per_s"] = work.tokens / seconds;
  if (work.unit) state.counters[work.unit] = seconds * 1e9 / work.units;
  state.SetLabel("of " + std::string(name_of(work.limit)));
}

double measure(benchmark::State& state, const std::function<void()>& run, const Work& work) {
  double seconds = 0;
  for (auto _ : state) {
    std::vector<double> runs, limits;
    for (size_t round = 0; round < kRounds; ++round) {
      limits.push_back(limit_now(work.limit, work.threads));
      run_round(run, runs);
    }
    seconds = quantile(runs, 0.5);
    set_counters(state, seconds, quantile(limits, 0.5), work);
    state.counters["runs"] = static_cast<double>(runs.size());
  }
  return seconds;
}

void measure_alone(benchmark::State& state, const std::function<void()>& run, int threads) {
  for (auto _ : state) {
    std::vector<double> runs, processor;
    for (size_t round = 0; round < kRounds; ++round)
      run_round(
          [&] {
            const std::clock_t begin = std::clock();
            run();
            processor.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
          },
          runs);
    state.SetIterationTime(quantile(runs, 0.5));
    state.counters["processor_ms"] = quantile(processor, 0.5) * 1e3;
    state.counters["threads"] = threads;
    state.counters["runs"] = static_cast<double>(runs.size());
  }
}

void measure_against(benchmark::State& state, const std::function<void()>& base,
                     const std::function<void()>& run, int threads) {
  for (auto _ : state) {
    std::vector<double> runs, ratios;
    double spent = 0;
    while (runs.size() < kRounds || spent < min_time_s()) {
      const double off = seconds_of(base), on = seconds_of(run);
      runs.push_back(on);
      ratios.push_back(on / off);
      spent += on + off;
    }
    state.SetIterationTime(quantile(runs, 0.5));
    state.counters["ratio_to_off"] = quantile(ratios, 0.5);
    state.counters["threads"] = threads;
    state.counters["runs"] = static_cast<double>(runs.size());
  }
}

std::vector<int> thread_counts(int threads) {
  return threads > 1 ? std::vector<int>{1, threads} : std::vector<int>{1};
}

double quantile(std::vector<double>& values, double part) {
  const auto place = static_cast<size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void add_row(const std::string& name, std::function<void(benchmark::State&)> body) {
  rows().emplace_back(name, std::move(body));
}

std::vector<std::string> take_rows(const RowFilter& filter) {
  std::vector<std::string> names;
  for (auto& [name, body] : rows()) {
    if (!filter.takes(name)) continue;
    names.push_back(name);
    benchmark::RegisterBenchmark(name.c_str(), std::move(body))
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  if (names.empty())
    throw_bad_input({"no benchmark matches", "--filter", shown_filter(filter.expression()),
                     "a regular expression that fits some row's name", "--list prints all names"});
  rows().clear();
  return names;
}

}  // namespace attn::bench
