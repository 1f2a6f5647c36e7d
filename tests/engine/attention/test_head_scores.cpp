// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/scores/head_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attn {
namespace {

using ::testing::ElementsAre;

HeadRow causal_row(int64_t query, const RepeatedTokens& repeated) {
  HeadRow row;
  row.query = query;
  row.visible = query + 1;
  row.first_key = query > 0 ? 0 : -1;
  row.previous_key = query - 1;
  row.induction_key = repeated.nearest[static_cast<size_t>(query)];
  row.duplicate_key = repeated.before[static_cast<size_t>(query)];
  row.before = repeated.before;
  return row;
}

HeadScores scores_of(const std::vector<std::vector<float>>& weights,
                     const std::vector<int32_t>& tokens) {
  const RepeatedTokens repeated = repeated_tokens(tokens);
  HeadScoreSum sum;
  for (size_t q = 0; q < weights.size(); ++q) {
    const HeadRow row = causal_row(static_cast<int64_t>(q), repeated);
    sum.add(row, row_score(row, 0, weights[q]));
  }
  return sum.scores();
}

// Four tokens A B A B and weights that are exact in binary. The expected numbers were computed by
// hand.
TEST(HeadScores, GoldenByHand) {
  const HeadScores s = scores_of(
      {{1, 0, 0, 0}, {0.5f, 0.5f, 0, 0}, {0.25f, 0.5f, 0.25f, 0}, {0.25f, 0.25f, 0.25f, 0.25f}},
      {7, 9, 7, 9});
  EXPECT_EQ(s.rows, 4);
  const double ln2 = std::log(2.0);
  // Entropies of the rows: 0, ln 2, 1.5 ln 2, 2 ln 2.
  EXPECT_NEAR(s.entropy_nats.value(), 4.5 * ln2 / 4, 1e-15);
  // Relative entropies of rows 1 to 3: 1, 1.5 ln 2 / ln 3, 1.
  EXPECT_EQ(s.relative_rows, 3);
  EXPECT_NEAR(s.relative_entropy.value(), (1 + 1.5 * ln2 / std::log(3.0) + 1) / 3, 1e-15);
  // Distances: 0 + 0.5 + (0.5 + 0.5) + (0.75 + 0.5 + 0.25), over a total weight of 4.
  EXPECT_DOUBLE_EQ(s.distance_tokens.value(), 3.0 / 4);
  // Squares of distances: 0 + 0.5 + (0.5 + 1) + (0.25 * 9 + 0.25 * 4 + 0.25).
  EXPECT_DOUBLE_EQ(s.distance_variance.value(), 5.5 / 4 - 9.0 / 16);
  EXPECT_EQ(s.first_rows, 3);
  EXPECT_DOUBLE_EQ(s.first_share.value(), (0.5 + 0.25 + 0.25) / 3);
  EXPECT_EQ(s.previous_rows, 3);
  EXPECT_DOUBLE_EQ(s.previous.value(), (0.5 + 0.5 + 0.25) / 3);
  // Row 2 (token A, earlier at 0) reads key 1; row 3 (token B, earlier at 1) reads key 2.
  EXPECT_EQ(s.induction_rows, 2);
  EXPECT_DOUBLE_EQ(s.induction.value(), (0.5 + 0.25) / 2);
  EXPECT_EQ(s.duplicate_rows, 2);
  EXPECT_DOUBLE_EQ(s.duplicate.value(), (0.25 + 0.25) / 2);
}

TEST(HeadScores, NoRepeatedTokenNoInduction) {
  const HeadScores s = scores_of({{1, 0}, {0.5f, 0.5f}}, {1, 2});
  EXPECT_FALSE(s.induction.has_value());
  EXPECT_EQ(s.induction_rows, 0);
  EXPECT_TRUE(s.previous.has_value());
}

TEST(HeadScores, NothingReadNothingTold) {
  const HeadScores s = HeadScoreSum().scores();
  EXPECT_FALSE(s.entropy_nats || s.relative_entropy || s.distance_tokens || s.first_share ||
               s.previous || s.induction);
}

TEST(HeadScores, OneTokenHasNoRelativeEntropy) {
  const HeadScores s = scores_of({{1}}, {1});
  EXPECT_EQ(s.entropy_nats.value(), 0);
  EXPECT_FALSE(s.relative_entropy || s.first_share || s.previous);
}

TEST(HeadScores, TheNearestEarlierPlace) {
  EXPECT_THAT(repeated_tokens({5, 6, 5, 7, 5, 6}).nearest, ElementsAre(-1, -1, 1, -1, 3, 2));
  // The key after the nearest earlier 5 would be the row itself, so the 5 before that one counts.
  EXPECT_THAT(repeated_tokens({5, 5, 5, 5}).nearest, ElementsAre(-1, -1, 1, 2));
  EXPECT_THAT(repeated_tokens({5, 5, 6, 5}).before, ElementsAre(-1, 0, -1, 1));
}

TEST(HeadScores, AllEarlierOccurrencesCount) {
  const HeadScores s = scores_of({{1, 0, 0, 0, 0},
                                  {0, 1, 0, 0, 0},
                                  {0, 1, 0, 0, 0},
                                  {0, 0, 0, 1, 0},
                                  {0.125f, 0.25f, 0.125f, 0.375f, 0.125f}},
                                 {1, 2, 1, 3, 1});
  EXPECT_EQ(s.induction_rows, 2);
  EXPECT_DOUBLE_EQ(s.induction.value(), (1 + 0.25 + 0.375) / 2);
  EXPECT_DOUBLE_EQ(s.duplicate.value(), (0 + 0.125 + 0.125) / 2);
}

TEST(HeadScores, KeysMayBeginAfterTheFirst) {
  std::vector<float> weights;
  for (int i = 0; i < 100; ++i)
    weights.push_back(i < 30 ? 0.0f : 1.0f / static_cast<float>(i * i + 3));
  std::vector<int32_t> tokens(100, 1);
  tokens[16] = tokens[40] = tokens[50] = tokens[99] = 2;
  HeadRow row{.query = 99, .visible = 70, .first_key = -1, .previous_key = 98, .induction_key = 51};
  const RepeatedTokens repeated = repeated_tokens(tokens);
  row.before = repeated.before;
  const HeadRowScore whole = row_score(row, 0, weights);
  const HeadRowScore window = row_score(row, 30, std::span(weights).subspan(30));
  EXPECT_DOUBLE_EQ(window.mass, whole.mass);
  EXPECT_DOUBLE_EQ(window.entropy_nats, whole.entropy_nats);
  EXPECT_DOUBLE_EQ(window.distance_tokens, whole.distance_tokens);
  EXPECT_EQ(window.first, 0);
  EXPECT_EQ(window.previous, static_cast<double>(weights[98]));
  for (const HeadRowScore& score : {whole, window})
    EXPECT_EQ(score.induction, static_cast<double>(weights[41]) + static_cast<double>(weights[51]));
}

TEST(HeadScores, TheEntropyOfOneKeyHasNoSign) {
  EXPECT_FALSE(std::signbit(scores_of({{1}}, {7}).entropy_nats.value()));
}

TEST(HeadScores, NanIsNotHidden) {
  const HeadScores s = scores_of({{1, 0}, {std::numeric_limits<float>::quiet_NaN(), 0.5f}}, {1, 2});
  EXPECT_TRUE(std::isnan(s.entropy_nats.value()));
  EXPECT_TRUE(std::isnan(s.first_share.value()));
}

TEST(HeadScores, KeysOfAnotherSequenceHaveNoDistance) {
  HeadRow row{.query = 5, .visible = 2, .keys_are_tokens = false, .first_key = 0};
  const std::vector<float> weights{0.5f, 0.5f};
  HeadScoreSum sum;
  sum.add(row, row_score(row, 0, weights));
  EXPECT_FALSE(sum.scores().distance_tokens.has_value());
  EXPECT_DOUBLE_EQ(sum.scores().first_share.value(), 0.5);
}

}  // namespace
}  // namespace attn
