// SPDX-License-Identifier: GPL-3.0-or-later
// What a heatmap asks for: all weights of one head, by tiles of 256 x 256.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/attention_bench.h"
#include "engine/core/rng.h"
#include "engine/kernels/weight_recompute.h"

namespace attn::bench {
namespace {

void recompute(benchmark::State& state, int64_t length, int64_t head_size) {
  Rng rng(1);
  std::vector<float> query(static_cast<size_t>(length * head_size)), key(query.size()),
      lse(static_cast<size_t>(length), 8.0f), out(256 * 256);
  for (float& x : query) x = rng.normal();
  for (float& x : key) x = rng.normal();
  for (auto _ : state) {
    for (int64_t q = 0; q < length; q += 256)
      for (int64_t k = 0; k <= q; k += 256) {
        WeightTile tile;
        tile.query = query.data() + q * head_size;
        tile.key = key.data() + k * head_size;
        tile.query_stride = tile.key_stride = tile.head_size = head_size;
        tile.lse = lse.data() + q;
        tile.q_begin = q;
        tile.k_begin = k;
        tile.q_count = tile.k_count = 256;
        tile.scale = 0.1f;
        recompute_weights(tile, out.data(), 256);
        benchmark::DoNotOptimize(out.data());
      }
  }
}

}  // namespace

void register_weight_recompute() {
  for (const int64_t length : {4096, 16384}) {
    const std::string name = "weights/recompute/f32/causal/S" + std::to_string(length) + "/D64/T1";
    benchmark::RegisterBenchmark(
        name.c_str(), [length](benchmark::State& state) { recompute(state, length, 64); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace attn::bench
