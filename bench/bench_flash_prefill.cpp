// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "bench/limits.h"

namespace attn::bench {
namespace {

void prefill(benchmark::State& state, const Call& call) {
  AttentionBench bench(call);
  measure(state, bench, "achieved_gflops", bench.flops() * 1e-9, fma_gflops_now, call.threads);
}

void add(Call call, const std::string& shape) {
  const std::string name =
      fmt::format("prefill/{}{}/{}/causal/{}/H{}/KV{}/D{}/T{}", call.backend,
                  call.kernel == SdpaKernel::kMath ? "-math" : "", name_of(call.dtype), shape,
                  call.num_heads, call.num_kv_heads, call.head_size, call.threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [call](benchmark::State& state) { prefill(state, call); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

Call square(int64_t length, int64_t heads, int64_t kv_heads, int64_t head_size, int threads) {
  Call call;
  call.query_lens = {length};
  call.context_lens = {0};
  call.num_heads = heads;
  call.num_kv_heads = kv_heads;
  call.head_size = head_size;
  call.threads = threads;
  call.cached = false;
  return call;
}

}  // namespace

void register_flash_prefill(int threads) {
  std::vector<int> counts{1};
  if (threads > 1) counts.push_back(threads);
  for (const int t : counts) {
    add(square(2048, 8, 8, 128, t), "S2048");
    add(square(8192, 2, 2, 128, t), "S8192");
    add(square(2048, 8, 8, 64, t), "S2048");
    add(square(512, 8, 8, 64, t), "S512");
    add(square(2048, 8, 2, 128, t), "S2048");
    Call ragged = square(0, 8, 8, 64, t);
    ragged.query_lens.clear();
    ragged.context_lens.clear();
    for (int64_t i = 0; i < 32; ++i) {
      ragged.query_lens.push_back(17 + i * 37 % 560);
      ragged.context_lens.push_back(0);
    }
    add(ragged, "ragged32x17..577");
    Call bf16 = square(2048, 8, 8, 128, t);
    bf16.dtype = DType::kBF16;
    add(bf16, "S2048");
    Call sdpa = square(2048, 8, 8, 128, t);
    sdpa.backend = "torch_sdpa";
    add(sdpa, "S2048");
    Call math = square(2048, 8, 8, 64, t);
    math.backend = "torch_sdpa";
    math.kernel = SdpaKernel::kMath;
    add(math, "S2048");
  }
}

}  // namespace attn::bench
