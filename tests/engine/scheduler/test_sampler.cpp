// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "tests/engine/model/expect_error.h"

namespace attn {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Sampler, GreedyTakesTheLowestIdAmongEquals) {
  EXPECT_EQ(sample_token(std::vector<float>{1, 3, 3, 2}, {}, 0), 1);
  EXPECT_EQ(sample_token(std::vector<float>{-5}, {}, 0), 0);
  EXPECT_EQ(sample_token(std::vector<float>{0, -0.0f, 0}, {}, 7), 0);
}

TEST(Sampler, FirstBadLogit) {
  EXPECT_EQ(first_bad_logit(std::vector<float>{-kInf, 3, -1e30f}), -1);
  EXPECT_EQ(first_bad_logit(std::vector<float>{1, kNan, kInf}), 1);
  EXPECT_EQ(first_bad_logit(std::vector<float>{1, kInf}), 1);
}

TEST(Sampler, NanAndInfinities) {
  for (const double temperature : {0.0, 1.0}) {
    const SamplingParams sampling{.temperature = temperature};
    EXPECT_EQ(sample_token(std::vector<float>{kNan, -kInf, -100, kNan}, sampling, 0), 2);
    EXPECT_EQ(sample_token(std::vector<float>{kNan, 5, kInf, 90}, sampling, 0), 2);
    EXPECT_EQ(sample_token(std::vector<float>{kNan, kNan}, sampling, 0), 0);
    EXPECT_EQ(sample_token(std::vector<float>{-kInf, -kInf}, sampling, 0), 0);
  }
  std::map<int32_t, int> seen;
  for (int64_t position = 0; position < 200; ++position)
    ++seen[sample_token(std::vector<float>{kInf, 3, kInf}, {.temperature = 1}, position)];
  EXPECT_EQ(seen.size(), 2u);
  EXPECT_GT(seen[0], 60);
  EXPECT_GT(seen[2], 60);
}

// Draws kDraws tokens and compares their frequencies with `expected` by Pearson's chi-squared.
void expect_distribution(const std::vector<float>& logits, const SamplingParams& sampling,
                         const std::vector<double>& expected) {
  constexpr int kDraws = 20000;
  std::vector<int> seen(logits.size());
  for (int64_t position = 0; position < kDraws; ++position)
    ++seen[static_cast<size_t>(sample_token(logits, sampling, position))];
  double chi_squared = 0;
  int freedom = -1;
  for (size_t i = 0; i < logits.size(); ++i) {
    if (expected[i] == 0) {
      EXPECT_EQ(seen[i], 0) << "token " << i;
      continue;
    }
    const double wanted = kDraws * expected[i];
    chi_squared += (seen[i] - wanted) * (seen[i] - wanted) / wanted;
    ++freedom;
  }
  // The limit is at least six standard deviations above the mean. Every run draws the same tokens.
  EXPECT_LT(chi_squared, freedom + 6 * std::sqrt(2.0 * freedom + 1));
}

std::vector<double> softmax(const std::vector<double>& weights) {
  double total = 0;
  for (const double w : weights) total += w;
  std::vector<double> out;
  for (const double w : weights) out.push_back(w / total);
  return out;
}

TEST(Sampler, DrawsTheStatedDistribution) {
  // Weights 16, 8, 4, 2, 1 at temperature 1, not in order.
  const auto ln = [](double x) { return static_cast<float>(std::log(x)); };
  const std::vector<float> logits = {ln(2), ln(16), ln(1), ln(8), ln(4)};
  expect_distribution(logits, {.temperature = 1}, softmax({2, 16, 1, 8, 4}));
  expect_distribution(logits, {.temperature = 1, .seed = 99}, softmax({2, 16, 1, 8, 4}));
  expect_distribution(logits, {.temperature = 2}, softmax({std::sqrt(2), 4, 1, std::sqrt(8), 2}));
  expect_distribution(logits, {.temperature = 1, .top_k = 3}, softmax({0, 16, 0, 8, 4}));
  expect_distribution(logits, {.temperature = 1, .top_k = 5}, softmax({2, 16, 1, 8, 4}));
  expect_distribution(logits, {.temperature = 1, .top_k = 1}, softmax({0, 1, 0, 0, 0}));
  // Cumulative probabilities: 16/31 = 0.516, 24/31 = 0.774, 28/31 = 0.903
  expect_distribution(logits, {.temperature = 1, .top_p = 0.5}, softmax({0, 1, 0, 0, 0}));
  expect_distribution(logits, {.temperature = 1, .top_p = 0.6}, softmax({0, 16, 0, 8, 0}));
  expect_distribution(logits, {.temperature = 1, .top_p = 0.9}, softmax({0, 16, 0, 8, 4}));
  // top_p applies to the tokens that top_k keeps: 16/28 = 0.571, 24/28 = 0.857
  expect_distribution(logits, {.temperature = 1, .top_k = 3, .top_p = 0.85},
                      softmax({0, 16, 0, 8, 0}));
  expect_distribution(logits, {.temperature = 1, .top_p = 1e-9}, softmax({0, 1, 0, 0, 0}));
  expect_distribution(logits, {.temperature = 1e-9}, softmax({0, 1, 0, 0, 0}));
}

