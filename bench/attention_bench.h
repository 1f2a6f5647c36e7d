// SPDX-License-Identifier: GPL-3.0-or-later
// One attention call set up for measuring: random operands, a cache with shuffled blocks, a warm
// workspace.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "engine/attention/backend.h"

namespace attn::bench {

struct Call {
  std::string backend = "unified";
  DType dtype = DType::kF32;
  SdpaKernel kernel = SdpaKernel::kFlash;
  std::vector<int64_t> query_lens;    // [S]
  std::vector<int64_t> context_lens;  // [S]
  bool is_prefill = true;
  int64_t num_heads = 8, num_kv_heads = 8, head_size = 128;
  int64_t block_size = 16;
  int threads = 1;
  bool cached = true;  // false: no cache, as in a profiling run: attention alone, no cache write
};

class AttentionBench {
 public:
  explicit AttentionBench(const Call& call);
  void run(Recorder* recorder = nullptr, RunClock* clock = nullptr, RunGate* gate = nullptr);
  double flops() const { return flops_; }  // of unmasked (query, key) pairs
  double kv_bytes() const {
    return kv_bytes_;
  }  // of keys and values the rows need, once per KV head

 private:
  Call call_;
  AttentionConfig config_;
  Tensor query_, key_, value_, out_, lse_, storage_;
  AttentionMetadata metadata_;
  KvCacheView cache_;
  std::unique_ptr<AttentionImpl> impl_;
  ThreadPool pool_;
  double flops_ = 0, kv_bytes_ = 0;
};

// Runs `bench` as often as `state` asks for and fills the counters: `work` per run in 1e9 FLOP or
// bytes.
// limit_now: of limits.h.
void measure(benchmark::State& state, AttentionBench& bench, const char* counter, double work,
             double (*limit_now)(int threads), int threads);

// Registers the benchmarks of each file; called once by bench_main.
void register_flash_prefill(int threads);
void register_paged_decode(int threads);
void register_weight_recompute();
void register_trace(int threads);

}  // namespace attn::bench
