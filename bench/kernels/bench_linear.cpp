// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers with seven types of weights. The limit is reading memory for a single row, f32
// multiply-adds for more.
#include <fmt/format.h>

#include <cstring>

#include "bench/attention_bench.h"
#include "engine/core/rng.h"
#include "engine/model/layers/linear.h"

namespace attn::bench {
namespace {

// Quantised types get random bytes, and 0.01 in each f16 number of a block.
StoredMatrix random_weights(WeightType type, int64_t rows, int64_t columns) {
  if (type == WeightType::kF32) return StoredMatrix(random_tensor(DType::kF32, {rows, columns}, 1));
  if (type == WeightType::kF16) return StoredMatrix(random_tensor(DType::kF16, {rows, columns}, 1));
  if (type == WeightType::kBF16)
    return StoredMatrix(random_tensor(DType::kBF16, {rows, columns}, 1));
  Tensor blocks(DType::kU8, {rows, row_bytes(type, columns)});
  Rng rng(1);
  for (uint8_t& byte : blocks.span<uint8_t>()) byte = static_cast<uint8_t>(rng.below(256));
  auto* bytes = static_cast<std::byte*>(blocks.raw());
  for (size_t at = 0; at < blocks.bytes();)
    for (const BlockSection& section : layout_of(type).sections)
      for (int64_t i = 0; i < section.count; ++i, at += static_cast<size_t>(section.element_bytes))
        if (section.element_bytes == 2) {
          const Float16 scale = to_f16(0.01f);
          std::memcpy(bytes + at, &scale, sizeof(scale));
        }
  return StoredMatrix(type, {rows, columns}, std::move(blocks));
}

void linear(benchmark::State& state, WeightType type, int64_t rows, int64_t in, int64_t out,
            int threads) {
  Linear layer;
  layer.add(random_weights(type, out, in), WeightOrder::kOutIn);
  const Tensor x = random_tensor(DType::kF32, {rows, in}, 2);
  Tensor y(DType::kF32, {rows, out});
  ThreadPool pool(threads);
  Execution execution;
  execution.pool = &pool;
  Work work;
  work.threads = threads;
  work.tokens = static_cast<double>(rows);
  if (rows == 1) {
    work.counter = "achieved_gbps";
    work.limit = Limit::kRead;
    work.amount = 1e-9 * static_cast<double>(out * row_bytes(type, in));
  } else {
    work.amount = 2e-9 * static_cast<double>(rows * in * out);
  }
  measure(
      state,
      [&] {
        layer.forward(x.data<float>(), rows, y.data<float>(), false, KernelId::kLinear, execution);
      },
      work);
}

}  // namespace

void register_linear(int threads) {
  constexpr WeightType kTypes[] = {WeightType::kF32,  WeightType::kF16,  WeightType::kBF16,
                                   WeightType::kQ8_0, WeightType::kQ4_0, WeightType::kQ4_K,
                                   WeightType::kQ6_K};
  for (const int t : thread_counts(threads))
    for (const WeightType type : kTypes) {
      const char* const name = layout_of(type).name;
      // The weights take 36 to 256 MiB. If they fit the processor's caches, the rate can exceed the
      // limit.
      add_row(fmt::format("linear/{}/N1/I8192/O8192/T{}", name, t),
              [=](benchmark::State& state) { linear(state, type, 1, 8192, 8192, t); });
      for (const int64_t rows : {4, 16, 512})
        add_row(fmt::format("linear/{}/N{}/I2048/O2048/T{}", name, rows, t),
                [=](benchmark::State& state) { linear(state, type, rows, 2048, 2048, t); });
    }
}

}  // namespace attn::bench
