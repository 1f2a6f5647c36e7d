// SPDX-License-Identifier: GPL-3.0-or-later
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "bench/limits.h"

namespace attn::bench {
namespace {

void decode(benchmark::State& state, const Call& call) {
  AttentionBench bench(call);
  measure(state, bench, "achieved_gbps", bench.kv_bytes() * 1e-9, read_gbps_now, call.threads);
}

void add(int64_t context, int64_t batch, int64_t heads, int64_t kv_heads, DType dtype,
         int64_t block_size, int threads) {
  Call call;
  call.is_prefill = false;
  call.query_lens.assign(static_cast<size_t>(batch), 1);
  call.context_lens.assign(static_cast<size_t>(batch), context - 1);
  call.num_heads = heads;
  call.num_kv_heads = kv_heads;
  call.dtype = dtype;
  call.block_size = block_size;
  call.threads = threads;
  const std::string name =
      fmt::format("decode/{}/{}/C{}/B{}/H{}/KV{}/D{}/BS{}/T{}", call.backend, name_of(dtype),
                  context, batch, heads, kv_heads, call.head_size, block_size, threads);
  benchmark::RegisterBenchmark(name.c_str(),
                               [call](benchmark::State& state) { decode(state, call); })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_paged_decode(int threads) {
  std::vector<int> counts{1};
  if (threads > 1) counts.push_back(threads);
  for (const int t : counts) {
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      add(4096, 1, 8, 8, dtype, 16, t);
      add(4096, 8, 8, 8, dtype, 16, t);
      add(8192, 8, 32, 8, dtype, 16, t);
    }
    add(4096, 8, 8, 8, DType::kF32, 8, t);
    add(4096, 8, 8, 8, DType::kF32, 256, t);
  }
}

}  // namespace attn::bench
