// SPDX-License-Identifier: GPL-3.0-or-later
// Linear layers: many rows, with f32 multiply-adds as limit, and a single row, with reading the
// weights as limit.
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "engine/model/layers/linear.h"

namespace attn::bench {
namespace {

void linear(benchmark::State& state, int64_t rows, int64_t in, int64_t out, int threads) {
  Linear layer(in, out);
  layer.set_weight(0, random_tensor(DType::kF32, {out, in}, 1));
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
    work.amount = 4e-9 * static_cast<double>(in * out);
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
  for (const int t : thread_counts(threads)) {
    // 256 MiB of weights: more than the caches of most processors. A server with a larger L3 may
    // keep them there; the rate can then exceed the limit, which is that of reading memory.
    add_row(fmt::format("linear/onednn/f32/N1/I8192/O8192/T{}", t),
            [t](benchmark::State& state) { linear(state, 1, 8192, 8192, t); });
    for (const int64_t rows : {8, 512})
      for (const int64_t size : {512, 2048})
        add_row(fmt::format("linear/onednn/f32/N{0}/I{1}/O{1}/T{2}", rows, size, t),
                [=](benchmark::State& state) { linear(state, rows, size, size, t); });
  }
}

}  // namespace attn::bench