TEST(Sampler, NeverTakesSuppressedTokens) {
  const std::vector<float> logits = {0, 5, 1, 4, 5};
  const std::vector<int32_t> suppressed = {1, 4};
  EXPECT_EQ(sample_token(logits, {}, 0), 1);
  EXPECT_EQ(sample_token(logits, {}, 0, suppressed), 3);
  std::vector<float> without = logits;
  without[1] = without[4] = -kInf;
  for (int64_t position = 0; position < 200; ++position)
    for (const SamplingParams& sampling :
         {SamplingParams{.temperature = 3}, SamplingParams{.temperature = 3, .top_k = 2},
          SamplingParams{.temperature = 3, .top_p = 0.8}})
      EXPECT_EQ(sample_token(logits, sampling, position, suppressed),
                sample_token(without, sampling, position));
  const std::vector<SampledToken> all = best_tokens(logits, 4),
                                  best = best_tokens(logits, 4, suppressed);
  ASSERT_EQ(all[2].token, 3);
  EXPECT_EQ(best[0].token, 3);
  EXPECT_EQ(best[0].logprob, all[2].logprob);
  EXPECT_EQ(best[1].token, 2);
  EXPECT_EQ(best[3].token, kNoToken);
  EXPECT_EQ(sample_token(std::vector<float>{3, 2}, {}, 0, std::vector<int32_t>{0, 1}), 0);
}

TEST(Sampler, EqualLogitsKeepTheLowestIds) {
  expect_distribution({1, 1, 1, 1}, {.temperature = 1, .top_k = 2}, {0.5, 0.5, 0, 0});
  expect_distribution({1, 1, 1, 1}, {.temperature = 1, .top_p = 0.5}, {0.5, 0.5, 0, 0});
}

TEST(Sampler, TheDrawDependsOnSeedAndPositionOnly) {
  const std::vector<float> logits(1000, 0.0f);
  const auto draw = [&](uint64_t seed, int64_t position) {
    return sample_token(logits, {.temperature = 1, .seed = seed}, position);
  };
  EXPECT_EQ(draw(5, 17), draw(5, 17));
  int same_seed = 0, same_position = 0, shifted = 0;
  for (int64_t i = 0; i < 300; ++i) {
    same_seed += draw(5, i) == draw(5, i + 1);
    same_position += draw(static_cast<uint64_t>(i), 3) == draw(static_cast<uint64_t>(i) + 1, 3);
    shifted += draw(static_cast<uint64_t>(i), 3) == draw(static_cast<uint64_t>(i) + 1, 2);
  }
  EXPECT_LT(same_seed + same_position + shifted, 10);
}

TEST(Sampler, RefusesParametersOutOfRange) {
  const std::vector<float> logits(4);
  const auto refused = [&](const SamplingParams& sampling, const char* where) {
    expect_refused({ErrorCode::kBadInput, "out of range", where, "", ""},
                   [&] { sample_token(logits, sampling, 0); });
  };
  refused({.temperature = -1}, "temperature");
  refused({.temperature = kNan}, "temperature");
  refused({.temperature = 101}, "temperature");
  refused({.temperature = 1, .top_k = -1}, "top_k");
  refused({.temperature = 1, .top_p = 0}, "top_p");
  refused({.temperature = 1, .top_p = 1.01}, "top_p");
  expect_refused({ErrorCode::kBadInput, "no logits", "", "0", ""}, [] { sample_token({}, {}, 0); });
}

}  // namespace
}  // namespace attn
