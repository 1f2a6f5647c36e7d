// SPDX-License-Identifier: GPL-3.0-or-later
// The next token: probabilities, tokens that are cut away or never taken, the draw, and how likely
// the tokens of a text were.
#include "engine/explore/next_token.h"

#include <gtest/gtest.h>

#include <numeric>

#include "engine/scheduler/sampler.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

std::vector<float> random_logits(Rng& rng, size_t count) {
  std::vector<float> logits(count);
  for (float& logit : logits) logit = 3 * rng.normal();
  return logits;
}

TEST(NextToken, IsTheTokenOfTheSamplerAndItsStripHasNoGap) {
  Rng rng(4);
  for (int i = 0; i < 200; ++i) {
    const std::vector<float> logits = random_logits(rng, 30);
    const SamplingParams sampling{.temperature = i % 5 == 0 ? 0.0 : 0.3 + rng.uniform(),
                                  .top_k = static_cast<int64_t>(rng.below(12)),
                                  .top_p = i % 3 == 0 ? 1.0 : 0.2 + 0.7 * rng.uniform(),
                                  .seed = rng.next()};
    const NextToken next = next_token(logits, sampling, i, 30);
    ASSERT_EQ(next.token, sample_token(logits, sampling, i));
    EXPECT_EQ(next.drawn.token, next.token);
    EXPECT_GE(next.random, next.drawn.begin - 1e-12);
    EXPECT_LT(next.random, next.drawn.end + 1e-12);
    double plain = 0, tempered = 0, probability = 0;
    int64_t left = 0;
    for (const TokenChoice& choice : next.choices) {
      plain += choice.plain;
      tempered += choice.tempered;
      probability += choice.probability;
      left += choice.cut == CutBy::kNothing;
      EXPECT_EQ(choice.cut == CutBy::kNothing, choice.probability > 0);
    }
    EXPECT_EQ(left, next.candidates);
    for (const double sum : {plain, tempered, probability}) EXPECT_NEAR(sum, 1, 1e-12);
    const double cut = next.cut_by_top_k + next.cut_by_top_p;
    if (sampling.temperature > 0) {
      EXPECT_NEAR(next.drawn.probability, next.drawn.tempered / (1 - cut), 1e-9);
    }
  }
}

TEST(NextToken, SaysWhatCutATokenAway) {
  const std::vector<float> logits{0, 4, 3, 1, 2};
  const NextToken by_k =
      next_token(logits, {.temperature = 1, .top_k = 2, .top_p = 1, .seed = 1}, 0, 5);
  EXPECT_EQ(by_k.choices[0].token, 1);
  EXPECT_EQ(by_k.choices[2].token, 4);
  EXPECT_EQ(by_k.choices[1].cut, CutBy::kNothing);
  EXPECT_EQ(by_k.choices[2].cut, CutBy::kTopK);
  EXPECT_GT(by_k.cut_by_top_k, 0);
  const NextToken by_p =
      next_token(logits, {.temperature = 1, .top_k = 4, .top_p = 0.5, .seed = 1}, 0, 5);
  EXPECT_EQ(by_p.candidates, 1);
  EXPECT_EQ(by_p.choices[1].cut, CutBy::kTopP);
  EXPECT_EQ(by_p.choices[4].cut, CutBy::kTopK);
  const NextToken greedy =
      next_token(logits, {.temperature = 0, .top_k = 0, .top_p = 1, .seed = 1}, 0, 2);
  EXPECT_EQ(greedy.choices.size(), 2u);
  EXPECT_EQ(greedy.choices[1].cut, CutBy::kTemperature0);
  EXPECT_EQ(greedy.drawn.probability, 1);
}

TEST(NextToken, SaysWhichTokensAreNeverTaken) {
  const std::vector<float> logits{0, 4, 3, 1, 2};
  const std::vector<int32_t> suppressed{1, 4};
  const NextToken next =
      next_token(logits, {.temperature = 1, .top_k = 2, .seed = 1}, 0, 5, suppressed);
  const std::vector<CutBy> cuts{CutBy::kSuppressed, CutBy::kNothing, CutBy::kSuppressed,
                                CutBy::kNothing, CutBy::kTopK};
  for (size_t i = 0; i < cuts.size(); ++i) EXPECT_EQ(next.choices[i].cut, cuts[i]) << i;
  EXPECT_EQ(next.candidates, 2);
  EXPECT_NEAR(next.suppressed, next.choices[0].tempered + next.choices[2].tempered, 1e-12);
  EXPECT_NEAR(next.drawn.probability,
              next.drawn.tempered / (1 - next.suppressed - next.cut_by_top_k), 1e-12);
  const NextToken greedy = next_token(logits, {.seed = 1}, 0, 2, suppressed);
  EXPECT_EQ(greedy.token, 2);
  EXPECT_EQ(greedy.choices[0].cut, CutBy::kSuppressed);
}

TEST(NextToken, TokensOfATextHaveTheProbabilitiesOfTheirLogits) {
  const auto model = random_toy(1);
  const ExploredRun run = run_of(model, {3, 1, 7, 2}, {}, 8);
  Pool pool;
  std::vector<PastToken> past;
  ASSERT_TRUE(
      past_tokens(*model, *run.residual, run.tokens, 0, run.num_tokens(), past, pool.execution));
  ASSERT_EQ(past.size(), run.tokens.size() - 1);
  for (size_t i = 3; i < past.size(); ++i) {
    EXPECT_EQ(past[i].position, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(past[i].rank, 0);
    const float* row = run.logits.data<float>() + static_cast<int64_t>(i - 3) * run.logits.dim(1);
    const NextToken next = next_token({row, static_cast<size_t>(run.logits.dim(1))},
                                      {.temperature = 1, .top_k = 0, .top_p = 1, .seed = 0}, 0, 1);
    EXPECT_NEAR(past[i].log_probability, std::log(next.choices[0].plain), 1e-12);
  }
}

}  // namespace
}  // namespace attn
