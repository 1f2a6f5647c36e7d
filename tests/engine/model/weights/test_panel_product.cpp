// SPDX-License-Identifier: GPL-3.0-or-later
// That a linear layer with weights of any type, also a quantised one, gives the bits of the layer
// with the same numbers as f32.
#include "engine/model/weights/panel_product.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "engine/model/layers/linear.h"
#include "tests/engine/model/weights/random_matrix.h"

namespace attn {
namespace {

class WeightProducts : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

TEST_P(WeightProducts, HaveTheBitsOfTheNumbersAsF32) {
  ThreadPool pool(2);
  Execution execution;
  execution.pool = &pool;
  Rng rng(5);
  for (const WeightType type : kWeightTypes)
    for (const auto& sizes : sizes_of(type)) {
      const int64_t out = sizes.first, in = sizes.second;
      const Matrix stored = random_matrix(type, out, in, 2);
      const WeightMatrix kept(stored.stored());
      constexpr int64_t kRows = 15;
      std::vector<float> x(static_cast<size_t>(kRows * in));
      for (float& value : x) value = rng.normal();
      const auto product = [&](const StoredMatrix& weights, int64_t first, int64_t rows) {
        Linear linear;
        linear.add(weights, WeightOrder::kOutIn);
        std::vector<float> y(static_cast<size_t>(rows * out));
        EXPECT_TRUE(linear.forward(x.data() + first * in, rows, y.data(), false, KernelId::kLinear,
                                   execution));
        return y;
      };
      const std::vector<float> expected = product(StoredMatrix(widened(stored)), 0, kRows);
      for (int64_t n = 0; n < out; ++n) {
        double sum = 0, size = 1e-6;
        for (int64_t k = 0; k < in; ++k) {
          const double term = double{x[static_cast<size_t>(k)]} * double{kept.at(n, k)};
          sum += term;
          size += std::abs(term);
        }
        ASSERT_NEAR(expected[static_cast<size_t>(n)], sum, 1e-5 * size) << layout_of(type).name;
        if (n > 3) break;  // a few are enough
      }
      for (const int64_t rows : {1, 2, 3, 4, 5, 7, 15}) {
        const std::vector<float> y = product(stored.stored(), kRows - rows, rows);
        ASSERT_EQ(std::memcmp(y.data(), expected.data() + (kRows - rows) * out, y.size() * 4), 0)
            << layout_of(type).name << " [" << out << ", " << in << "], " << rows << " rows";
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, WeightProducts,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& target) { return hwy::TargetName(target.param); });

}  // namespace
}  // namespace attn
