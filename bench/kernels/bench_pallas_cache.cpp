// SPDX-License-Identifier: GPL-3.0-or-later
// Writing new tokens by the index of their rows, and copying blocks, in the cache of pallas.
#include "backends/pallas/pallas_cache.h"
#include "bench/kernels/cache_bench.h"

namespace attn::bench {
namespace {

void copy_rows(benchmark::State& state, DType dtype, int threads) {
  Cache cache(backend_named("pallas"), dtype);
  const Tensor key = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 2);
  const Tensor value = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 3);
  const std::vector<int64_t> rows = backends::pallas::flat_rows(shuffled_slots(), cache.view);
  ThreadPool pool(threads);
  Execution execution;
  execution.pool = &pool;
  Work work = copy_work(2.0 * static_cast<double>(key.bytes() + value.bytes()), threads);
  work.tokens = kTokens;
  measure(
      state, [&] { backends::pallas::index_copy(key, value, 0, rows, cache.view, execution); },
      work);
}

}  // namespace

void register_pallas_cache(int threads) {
  for (const int t : thread_counts(threads))
    for (const DType dtype : {DType::kF32, DType::kBF16})
      add_row(fmt::format("index_copy/pallas/{}/{}", name_of(dtype), cache_shape(kTokens, t)),
              [=](benchmark::State& state) { copy_rows(state, dtype, t); });
  add_move("pallas", false);  // pallas does not swap
}

}  // namespace attn::bench
