// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel of linear layers on one thread. The limit is reading memory for a single row, f32
// multiply-adds for 16.
#include "engine/model/weights/panel_product.h"

#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "engine/model/weights/weight_matrix.h"

namespace attn::bench {
namespace {

void panels(benchmark::State& state, DType dtype, int64_t rows, int64_t in, int64_t out) {
  const WeightMatrix weights{StoredMatrix(random_tensor(dtype, {out, in}, 1))};
  const Tensor x = random_tensor(DType::kF32, {rows, in}, 2);
  Tensor y(DType::kF32, {rows, kPanelRows});
  Work work;
  if (rows == 1) {
    work.counter = "achieved_gbps";
    work.limit = Limit::kRead;
    work.amount = 1e-9 * static_cast<double>(out * in) * static_cast<double>(size_of(dtype));
  } else {
    work.amount = 2e-9 * static_cast<double>(rows * in * out);
  }
  measure(
      state,
      [&] {
        for (int64_t i = 0; i < weights.num_panels(); ++i)
          panel_product(weights.panel(i), x.data<float>(), rows, y.data<float>());
        benchmark::DoNotOptimize(y.data<float>());
      },
      work);
}

}  // namespace

void register_panel_product() {
  for (const DType dtype : {DType::kF32, DType::kF16, DType::kBF16})
    for (const auto& [rows, size] : {std::pair<int64_t, int64_t>{1, 8192}, {16, 2048}})
      add_row(fmt::format("panel_product/{}/N{}/I{}/O{}/T1", name_of(dtype), rows, size, size),
              [dtype, rows = rows, size = size](benchmark::State& state) {
                panels(state, dtype, rows, size, size);
              });
}

}  // namespace attn::bench
