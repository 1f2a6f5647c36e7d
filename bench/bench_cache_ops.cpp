// SPDX-License-Identifier: GPL-3.0-or-later
// Cache operations outside attention, in the layouts of unified, xformers (which is also that of
// torch_sdpa) and pallas: writing new tokens, copying blocks, swapping them out. The rate counts
// bytes read and bytes written, and its limit is copying memory.
#include <fmt/format.h>

#include <numeric>

#include "backends/pallas/pallas_cache.h"
#include "backends/unified/backend.h"
#include "bench/attention_bench.h"
#include "engine/core/rng.h"
#include "engine/kernels/cache/cache_ops.h"
#include "engine/kernels/cache/paged_layout.h"

namespace attn::bench {
namespace {

constexpr int64_t kBlocks = 4096, kBlockSize = 16, kKvHeads = 8, kHeadSize = 128;
constexpr int64_t kTokens = 8192, kMoved = 1024;

CacheLayout layout_of(const std::string& backend, const KvCacheView& cache) {
  if (backend == "unified") return backends::unified::cache_layout(cache);
  return backend == "pallas" ? backends::pallas::cache_layout(cache) : paged_cache_layout(cache);
}

struct Cache {
  explicit Cache(const AttentionBackend& backend, DType dtype)
      : storage(random_tensor(dtype,
                              backend.kv_cache_shape(kBlocks, kBlockSize, kKvHeads, kHeadSize), 1)),
        view{&storage, kBlocks, kBlockSize, kKvHeads, kHeadSize} {}
  Tensor storage;
  KvCacheView view;
};

std::vector<int64_t> shuffled(int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(1);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

void write(benchmark::State& state, const std::string& backend, DType dtype, DType cache_dtype,
           int threads) {
  Cache cache(backend_named(backend), cache_dtype);
  const Tensor key = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 2);
  const Tensor value = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 3);
  const std::vector<int64_t> blocks = shuffled(kBlocks);
  std::vector<int64_t> slots;
  for (int64_t i = 0; i < kTokens; ++i)
    slots.push_back(blocks[static_cast<size_t>(i / kBlockSize)] * kBlockSize + i % kBlockSize);
  LayerScales scales;
  if (is_quantised(cache_dtype)) scales.k_scale = scales.v_scale = 1.0f / 16;
  if (cache_dtype == DType::kI8)
    scales.k_head_scales = scales.v_head_scales = std::vector<float>(kKvHeads, 1.0f / 16);
  CacheLayout layout = layout_of(backend, cache.view);
  apply_scales(layout, scales);
  ThreadPool pool(threads);
  Execution execution;
  execution.pool = &pool;
  Work work;
  work.counter = "achieved_gbps";
  work.amount = 2e-9 * static_cast<double>(kTokens * kKvHeads * kHeadSize) *
                static_cast<double>(size_of(dtype) + size_of(cache_dtype));
  work.limit = Limit::kCopy;
  work.threads = threads;
  work.tokens = kTokens;
  measure(
      state, [&] { cache_write(key, value, slots, layout, execution); }, work);
}

// swap: the blocks go to another cache, otherwise to other places in the same one.
void move(benchmark::State& state, const std::string& backend_name, bool swap) {
  const AttentionBackend& backend = backend_named(backend_name);
  Cache from(backend, DType::kF32);
  Cache to(backend, DType::kF32);
  const std::vector<int64_t> blocks = shuffled(kBlocks);
  std::vector<BlockPair> pairs;
  for (size_t i = 0; i < kMoved; ++i) pairs.emplace_back(blocks[i], blocks[i + kMoved]);
  Work work;
  work.counter = "achieved_gbps";
  work.amount =
      2e-9 * 2 * static_cast<double>(kMoved * kBlockSize * kKvHeads * kHeadSize) * sizeof(float);
  work.limit = Limit::kCopy;
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

std::string shape(int64_t tokens, int threads) {
  return fmt::format("N{}/KV{}/D{}/BS{}/T{}", tokens, kKvHeads, kHeadSize, kBlockSize, threads);
}

}  // namespace

void register_cache_ops(int threads) {
  const auto add_write = [](const std::string& backend, DType dtype, DType cache_dtype, int t) {
    add_row(fmt::format("cache_write/{}/{}/{}", backend, name_of(cache_dtype), shape(kTokens, t)),
            [=](benchmark::State& state) { write(state, backend, dtype, cache_dtype, t); });
  };
  for (const int t : thread_counts(threads))
    for (const char* backend : {"unified", "xformers", "pallas"})  // torch_sdpa is like xformers
      for (const DType dtype : {DType::kF32, DType::kBF16}) add_write(backend, dtype, dtype, t);
  for (const DType cache_dtype : {DType::kF8E4M3, DType::kF8E5M2, DType::kI8})
    add_write("unified", DType::kBF16, cache_dtype, 1);
  for (const char* backend : {"unified", "xformers", "pallas"})
    for (const bool swap : {false, true}) {
      if (swap && std::string(backend) == "pallas") continue;  // pallas does not swap
      add_row(fmt::format("{}/{}/f32/{}", swap ? "swap_blocks" : "copy_blocks", backend,
                          shape(kMoved * kBlockSize, 1)),
              [backend, swap](benchmark::State& state) { move(state, backend, swap); });
    }
}

}  // namespace attn::bench
