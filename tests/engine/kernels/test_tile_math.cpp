// SPDX-License-Identifier: GPL-3.0-or-later
// The micro-kernels, per Highway target: e^x and 2^x compared with the C library in fp64, dot
// products compared with score_dot bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/core/rng.h"
#include "engine/kernels/weight_recompute.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/engine/kernels/test_tile_math.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/tiles/tile_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

void ExpMany(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = ExpScalar(x[i]);
}
void Exp2Many(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = Exp2Scalar(x[i]);
}

void ScoreMany(const float* query, const float* key, int64_t head_size, float* panel,
               float* scores) {
  KvSource keys = dense_rows(key, DType::kF32, 1, head_size);
  PackKeys(keys, 0, 0, kKeyPanel, head_size, panel);
  Scores(query, head_size, 7, panel, 1, head_size, scores, kKeyPanel);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(ExpMany);
HWY_EXPORT(Exp2Many);
HWY_EXPORT(ScoreMany);

// The distance to the exact value, in units in the last place of the float nearest to that.
double ulps(float found, double exact) {
  const auto nearest = static_cast<float>(exact);
  const float next = std::nextafter(std::abs(nearest), std::numeric_limits<float>::infinity());
  return std::abs(found - exact) / (static_cast<double>(next) - std::abs(nearest));
}

class MicroKernels : public ::testing::TestWithParam<int64_t> {};

struct Exponential {
  void (*many)(const float* x, float* y, int64_t count);
  double (*exact)(double x);
  float of_one;
};
const Exponential kExponentials[] = {{[](const float* x, float* y, int64_t count) {
                                        HWY_DYNAMIC_DISPATCH(ExpMany)
                                        (x, y, count);
                                      },
                                      [](double x) { return std::exp(x); }, 2.7182818f},
                                     {[](const float* x, float* y, int64_t count) {
                                        HWY_DYNAMIC_DISPATCH(Exp2Many)
                                        (x, y, count);
                                      },
                                      [](double x) { return std::exp2(x); }, 2.0f}};

TEST_P(MicroKernels, AtMostOneUlp) {
  hwy::SetSupportedTargetsForTest(GetParam());
  std::vector<float> x, y;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (!std::isnan(value)) x.push_back(value);
  }
  y.resize(x.size());
  for (const Exponential& function : kExponentials) {
    double worst = 0;
    float worst_at = 0;
    function.many(x.data(), y.data(), static_cast<int64_t>(x.size()));
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = function.exact(double{x[i]});
      if (exact > std::numeric_limits<float>::max()) {
        ASSERT_EQ(y[i], std::numeric_limits<float>::infinity()) << x[i];
      } else if (const double u = ulps(y[i], exact); u > worst) {
        worst = u;
        worst_at = x[i];
      }
    }
    EXPECT_LE(worst, 1.0) << "at " << worst_at;
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_P(MicroKernels, SpecialValues) {
  hwy::SetSupportedTargetsForTest(GetParam());
  const float inf = std::numeric_limits<float>::infinity();
  const float x[] = {0.0f,    -0.0f, -inf, inf, std::numeric_limits<float>::quiet_NaN(),
                     -200.0f, 1.0f};
  for (const Exponential& function : kExponentials) {
    float y[7];
    function.many(x, y, 7);
    EXPECT_EQ(y[0], 1.0f);
    EXPECT_EQ(y[1], 1.0f);
    EXPECT_EQ(y[2], 0.0f);
    EXPECT_FALSE(std::signbit(y[2]));
    EXPECT_EQ(y[3], inf);
    EXPECT_TRUE(std::isnan(y[4]));
    EXPECT_EQ(y[5], 0.0f);
    EXPECT_FLOAT_EQ(y[6], function.of_one);
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_P(MicroKernels, ScoreDotHasTheBitsOfTheKernels) {
  hwy::SetSupportedTargetsForTest(GetParam());
  Rng rng(11);
  for (const int64_t head_size : {1, 31, 64, 120}) {
    Tensor query(DType::kF32, {7, head_size}), key(DType::kF32, {kKeyPanel, head_size});
    Tensor panel(DType::kF32, {head_size, kKeyPanel}), scores(DType::kF32, {7, kKeyPanel});
    for (float& x : query.span<float>()) x = rng.normal();
    for (float& x : key.span<float>()) x = rng.normal();
    HWY_DYNAMIC_DISPATCH(ScoreMany)
    (query.data<float>(), key.data<float>(), head_size, panel.data<float>(), scores.data<float>());
    for (int64_t q = 0; q < 7; ++q)
      for (int64_t k = 0; k < kKeyPanel; ++k)
        ASSERT_EQ(std::bit_cast<uint32_t>(scores.data<float>()[q * kKeyPanel + k]),
                  std::bit_cast<uint32_t>(score_dot(query.data<float>() + q * head_size,
                                                    key.data<float>() + k * head_size, head_size)));
  }
  hwy::SetSupportedTargetsForTest(0);
}

std::vector<int64_t> compiled_targets() {
  std::vector<int64_t> targets;
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
    targets.push_back(rest & -rest);
  return targets;
}

INSTANTIATE_TEST_SUITE_P(Targets, MicroKernels, ::testing::ValuesIn(compiled_targets()),
                         [](const auto& param_info) { return hwy::TargetName(param_info.param); });

}  // namespace
}  // namespace attn
#endif  // HWY_ONCE
