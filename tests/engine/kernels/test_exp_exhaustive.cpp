// SPDX-License-Identifier: GPL-3.0-or-later
// Compares 2^x and e^x of the 2^32 floats, per Highway target, with the C library in fp64: at most
// 1 unit in the last place off. test_tile_math.cpp checks a sample.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <vector>

#include "engine/core/thread_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/engine/kernels/test_exp_exhaustive.cpp"
#include "hwy/foreach_target.h"  // must precede hwy/highway.h

#include "hwy/highway.h"

#include "engine/kernels/tiles/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attn {
namespace HWY_NAMESPACE {

void ExpRun(const float* x, float* y, int64_t count) {
  const DF d;
  for (int64_t i = 0; i < count; i += kLanes) hn::StoreU(Exp(d, hn::LoadU(d, x + i)), d, y + i);
}
void Exp2Run(const float* x, float* y, int64_t count) {
  const DF d;
  for (int64_t i = 0; i < count; i += kLanes) hn::StoreU(Exp2(d, hn::LoadU(d, x + i)), d, y + i);
}

}  // namespace HWY_NAMESPACE
}  // namespace attn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attn {
namespace {

HWY_EXPORT(ExpRun);
HWY_EXPORT(Exp2Run);

constexpr int64_t kChunk = 1 << 16;

struct Worst {
  double ulps = 0;
  float at = 0;
  int64_t wrong = 0;
};

void check(float x, double exact, float found, Worst& worst) {
  if (std::isnan(x)) {
    worst.wrong += !std::isnan(found);
    return;
  }
  if (exact > std::numeric_limits<float>::max()) {
    worst.wrong += found != std::numeric_limits<float>::infinity();
    return;
  }
  const auto nearest = static_cast<float>(exact);
  const float next = std::nextafter(nearest, std::numeric_limits<float>::infinity());
  const double ulps = std::abs(found - exact) / (static_cast<double>(next) - nearest);
  if (!(ulps <= worst.ulps)) {
    worst.ulps = ulps;
    worst.at = x;
  }
}

class ExpExhaustive : public ::testing::TestWithParam<int64_t> {};

// run: computes kChunk floats; exact: computes one in fp64.
template <class Run, class Exact>
void check_all(Run&& run, Exact&& exact) {
  ThreadPool pool(ThreadPool::hardware_workers());
  std::vector<Worst> worsts(static_cast<size_t>(pool.num_workers()));
  pool.parallel_for(
      (int64_t{1} << 32) / kChunk, TaskOrder::kDynamic, [&](int64_t task, int worker) {
        std::vector<float> x(kChunk), y(kChunk);
        for (int64_t i = 0; i < kChunk; ++i)
          x[static_cast<size_t>(i)] =
              std::bit_cast<float>(static_cast<uint32_t>(task * kChunk + i));
        run(x.data(), y.data());
        for (size_t i = 0; i < x.size(); ++i)
          check(x[i], exact(static_cast<double>(x[i])), y[i], worsts[static_cast<size_t>(worker)]);
      });
  for (const Worst& worst : worsts) {
    std::cout << "worst " << worst.ulps << " ulp at " << worst.at << "\n";
    EXPECT_LE(worst.ulps, 1.0) << "at " << worst.at;
    EXPECT_EQ(worst.wrong, 0);
  }
}

TEST_P(ExpExhaustive, PowerOfTwoIsAtMostOneUlpOff) {
  hwy::SetSupportedTargetsForTest(GetParam());
  check_all(
      [](const float* x, float* y) {
        HWY_DYNAMIC_DISPATCH(Exp2Run)
        (x, y, kChunk);
      },
      [](double x) { return std::exp2(x); });
  hwy::SetSupportedTargetsForTest(0);
}

TEST_P(ExpExhaustive, ExpIsAtMostOneUlpOff) {
  hwy::SetSupportedTargetsForTest(GetParam());
  check_all(
      [](const float* x, float* y) {
        HWY_DYNAMIC_DISPATCH(ExpRun)
        (x, y, kChunk);
      },
      [](double x) { return std::exp(x); });
  hwy::SetSupportedTargetsForTest(0);
}

std::vector<int64_t> compiled_targets() {
  std::vector<int64_t> targets;
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
    targets.push_back(rest & -rest);
  return targets;
}

INSTANTIATE_TEST_SUITE_P(Targets, ExpExhaustive, ::testing::ValuesIn(compiled_targets()),
                         [](const auto& test) { return hwy::TargetName(test.param); });

}  // namespace
}  // namespace attn
#endif  // HWY_ONCE
