// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/arrivals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "engine/scheduler/request.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExponentialQuantile, IsTheLogarithm) {
  EXPECT_EQ(exponential_quantile(0), 0u);
  Rng rng(5);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t rest = std::max<uint64_t>(1, (rng.next() >> 11) >> rng.below(53));
    const auto expected = -std::log(static_cast<long double>(rest) * 0x1p-53L) * 0x1p40L;
    const auto found = static_cast<long double>(exponential_quantile((uint64_t{1} << 53) - rest));
    ASSERT_NEAR(static_cast<double>(found - expected), 0, 1) << rest;
  }
}

TEST(PoissonArrivals, AreTheSameEverywhere) {
  EXPECT_THAT(poisson_arrivals(2, 4, 11), ElementsAre(126333954, 171972038, 312663498, 605954675));
  EXPECT_EQ(poisson_arrivals(2, 1000, 3), poisson_arrivals(2, 1000, 3));
  EXPECT_NE(poisson_arrivals(2, 1000, 3), poisson_arrivals(2, 1000, 4));
  EXPECT_THAT(poisson_arrivals(2, 0, 3), IsEmpty());
}

TEST(PoissonArrivals, HaveTheRateAndTheSpreadOfAPoissonProcess) {
  const int64_t count = 200000;
  const auto times = poisson_arrivals(50, count, 9);
  ASSERT_EQ(times.size(), static_cast<size_t>(count));
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end()));
  double sum = 0, squares = 0;
  int64_t above_mean = 0;
  uint64_t before = 0;
  for (const uint64_t time : times) {
    const double gap = static_cast<double>(time - before) * 1e-9 * 50;  // in units of the mean gap
    before = time;
    sum += gap;
    squares += gap * gap;
    above_mean += gap > 1;
  }
  const double n = static_cast<double>(count);
  EXPECT_NEAR(sum / n, 1, 0.01);
  EXPECT_NEAR(squares / n, 2, 0.05);
  EXPECT_NEAR(static_cast<double>(above_mean) / n, std::exp(-1.0), 0.005);
}

TEST(PoissonArrivals, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(poisson_arrivals(0, 1, 1), Error);
  EXPECT_THROW(poisson_arrivals(std::nan(""), 1, 1), Error);
  EXPECT_THROW(poisson_arrivals(2e9, 1, 1), Error);
  EXPECT_THROW(poisson_arrivals(1, -1, 1), Error);
  EXPECT_THROW(poisson_arrivals(1, 1'000'001, 1), Error);
}

TEST(RequestMetrics, FollowTheirFormulas) {
  Request request;
  request.times.queued_ns = 100;
  RequestMetrics none = metrics_of(request.times, request.state);
  EXPECT_FALSE(none.queue_ns || none.ttft_ns || none.tpot_ns || none.e2e_ns);
  EXPECT_THAT(none.itl_ns, IsEmpty());

  request.times.scheduled_ns = 130;
  request.times.first_token_ns = 150;
  request.times.token_ns = {150};
  RequestMetrics one = metrics_of(request.times, request.state);
  EXPECT_EQ(one.queue_ns, 30u);
  EXPECT_EQ(one.ttft_ns, 50u);
  EXPECT_FALSE(one.tpot_ns || one.e2e_ns);

  request.times.token_ns = {150, 160, 190, 195};
  request.times.finished_ns = 195;
  request.times.pauses = {{165, 180, true}, {191, std::nullopt, false}};
  request.state = RequestState::kFinishedStopped;
  RequestMetrics all = metrics_of(request.times, request.state);
  EXPECT_THAT(all.itl_ns, ElementsAre(10, 30, 5));
  EXPECT_DOUBLE_EQ(*all.tpot_ns, 15);
  EXPECT_EQ(all.e2e_ns, 95u);
  EXPECT_EQ(all.paused_ns, 15u);
  request.state = RequestState::kFinishedIgnored;
  EXPECT_FALSE(metrics_of(request.times, request.state).e2e_ns);
}

TEST(Sampling, OfTheFirstSampleIsThatOfTheRequestAlone) {
  Request request;
  request.sampling.seed = 40;
  request.sampling.temperature = 0.5;
  EXPECT_EQ(sampling_of(request, 0), request.sampling);
  EXPECT_EQ(sampling_of(request, 3).seed, 43u);
  EXPECT_EQ(sampling_of(request, 3).temperature, 0.5);
}

}  // namespace
}  // namespace attn
