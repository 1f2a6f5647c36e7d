// SPDX-License-Identifier: GPL-3.0-or-later
// `attn bench [--filter REGEX] [--threads N] [--json FILE] [--min-time SECONDS]`
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "backends/register_all.h"
#include "bench/attention_bench.h"
#include "bench/limits.h"
#include "engine/cli/commands.h"
#include "engine/core/error.h"
#include "engine/core/rng.h"

namespace attn {
namespace bench {
namespace {

Tensor random_tensor(DType dtype, Shape shape, uint64_t seed) {
  Tensor tensor(DType::kF32, std::move(shape));
  Rng rng(seed);
  for (float& x : tensor.span<float>()) x = static_cast<float>(rng.uniform() * 2 - 1);
  return convert(tensor, dtype);
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

constexpr size_t kRunsPerLimit = 3;

}  // namespace

AttentionBench::AttentionBench(const Call& call) : call_(call), pool_(call.threads) {
  config_.num_heads = call.num_heads;
  config_.num_kv_heads = call.num_kv_heads;
  config_.head_size = call.head_size;
  config_.scale = 1.0f / std::sqrt(static_cast<float>(call.head_size));
  config_.sdpa_kernel = call.kernel;
  const AttentionBackend& backend = backend_named(call.backend);
  impl_ = backend.make_impl(config_);

  int64_t tokens = 0, blocks = 0;
  for (size_t s = 0; s < call.query_lens.size(); ++s) {
    tokens += call.query_lens[s];
    blocks += (call.query_lens[s] + call.context_lens[s] + call.block_size - 1) / call.block_size;
  }
  std::vector<int32_t> order(static_cast<size_t>(blocks));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(1);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  std::vector<SequenceSlice> slices;
  size_t next = 0;
  for (size_t s = 0; s < call.query_lens.size(); ++s) {
    const int64_t q = call.query_lens[s], c = call.context_lens[s];
    const auto count = static_cast<size_t>((q + c + call.block_size - 1) / call.block_size);
    slices.push_back(
        {static_cast<uint32_t>(s), c, q, call.is_prefill, std::span(order).subspan(next, count)});
    next += count;
    const double pairs =
        static_cast<double>(q) * static_cast<double>(c) + 0.5 * static_cast<double>(q * (q + 1));
    flops_ += 4.0 * pairs * static_cast<double>(call.head_size * call.num_heads);
    kv_bytes_ += 2.0 * static_cast<double>((q + c) * call.num_kv_heads * call.head_size) *
                 static_cast<double>(size_of(call.dtype));
  }
  metadata_ = build_metadata(slices, call.block_size);
  query_ = random_tensor(call.dtype, {tokens, call.num_heads, call.head_size}, 2);
  key_ = random_tensor(call.dtype, {tokens, call.num_kv_heads, call.head_size}, 3);
  value_ = random_tensor(call.dtype, {tokens, call.num_kv_heads, call.head_size}, 4);
  out_ = Tensor(call.dtype, query_.shape());
  lse_ = Tensor(DType::kF32, {tokens, call.num_heads});
  storage_ = random_tensor(
      call.dtype,
      backend.kv_cache_shape(blocks, call.block_size, call.num_kv_heads, call.head_size), 5);
  if (call.cached) cache_ = {&storage_, blocks, call.block_size, call.num_kv_heads, call.head_size};
  run();
}

void AttentionBench::run(Recorder* recorder, RunClock* clock, RunGate* gate) {
  Execution execution;
  execution.pool = &pool_;
  execution.recorder = recorder;
  execution.clock = clock;
  execution.gate = gate;
  impl_->forward({&query_, &key_, &value_, cache_, {}}, metadata_, {&out_, &lse_, nullptr},
                 execution);
}

void measure(benchmark::State& state, AttentionBench& bench, const char* counter, double work,
             double (*limit_now)(int threads), int threads) {
  // The machine may be shared: the limit is measured between the runs, and the medians are
  // compared.
  std::vector<double> seconds, limits;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    bench.run();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    state.PauseTiming();
    if (seconds.size() % kRunsPerLimit == 1) limits.push_back(limit_now(threads));
    state.ResumeTiming();
  }
  const double rate = work / median(seconds), limit = median(limits);
  state.counters[counter] = rate;
  state.counters["limit"] = limit;
  state.counters["limit_ratio"] = rate / limit;
  state.counters["threads"] = threads;
}

}  // namespace bench

int bench_main(const std::vector<std::string>& words) {
  std::vector<std::string> args{"attn bench", "--benchmark_counters_tabular=true"};
  int threads = ThreadPool::hardware_workers();
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = [&]() -> const std::string& {
      if (i + 1 >= words.size())
        throw_bad_input({"option needs a value", words[i], "nothing", "", "See attn bench --help"});
      return words[++i];
    };
    if (words[i] == "--help" || words[i] == "-h") {
      fmt::print(
          "Usage: attn bench [--filter REGEX] [--threads N] [--json FILE] [--min-time SECONDS]\n\n"
          "Measures kernels and engine beside this machine's limits, in one run. Counters: "
          "achieved_gflops or\n"
          "achieved_gbps, limit (same unit, measured in this run), limit_ratio, threads.\n");
      return 0;
    }
    if (words[i] == "--filter") {
      args.push_back("--benchmark_filter=" + value());
    } else if (words[i] == "--json") {
      args.push_back("--benchmark_out=" + value());
      args.emplace_back("--benchmark_out_format=json");
    } else if (words[i] == "--min-time") {
      args.push_back("--benchmark_min_time=" + value());
    } else if (words[i] == "--threads") {
      const std::string& text = value();
      char* end = nullptr;
      const long number = std::strtol(text.c_str(), &end, 10);
      if (*end != '\0' || number < 1 || number > 1024)
        throw_bad_input({"number of threads is out of range", "--threads", text, "1 to 1024", ""});
      threads = static_cast<int>(number);
    } else {
      throw_bad_input({"unknown option", "attn bench", "`" + words[i] + "`",
                       "--filter, --threads, --json, --min-time", ""});
    }
  }
  register_all_backends();
  bench::register_flash_prefill(threads);
  bench::register_paged_decode(threads);
  bench::register_weight_recompute();
  bench::register_trace(threads);
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  const size_t count = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (count == 0)
    throw_bad_input(
        {"no benchmark matches", "--filter", "", "", "Leave --filter out to see all names"});
  return 0;
}

}  // namespace attn
