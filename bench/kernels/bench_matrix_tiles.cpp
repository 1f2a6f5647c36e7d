// SPDX-License-Identifier: GPL-3.0-or-later
// Scores and weighted sums of values of one tile, in the matrix unit if there is one.
#include <fmt/format.h>

#include "bench/attention_bench.h"
#include "engine/kernels/tiles/bf16_unit.h"
#include "engine/kernels/tiles/matrix_tiles.h"

namespace attn::bench {
namespace {

constexpr int64_t kMatrixRows = 192, kMatrixKeys = 256;
constexpr int kMatrixRounds = 64;  // products of a run

Work matrix_work(int64_t head_size) {
  Work work;
  work.amount = 2e-9 * kMatrixRounds * static_cast<double>(kMatrixRows * kMatrixKeys * head_size);
  work.limit = Limit::kBf16Matrix;
  return work;
}

void matrix_qk(benchmark::State& state, int64_t head_size) {
  const Tensor query = random_tensor(DType::kBF16, {kMatrixRows, head_size}, 1);
  AlignedBuffer keys(static_cast<size_t>(matrix_key_bytes(kMatrixKeys, head_size)));
  const Tensor rows = random_tensor(DType::kBF16, {kMatrixKeys, head_size}, 2);
  matrix_pack_keys(dense_rows(rows.raw(), DType::kBF16, 1, head_size), 0, 0, kMatrixKeys, head_size,
                   keys.data());
  Tensor scores(DType::kF32, {kMatrixRows, kMatrixKeys});
  measure(
      state,
      [&] {
        const MatrixSession session(true);
        for (int i = 0; i < kMatrixRounds; ++i)
          matrix_scores(query.raw(), kMatrixRows, keys.data(), 0, kMatrixKeys / kMatrixSide,
                        head_size, scores.data<float>(), kMatrixKeys);
      },
      matrix_work(head_size));
}

void matrix_pv(benchmark::State& state, int64_t head_size) {
  const Tensor weights = random_tensor(DType::kBF16, {kMatrixRows, kMatrixKeys}, 1);
  AlignedBuffer values(static_cast<size_t>(matrix_value_bytes(kMatrixKeys, head_size)));
  const Tensor rows = random_tensor(DType::kBF16, {kMatrixKeys, head_size}, 2);
  matrix_pack_values(dense_rows(rows.raw(), DType::kBF16, 1, head_size), 0, 0, kMatrixKeys,
                     head_size, values.data());
  Tensor out(DType::kF32, {kMatrixRows, head_size});
  measure(
      state,
      [&] {
        const MatrixSession session(true);
        for (int i = 0; i < kMatrixRounds; ++i)
          matrix_values(weights.data<BFloat16>(), kMatrixKeys, kMatrixRows, values.data(),
                        kMatrixKeys, 0, kMatrixKeys, head_size, out.data<float>(), head_size);
      },
      matrix_work(head_size));
}

}  // namespace

void register_matrix_tiles() {
  if (!has_bf16_unit(Bf16Unit::kMatrix)) return;
  for (const int64_t head_size : {64, 128}) {
    add_row(fmt::format("tile/matrix/qk/bf16/R{}/K{}/D{}/T1", kMatrixRows, kMatrixKeys, head_size),
            [=](benchmark::State& state) { matrix_qk(state, head_size); });
    add_row(fmt::format("tile/matrix/pv/bf16/R{}/K{}/D{}/T1", kMatrixRows, kMatrixKeys, head_size),
            [=](benchmark::State& state) { matrix_pv(state, head_size); });
  }
}

}  // namespace attn::bench
