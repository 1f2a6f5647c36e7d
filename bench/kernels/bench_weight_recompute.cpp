// SPDX-License-Identifier: GPL-3.0-or-later
// Computing the causal weights of one head again from queries and keys, in tiles of 256 x 256.
#include <string>

#include "bench/attention_bench.h"
#include "engine/core/rng.h"
#include "engine/kernels/weight_recompute.h"

namespace attn::bench {
namespace {

constexpr int64_t kTile = 256;

void recompute(benchmark::State& state, int64_t length, int64_t head_size) {
  Rng rng(1);
  std::vector<float> query(static_cast<size_t>(length * head_size)), key(query.size()),
      lse(static_cast<size_t>(length), 8.0f), out(kTile * kTile);
  for (float& x : query) x = rng.normal();
  for (float& x : key) x = rng.normal();
  Work work;
  const double tiles = static_cast<double>(length / kTile);
  work.amount = 2e-9 * static_cast<double>(kTile * kTile * head_size) * tiles * (tiles + 1) / 2;
  const auto all = [&] {
    for (int64_t q = 0; q < length; q += kTile)
      for (int64_t k = 0; k <= q; k += kTile) {
        WeightTile tile;
        tile.query = query.data() + q * head_size;
        tile.key = key.data() + k * head_size;
        tile.query_stride = tile.key_stride = tile.head_size = head_size;
        tile.lse = lse.data() + q;
        tile.q_begin = q;
        tile.k_begin = k;
        tile.q_count = tile.k_count = kTile;
        tile.scale = 0.1f;
        recompute_weights(tile, out.data(), kTile);
        benchmark::DoNotOptimize(out.data());
      }
  };
  all();
  measure(state, all, work);
}

}  // namespace

void register_weight_recompute() {
  for (const int64_t length : {4096, 16384})
    add_row("weights/recompute/f32/causal/S" + std::to_string(length) + "/D64/T1",
            [length](benchmark::State& state) { recompute(state, length, 64); });
}

}  // namespace attn::bench
