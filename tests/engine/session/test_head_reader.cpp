// SPDX-License-Identifier: GPL-3.0-or-later
// HeadReader: scores of the bundled model, compared with a double loop over the operands of a run
// on `reference`. Also reading in pieces, and tables.
#include "engine/session/record/head_reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <sstream>

#include "tests/engine/session/session_support.h"
#include "tests/support/dense.h"

namespace attn {
namespace {

constexpr double kTolerance = 2e-6;  // f32 weights, recomputed from the log-sum-exp

Scenario model_scenario(const std::string& prompt) {
  Scenario scenario = test::model_scenario({prompt}, 6);
  scenario.engine.backend = "reference";
  return scenario;
}

struct Naive {
  double entropy = 0, relative = 0, distance = 0, mass = 0, first = 0, previous = 0, induction = 0;
  double squares = 0, duplicate = 0;
  int rows = 0, many = 0, repeats = 0, duplicates = 0;
};

// Sums for the scores as head_scores.h defines them, cell by cell, with a softmax in fp64.
Naive naive_scores(const RequestView& request, int64_t layer, int64_t head) {
  const AttentionRecord& record = *request.attention;
  const int64_t n = record.num_rows();
  Naive sums;
  for (int64_t q = 0; q < n; ++q) {
    std::vector<double> w;
    double total = 0;
    for (int64_t k = 0; k <= q; ++k) {
      const WeightOperands cell = record.operands(layer, head, q, k);
      w.push_back(std::exp(test::dot(cell.query, cell.key) * static_cast<double>(cell.scale)));
      total += w.back();
    }
    double entropy = 0;
    for (int64_t k = 0; k <= q; ++k) {
      const double weight = w[static_cast<size_t>(k)] / total;
      entropy -= weight > 0 ? weight * std::log(weight) : 0;
      sums.distance += weight * static_cast<double>(q - k);
      sums.squares += weight * static_cast<double>((q - k) * (q - k));
      sums.mass += weight;
    }
    ++sums.rows;
    sums.entropy += entropy;
    if (q == 0) continue;
    ++sums.many;
    sums.relative += entropy / std::log(static_cast<double>(q + 1));
    sums.first += w[0] / total;
    sums.previous += w[static_cast<size_t>(q - 1)] / total;
    double induction = 0;
    bool repeats = false, duplicates = false;
    for (int64_t p = 0; p < q; ++p)
      if ((*request.tokens)[static_cast<size_t>(p)].id ==
          (*request.tokens)[static_cast<size_t>(q)].id) {
        sums.duplicate += w[static_cast<size_t>(p)] / total;
        duplicates = true;
      }
    sums.duplicates += duplicates;
    for (int64_t p = 0; p + 1 < q; ++p) {
      if ((*request.tokens)[static_cast<size_t>(p)].id !=
          (*request.tokens)[static_cast<size_t>(q)].id)
        continue;
      induction += w[static_cast<size_t>(p + 1)] / total;
      repeats = true;
    }
    sums.induction += induction;
    sums.repeats += repeats;
  }
  return sums;
}

HeadScores read_all(const RequestView& request, int64_t layer, int64_t head) {
  HeadReading reading;
  EXPECT_TRUE(read_head(
      *request.attention, layer, head, request.attention->num_rows(), repeated_tokens_of(request),
      [] { return false; }, reading));
  return reading.scores;
}

RequestView finished(const Scenario& scenario) {
  Engine engine(scenario, {});
  while (engine.has_work()) engine.step();
  return engine.snapshot(EnginePhase::kFinished).requests.front();
}

TEST(HeadReader, BundledModelEqualsANaiveLoop) {
  const RequestView request =
      finished(model_scenario("Tom saw a red ball and a blue box. Tom saw a red ball and a"));
  const AttentionRecord::Shape& shape = request.attention->shape();
  ASSERT_EQ(shape.num_layers * shape.num_heads, 36);
  int repeats = 0;
  for (int64_t layer = 0; layer < shape.num_layers; ++layer)
    for (int64_t head = 0; head < shape.num_heads; ++head) {
      SCOPED_TRACE(testing::Message() << "layer " << layer << " head " << head);
      const HeadScores s = read_all(request, layer, head);
      const Naive naive = naive_scores(request, layer, head);
      ASSERT_EQ(s.rows, naive.rows);
      ASSERT_EQ(s.relative_rows, naive.many);
      ASSERT_EQ(s.induction_rows, naive.repeats);
      repeats = naive.repeats;
      EXPECT_NEAR(*s.entropy_nats, naive.entropy / naive.rows, kTolerance);
      EXPECT_NEAR(*s.relative_entropy, naive.relative / naive.many, kTolerance);
      EXPECT_NEAR(*s.distance_tokens, naive.distance / naive.mass, 1e-5);
      EXPECT_NEAR(*s.first_share, naive.first / naive.many, kTolerance);
      EXPECT_NEAR(*s.previous, naive.previous / naive.many, kTolerance);
      EXPECT_NEAR(*s.induction, naive.induction / naive.repeats, kTolerance);
      ASSERT_EQ(s.duplicate_rows, naive.duplicates);
      EXPECT_NEAR(*s.duplicate, naive.duplicate / naive.duplicates, kTolerance);
      const double distance = naive.distance / naive.mass;
      EXPECT_NEAR(*s.distance_variance, naive.squares / naive.mass - distance * distance, 1e-4);
    }
  EXPECT_GT(repeats, 5);
}

TEST(HeadReader, InductionHeadsOfTheBundledModelAreFound) {
  const RequestView request = finished(model_scenario(
      "river stone garden bird wide old flower cold wind tree river stone garden bird wide old "
      "flower cold wind tree river stone garden bird wide old flower cold wind tree"));
  std::multimap<double, std::pair<int64_t, int64_t>, std::greater<>> ranked;
  for (int64_t layer = 0; layer < 6; ++layer)
    for (int64_t head = 0; head < 6; ++head)
      ranked.emplace(*read_all(request, layer, head).induction, std::pair(layer, head));
  EXPECT_EQ(ranked.begin()->second, std::pair(int64_t{4}, int64_t{2}));
  EXPECT_GT(ranked.begin()->first, 0.6);
}

TEST(HeadReader, PieceByPieceGivesTheSameBits) {
  const RequestView request = finished(model_scenario("One day, Lily saw a cat. One day"));
  const AttentionRecord& record = *request.attention;
  const RepeatedTokens repeated = repeated_tokens_of(request);
  HeadReading pieces;
  for (int64_t rows = 1; rows <= record.num_rows(); rows += 3)
    read_head(
        record, 2, 1, rows, repeated, [] { return false; }, pieces);
  read_head(
      record, 2, 1, record.num_rows(), repeated, [] { return false; }, pieces);
  EXPECT_TRUE(pieces.scores == read_all(request, 2, 1));
}

TEST(HeadReader, StopsWhenAskedAndGoesOn) {
  const RequestView request = finished(test::synthetic_scenario({400}, 1));
  const AttentionRecord& record = *request.attention;
  HeadReading reading;
  int asked = 0;
  EXPECT_FALSE(read_head(
      record, 0, 0, record.num_rows(), {}, [&] { return ++asked == 1; }, reading));
  const int64_t first = reading.scores.rows;
  EXPECT_GT(first, 0);
  EXPECT_LT(first, record.num_rows());
  EXPECT_TRUE(read_head(
      record, 0, 0, record.num_rows(), {}, [] { return false; }, reading));
  EXPECT_EQ(reading.scores.rows, record.num_rows());
}

TEST(HeadReader, WhatTheRecordForgetsIsForgotten) {
  const RequestView request = finished(test::synthetic_scenario({40}, 1));
  auto& record = const_cast<AttentionRecord&>(*request.attention);
  HeadReading reading;
  read_head(
      record, 0, 0, record.num_rows(), {}, [] { return false; }, reading);
  ASSERT_EQ(reading.scores.rows, record.num_rows());
  record.forget_rows(10);
  read_head(
      record, 0, 0, record.num_rows(), {}, [] { return false; }, reading);
  EXPECT_EQ(reading.scores.rows, 10);
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(HeadReader, TablesReadBackBitEqual) {
  const RequestView request = finished(test::synthetic_scenario({40}, 2));
  const AttentionRecord& record = *request.attention;
  const auto heads = cells_of(heads_csv(request));
  ASSERT_EQ(heads.size(),
            1 + static_cast<size_t>(record.shape().num_layers * record.shape().num_heads));
  EXPECT_EQ(heads[0][4], "entropy_nats");
  const HeadScores second = read_all(request, 0, 1);
  EXPECT_EQ(heads[2][0], "0");
  EXPECT_EQ(heads[2][1], "1");
  EXPECT_EQ(std::stod(heads[2][4]), *second.entropy_nats);
  EXPECT_EQ(std::stod(heads[2][6]), *second.distance_tokens);

  const std::vector<HeadScores> scores(heads.size() - 1, second);
  const ScoredTexts texts{"a set", 24, 600};
  const auto over = cells_of(heads_csv(record.shape(), scores, &texts));
  ASSERT_EQ(over.size(), heads.size());
  ASSERT_EQ(over[0].size(), heads[0].size() + 3);
  EXPECT_TRUE(std::equal(heads[0].begin(), heads[0].end(), over[0].begin()));
  EXPECT_EQ(over[0][heads[0].size()], "text_set");
  EXPECT_EQ(over[2][heads[0].size()], "a set");
  EXPECT_EQ(over[2][heads[0].size() + 1], "24");
  EXPECT_EQ(over[2][heads[0].size() + 2], "600");

  const std::vector<int64_t> drawn{1, 3};
  const LineFilter filter{LineFilter::Kind::kAtLeast, 0.05, false};
  const auto lines = cells_of(head_lines_csv(request, 1, drawn, filter));
  size_t expected = 1;
  for (const int64_t head : drawn)
    for (int64_t q = 0; q < record.num_rows(); ++q)
      for (int64_t k = 0; k <= q; ++k) {
        float weight = 0;
        record.weights(1, head, q, 1, k, 1, &weight);
        if (static_cast<double>(weight) < 0.05) continue;
        ASSERT_LT(expected, lines.size());
        const auto& line = lines[expected++];
        EXPECT_EQ(line[1], std::to_string(head));
        EXPECT_EQ(line[2], std::to_string(q));
        EXPECT_EQ(line[4], std::to_string(k));
        const float written = std::stof(line[6]);
        EXPECT_EQ(std::memcmp(&written, &weight, sizeof weight), 0);
      }
  EXPECT_EQ(expected, lines.size());
}

}  // namespace
}  // namespace attn
