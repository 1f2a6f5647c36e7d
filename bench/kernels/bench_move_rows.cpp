// SPDX-License-Identifier: GPL-3.0-or-later
// Moving rows of keys or values into the cache of unified by move_rows(); keys are transposed.
#include "backends/unified/backend.h"
#include "bench/kernels/cache_bench.h"
#include "engine/kernels/cache/move_rows.h"

namespace attn::bench {
namespace {

void move_tokens(benchmark::State& state, DType dtype, bool keys) {
  Cache cache(backend_named("unified"), dtype);
  const CacheLayout layout = backends::unified::cache_layout(cache.view);
  const KvSource& target = keys ? layout.keys : layout.values;
  const Tensor rows = random_tensor(dtype, {kTokens, kKvHeads, kHeadSize}, 2);
  const auto* from = static_cast<const std::byte*>(rows.raw());
  const size_t row_bytes = static_cast<size_t>(kHeadSize) * size_of(dtype);
  const size_t row_stride = static_cast<size_t>(kKvHeads) * row_bytes;
  const std::vector<int64_t> slots = shuffled_slots();
  const LineWrite how = line_write(rows.bytes());
  measure(
      state,
      [&] {
        for (int64_t t = 0; t < kTokens; t += kMovedTokens)
          for (int64_t head = 0; head < kKvHeads; ++head)
            move_rows(
                from + static_cast<size_t>(t) * row_stride + static_cast<size_t>(head) * row_bytes,
                row_stride, kMovedTokens, target,
                target.slot_row(slots[static_cast<size_t>(t)], head), kHeadSize, how);
        end_moves(how);
      },
      copy_work(2.0 * static_cast<double>(rows.bytes())));
}

}  // namespace

void register_move_rows() {
  for (const bool keys : {true, false})
    for (const DType dtype : {DType::kF32, DType::kBF16})
      add_row(fmt::format("move_rows/{}/{}/{}", keys ? "transposed" : "rows", name_of(dtype),
                          cache_shape(kTokens, 1)),
              [=](benchmark::State& state) { move_tokens(state, dtype, keys); });
}

}  // namespace attn::bench
