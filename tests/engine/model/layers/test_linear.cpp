// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/layers/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/core/rng.h"
#include "tests/engine/model/layers/layer_golden.h"

namespace attn {
namespace {

TEST(Linear, EqualsPlainSumsAndRowsStandAlone) {
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Rng rng(3);
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{1, 1},
                                {7, 5},
                                {48, 97},
                                {288, 192},
                                {500, 300},
                                {768, 96},
                                {1100, 33}}) {
    Tensor weight(DType::kF32, {out, in});
    for (float& w : weight.span<float>()) w = rng.normal();
    Linear linear;
    linear.add(StoredMatrix(convert(weight, DType::kF32)), WeightOrder::kOutIn);
    constexpr int64_t kRows = 150;
    std::vector<float> x(static_cast<size_t>(kRows * in)),
        all(static_cast<size_t>(kRows * out), 0.5f);
    for (float& value : x) value = rng.normal();
    ASSERT_TRUE(linear.forward(x.data(), kRows, all.data(), true, KernelId::kLinear, execution));
    for (int64_t row = 0; row < kRows; row += 7)
      for (int64_t n = 0; n < out; ++n) {
        double sum = 0.5, size = 0.5;
        for (int64_t k = 0; k < in; ++k) {
          const double term =
              double{x[static_cast<size_t>(row * in + k)]} * weight.data<float>()[n * in + k];
          sum += term;
          size += std::abs(term);
        }
        ASSERT_NEAR(all[static_cast<size_t>(row * out + n)], sum, 4e-7 * size)
            << in << " -> " << out;
      }
    for (const int64_t rows : {1, 2, 4, 5, 7, 12, 64, 131, 133}) {
      const int64_t first =
          static_cast<int64_t>(rng.below(static_cast<uint64_t>(kRows - rows + 1)));
      std::vector<float> part(static_cast<size_t>(rows * out), 0.5f);
      ASSERT_TRUE(linear.forward(x.data() + first * in, rows, part.data(), true, KernelId::kLinear,
                                 execution));
      ASSERT_EQ(std::memcmp(part.data(), all.data() + first * out, part.size() * sizeof(float)), 0)
          << in << " -> " << out << ", " << rows << " rows from " << first;
    }
  }
}

// Conv1D of transformers stores a weight [in, out]. A product has the same bits if the weight is
// stored [out, in].
TEST(Linear, BiasAndEitherOrderOfAxes) {
  LayerRun run;
  const Tensor weight = run.golden.read("conv1d_weight"), bias = run.golden.read("conv1d_bias"),
               x = run.golden.read("x"), expected = run.golden.read("conv1d");
  const int64_t in = weight.dim(0), out = weight.dim(1), rows = x.dim(0), first = 50;
  const auto part_of_weight = [&](int64_t begin, int64_t end, WeightOrder order) {
    const bool out_first = order == WeightOrder::kOutIn;
    Tensor part(DType::kF32, out_first ? Shape{end - begin, in} : Shape{in, end - begin});
    for (int64_t n = begin; n < end; ++n)
      for (int64_t k = 0; k < in; ++k)
        part.data<float>()[out_first ? (n - begin) * in + k : k * (end - begin) + n - begin] =
            weight.data<float>()[k * out + n];
    return part;
  };
  std::vector<float> before;
  for (const WeightOrder order : {WeightOrder::kOutIn, WeightOrder::kInOut}) {
    Linear linear;
    linear.add(StoredMatrix(part_of_weight(0, first, order)), order);
    linear.add(StoredMatrix(part_of_weight(first, out, order)), order);
    linear.set_bias(0, bias);
    std::vector<float> y(static_cast<size_t>(rows * out));
    ASSERT_TRUE(
        linear.forward(x.data<float>(), rows, y.data(), false, KernelId::kLinear, run.execution));
    for (size_t i = 0; i < y.size(); ++i) {
      const float e = expected.span<float>()[i];
      ASSERT_NEAR(y[i], e, 2e-6 * (100 + std::abs(e))) << i;
    }
    if (before.empty()) before = y;
    EXPECT_EQ(std::memcmp(before.data(), y.data(), y.size() * sizeof(float)), 0);
    std::vector<float> sum(y.size(), 2.0f);
    ASSERT_TRUE(
        linear.forward(x.data<float>(), rows, sum.data(), true, KernelId::kLinear, run.execution));
    for (size_t i = 0; i < y.size(); ++i) ASSERT_NEAR(sum[i], y[i] + 2.0f, 1e-4) << i;
  }
}

}  // namespace
}  // namespace attn
