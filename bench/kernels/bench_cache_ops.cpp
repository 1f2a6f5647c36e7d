// SPDX-License-Identifier: GPL-3.0-or-later
// Cache writes in the layouts of unified, xformers and pallas; copies and swaps of blocks with
// unified and xformers.
#include "backends/pallas/pallas_cache.h"
#include "backends/unified/backend.h"
#include "bench/kernels/cache_bench.h"
#include "engine/kernels/cache/cache_ops.h"
#include "engine/kernels/cache/paged_layout.h"

namespace attn::bench {
namespace {

CacheLayout layout_of(const std::string& backend, const KvCacheView& cache) {
  if (backend == "unified") return backends::unified::cache_layout(cache);
  return backend == "pallas" ? backends::pallas::cache_layout(cache) : paged_cache_layout(cache);
}

void write_tokens(benchmark::State& state, const std::string& backend, DType dtype,
                  DType cache_dtype, int threads) {
  Cache cache(backend_named(backend), cache_dtype);
  const Tensor key = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 2);
  const Tensor value = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 3);
  const std::vector<int64_t> slots = shuffled_slots();
  LayerScales scales;
  if (is_quantised(cache_dtype)) scales.k_scale = scales.v_scale = 1.0f / 16;
  if (cache_dtype == DType::kI8)
    scales.k_head_scales = scales.v_head_scales = std::vector<float>(kKvHeads, 1.0f / 16);
  CacheLayout layout = layout_of(backend, cache.view);
  apply_scales(layout, scales);
  ThreadPool pool(threads);
  Execution execution;
  execution.pool = &pool;
  Work work = copy_work(2.0 * static_cast<double>(kTokens * kKvHeads * kHeadSize) *
                            static_cast<double>(size_of(dtype) + size_of(cache_dtype)),
                        threads);
  work.tokens = kTokens;
  measure(
      state, [&] { cache_write(key, value, slots, layout, execution); }, work);
}

}  // namespace

void register_cache_ops(int threads) {
  const auto add_write = [](const std::string& backend, DType dtype, DType cache_dtype, int t) {
    add_row(
        fmt::format("cache_write/{}/{}/{}", backend, name_of(cache_dtype), cache_shape(kTokens, t)),
        [=](benchmark::State& state) { write_tokens(state, backend, dtype, cache_dtype, t); });
  };
  for (const int t : thread_counts(threads))
    for (const char* backend : {"unified", "xformers", "pallas"})  // torch_sdpa is like xformers
      for (const DType dtype : {DType::kF32, DType::kBF16}) add_write(backend, dtype, dtype, t);
  for (const DType cache_dtype : {DType::kF8E4M3, DType::kF8E5M2, DType::kI8})
    add_write("unified", DType::kBF16, cache_dtype, 1);
  for (const char* backend : {"unified", "xformers"})
    for (const bool swap : {false, true}) add_move(backend, swap);
}

}  // namespace attn::bench
