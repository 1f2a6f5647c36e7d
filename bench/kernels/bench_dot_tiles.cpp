// SPDX-License-Identifier: GPL-3.0-or-later
// Scores and weighted sums of values of one tile, by bf16 dot products if the kernels can use
// them.
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/dot_tiles.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn::bench {
namespace {

constexpr int64_t kDotRows = 192, kDotKeys = 256;
constexpr int kDotRounds = 64;  // products of a run

Work dot_work(int64_t head_size) {
  Work work;
  work.amount = 2e-9 * kDotRounds * static_cast<double>(kDotRows * kDotKeys * head_size);
  work.limit = Limit::kBf16Dot;
  return work;
}

void dot_qk(benchmark::State& state, int64_t head_size) {
  const Tensor query = random_tensor(DType::kBF16, {kDotRows, head_size}, 1);
  AlignedBuffer keys(static_cast<size_t>(matrix_key_bytes(kDotKeys, head_size)));
  const Tensor rows = random_tensor(DType::kBF16, {kDotKeys, head_size}, 2);
  matrix_pack_keys(dense_rows(rows.raw(), DType::kBF16, 1, head_size), 0, 0, kDotKeys, head_size,
                   keys.data());
  Tensor scores(DType::kF32, {kDotRows, kDotKeys});
  measure(
      state,
      [&] {
        for (int i = 0; i < kDotRounds; ++i)
          dot_scores(query.raw(), kDotRows, keys.data(), 0, kDotKeys / kMatrixSide, head_size,
                     scores.data<float>(), kDotKeys);
      },
      dot_work(head_size));
}

void dot_pv(benchmark::State& state, int64_t head_size) {
  const Tensor weights = random_tensor(DType::kBF16, {kDotRows, kDotKeys}, 1);
  AlignedBuffer values(static_cast<size_t>(matrix_value_bytes(kDotKeys, head_size)));
  const Tensor rows = random_tensor(DType::kBF16, {kDotKeys, head_size}, 2);
  matrix_pack_values(dense_rows(rows.raw(), DType::kBF16, 1, head_size), 0, 0, kDotKeys, head_size,
                     values.data());
  Tensor out(DType::kF32, {kDotRows, head_size});
  measure(
      state,
      [&] {
        for (int i = 0; i < kDotRounds; ++i)
          dot_values(weights.data<BFloat16>(), kDotKeys, kDotRows, values.data(), kDotKeys, 0,
                     kDotKeys, head_size, out.data<float>(), head_size);
      },
      dot_work(head_size));
}

}  // namespace

void register_dot_tiles() {
  if (!has_bf16_unit(Bf16Unit::kDotProducts)) return;
  for (const int64_t head_size : {64, 128}) {
    add_row(fmt::format("tile/dot/qk/bf16/R{}/K{}/D{}/T1", kDotRows, kDotKeys, head_size),
            [=](benchmark::State& state) { dot_qk(state, head_size); });
    add_row(fmt::format("tile/dot/pv/bf16/R{}/K{}/D{}/T1", kDotRows, kDotKeys, head_size),
            [=](benchmark::State& state) { dot_pv(state, head_size); });
  }
}

}  // namespace attn::bench
