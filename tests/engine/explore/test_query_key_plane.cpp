// SPDX-License-Identifier: GPL-3.0-or-later
// Queries and keys of a head as points on axes (QueryKeyPlane), also with all keys moved; and the
// score of a pair as a sum over the frequencies of rotary positions (RotaryScore).
#include "engine/explore/query_key_plane.h"

#include <gtest/gtest.h>

#include "engine/explore/rotary_score.h"
#include "tests/engine/explore/toy_model.h"

namespace attn {
namespace {

using namespace test;

std::vector<float> random_points(Rng& rng, int64_t count, int64_t size) {
  std::vector<float> points(static_cast<size_t>(count * size));
  for (float& x : points) x = rng.normal() + 0.5f;
  return points;
}

TEST(QueryKeyPlane, AllAxesTogetherGiveThePointsBack) {
  Rng rng(1);
  const int64_t size = 12;
  const std::vector<float> queries = random_points(rng, 40, size),
                           keys = random_points(rng, 60, size);
  const QueryKeyPlane plane = query_key_plane(queries, keys, size);
  double share = 0;
  for (int64_t axis = 0; axis < size; ++axis) {
    share += plane.share(axis);
    EXPECT_LE(plane.share(axis), plane.share(std::max<int64_t>(0, axis - 1)));
    double length = 0, largest_element = 0;
    for (int64_t i = 0; i < size; ++i) {
      const double x = plane.axes[static_cast<size_t>(axis * size + i)];
      length += x * x;
      if (std::abs(x) > std::abs(largest_element)) largest_element = x;
    }
    EXPECT_NEAR(length, 1, 1e-12);
    EXPECT_GT(largest_element, 0);
  }
  EXPECT_NEAR(share, 1, 1e-12);
  const auto check = [&](const std::vector<float>& points, const std::vector<double>& coordinates) {
    for (size_t row = 0; row < points.size() / static_cast<size_t>(size); ++row) {
      const std::vector<double> back =
          plane.point(std::span(coordinates).subspan(row * 12, static_cast<size_t>(size)));
      for (size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(back[i], static_cast<double>(points[row * 12 + i]), 1e-5);
    }
  };
  check(queries, plane.queries);
  check(keys, plane.keys);
  EXPECT_EQ(query_key_plane(queries, keys, size).axes, plane.axes);
}

TEST(QueryKeyPlane, MovingAllKeysLeavesTheWeightsAndMovesTheLogSum) {
  const auto model = bundled_model();
  Rng rng(2);
  const ExploredRun run = run_of(model, random_ids(rng, 40, model->shape().vocab_size));
  const int64_t size = model->shape().head_size, rows = run.num_tokens();
  std::vector<double> shift;
  for (int64_t i = 0; i < size; ++i) shift.push_back(static_cast<double>(rng.normal()));
  std::vector<float> queries(static_cast<size_t>(rows * size)), keys(queries.size()),
      weights(static_cast<size_t>(rows));
  ASSERT_TRUE(run.attention->queries(1, 2, 0, rows, queries.data()));
  ASSERT_TRUE(run.attention->keys(1, 2, 0, rows, keys.data()));
  for (const int64_t query : {5, 20, 39}) {
    const std::span<const float> q =
        std::span(queries).subspan(static_cast<size_t>(query * size), static_cast<size_t>(size));
    const std::span<const float> seen =
        std::span(keys).first(static_cast<size_t>((query + 1) * size));
    const ShiftedRow plain = shifted_row(q, seen, model->shape().scale, {}),
                     moved = shifted_row(q, seen, model->shape().scale, shift);
    run.attention->weights(1, 2, query, 1, 0, rows, weights.data());
    double dot = 0;
    for (size_t i = 0; i < q.size(); ++i) dot += static_cast<double>(q[i]) * shift[i];
    for (size_t k = 0; k < plain.weights.size(); ++k) {
      EXPECT_NEAR(moved.weights[k], plain.weights[k], 1e-12);
      EXPECT_NEAR(plain.weights[k], static_cast<double>(weights[k]), 2e-6);
    }
    EXPECT_NEAR(moved.lse, plain.lse + static_cast<double>(model->shape().scale) * dot, 1e-9);
    EXPECT_NEAR(plain.lse, static_cast<double>(run.attention->lse(1, 2, query)), 2e-6 * 8);
  }
  EXPECT_THROW(query_key_plane(*run.attention, 1, 2, rows + 1), Error);
}

TEST(QueryKeyPlane, TheKeysOfAHeadMoveOntoItsQueries) {
  const auto model = bundled_model();
  Rng rng(4);
  const ExploredRun run = run_of(model, random_ids(rng, 24, model->shape().vocab_size));
  const HeadPoints points = head_points(*run.attention, 2, 1, 1000);
  ASSERT_EQ(points.rows(), run.num_tokens());
  ASSERT_EQ(points.num_keys(), run.num_tokens());
  EXPECT_EQ(points.first, 0);
  const std::vector<double> shift = shift_to_queries(points, 1);
  const QueryKeyPlane plane = query_key_plane(points.queries, points.keys, points.size, shift);
  EXPECT_LE(reconstruction_error(plane, points, shift), 1e-5);
  for (int64_t axis = 0; axis < points.size; ++axis) {
    double queries = 0, keys = 0;
    for (int64_t i = 0; i < points.rows(); ++i) {
      queries += plane.queries[static_cast<size_t>(i * points.size + axis)];
      keys += plane.keys[static_cast<size_t>(i * points.size + axis)];
    }
    EXPECT_NEAR(queries, keys, 1e-6);
  }
  for (const int64_t query : {0, 9, 23}) {
    const ShiftCheck check = check_shift(*run.attention, 2, 1, points, query, shift);
    EXPECT_LE(check.weight_change, 1e-12);
    EXPECT_LE(check.residue, 1e-9);
    EXPECT_NE(check.lse_growth, 0);
  }
  EXPECT_EQ(head_points(*run.attention, 2, 1, 0).rows(), 0);
  WeightRule plain, capped, with_sink;
  capped.soft_cap = 30;
  with_sink.sinks = {0.5f};
  EXPECT_EQ(shift_refusal(plain), "");
  EXPECT_NE(shift_refusal(capped), "");
  EXPECT_NE(shift_refusal(with_sink), "");
}

TEST(RotaryScore, TheSumOverPairsIsTheScoreAndTheCurvePassesThroughIt) {
  const auto model = bundled_model();
  const Rotary& rotary = *model->network().layers[0].rotary;
  Rng rng(3);
  const ExploredRun run = run_of(model, random_ids(rng, 30, model->shape().vocab_size));
  for (int64_t layer = 0; layer < model->shape().num_layers; ++layer)
    for (const auto& [query, key] : {std::pair<int64_t, int64_t>(0, 0), {7, 7}, {12, 3}, {29, 0}}) {
      const RotaryScore score = rotary_score(rotary, *run.attention, layer, 1, query, key);
      const WeightOperands of = run.attention->operands(layer, 1, query, key);
      double magnitude = 1;
      for (const RotaryScore::Pair& pair : score.pairs) magnitude += std::abs(pair.part);
      EXPECT_NEAR(score.score(), static_cast<double>(of.score), 1e-6 * magnitude);
      EXPECT_NEAR(score.at_distance(static_cast<double>(query - key)), score.score(), 1e-9);
    }
  EXPECT_THROW(rotary_score(rotary, *run.attention, 0, 0, 3, 5), Error);
  const std::vector<double> lengths = mean_lengths(rotary, *run.attention, 0, 1, 30);
  EXPECT_EQ(lengths.size(), static_cast<size_t>(rotary.num_pairs()));
  for (const double length : lengths) EXPECT_GT(length, 0);
}

TEST(RotaryScore, IsRefusedWhereNothingTurns) {
  const Rotary rotary;
  WeightRule plain, cross;
  cross.cross = true;
  EXPECT_EQ(rotary_refusal(&rotary, plain), "");
  EXPECT_NE(rotary_refusal(&rotary, cross), "");
  EXPECT_NE(rotary_refusal(nullptr, plain), "");
}

TEST(RotaryScore, TheCurveIsThatOfVectorsTurnedElsewhere) {
  Rng rng(5);
  const int64_t size = 10;
  for (const RotaryPairs pairs : {RotaryPairs::kHalves, RotaryPairs::kInterleaved}) {
    RotaryConfig config;
    config.size = 8;  // two of the ten elements do not turn
    config.pairs = pairs;
    const Rotary rotary(config);
    const std::vector<float> q = random_points(rng, 1, size), k = random_points(rng, 1, size);
    const auto turned = [&](const std::vector<float>& x, int32_t position) {
      std::vector<float> cosine(4), sine(4), to(static_cast<size_t>(size));
      rotary.angles(position, cosine.data(), sine.data());
      rotary.turn(x.data(), cosine.data(), sine.data(), size, to.data());
      return to;
    };
    const RotaryScore score = rotary_score(rotary, turned(q, 9), turned(k, 4), 0.25f, 5);
    for (const int32_t distance : {0, 1, 5, 17}) {
      const std::vector<float> a = turned(q, distance), b = turned(k, 0);
      double dot = 0;
      for (size_t i = 0; i < a.size(); ++i)
        dot += 0.25 * static_cast<double>(a[i]) * static_cast<double>(b[i]);
      EXPECT_NEAR(score.at_distance(distance), dot, 1e-5) << distance;
      EXPECT_NEAR(score.moved_to(distance).score(), dot, 1e-5) << distance;
    }
  }
}

}  // namespace
}  // namespace attn
