// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for benches that move or convert numbers. The rate counts bytes read and written, and the
// limit is copying memory.
#pragma once

#include <fmt/format.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/attention_bench.h"
#include "engine/core/rng.h"

namespace attn::bench {

inline constexpr int64_t kBlocks = 4096, kBlockSize = 16, kKvHeads = 8, kHeadSize = 128;
inline constexpr int64_t kTokens = 8192, kMoved = 1024;

struct Cache {
  explicit Cache(const AttentionBackend& backend, DType dtype)
      : storage(random_tensor(dtype,
                              backend.kv_cache_shape(kBlocks, kBlockSize, kKvHeads, kHeadSize), 1)),
        view{&storage, kBlocks, kBlockSize, kKvHeads, kHeadSize} {}
  Tensor storage;
  KvCacheView view;
};

inline std::vector<int64_t> shuffled(int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(1);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

inline std::vector<int64_t> shuffled_slots() {
  const std::vector<int64_t> blocks = shuffled(kBlocks);
  std::vector<int64_t> slots;
  for (int64_t i = 0; i < kTokens; ++i)
    slots.push_back(blocks[static_cast<size_t>(i / kBlockSize)] * kBlockSize + i % kBlockSize);
  return slots;
}

// bytes: read and written together.
inline Work copy_work(double bytes, int threads = 1) {
  Work work;
  work.counter = "achieved_gbps";
  work.amount = 1e-9 * bytes;
  work.limit = Limit::kCopy;
  work.threads = threads;
  return work;
}

// swap: copies the blocks to another cache; otherwise within one cache.
inline void move_blocks(benchmark::State& state, const std::string& backend_name, bool swap) {
  const AttentionBackend& backend = backend_named(backend_name);
  Cache from(backend, DType::kF32);
  Cache to(backend, DType::kF32);
  const std::vector<int64_t> blocks = shuffled(kBlocks);
  std::vector<BlockPair> pairs;
  for (size_t i = 0; i < kMoved; ++i) pairs.emplace_back(blocks[i], blocks[i + kMoved]);
  const Work work = copy_work(
      2.0 * 2 * static_cast<double>(kMoved * kBlockSize * kKvHeads * kHeadSize) * sizeof(float));
  const KvCacheView caches[] = {from.view};
  measure(
      state,
      [&] {
        if (swap)
          backend.swap_blocks(from.view, to.view, pairs);
        else
          backend.copy_blocks(caches, pairs);
      },
      work);
}

inline std::string cache_shape(int64_t tokens, int threads) {
  return fmt::format("N{}/KV{}/D{}/BS{}/T{}", tokens, kKvHeads, kHeadSize, kBlockSize, threads);
}

inline void add_move(const std::string& backend, bool swap) {
  add_row(fmt::format("{}/{}/f32/{}", swap ? "swap_blocks" : "copy_blocks", backend,
                      cache_shape(kMoved * kBlockSize, 1)),
          [backend, swap](benchmark::State& state) { move_blocks(state, backend, swap); });
}

}  // namespace attn::bench
