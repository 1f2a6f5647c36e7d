// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/explore/rotary_score.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <span>

#include "engine/core/error.h"

namespace attn {
namespace {

std::pair<size_t, size_t> elements_of(const Rotary& rotary, int64_t pair) {
  const auto p = static_cast<size_t>(pair);
  if (rotary.pairs() == RotaryPairs::kInterleaved) return {2 * p, 2 * p + 1};
  return {p, p + static_cast<size_t>(rotary.num_pairs())};
}

double length_of(std::span<const float> x, std::pair<size_t, size_t> at) {
  return std::hypot(static_cast<double>(x[at.first]), static_cast<double>(x[at.second]));
}

}  // namespace

double RotaryScore::score() const {
  double sum = rest;
  for (const Pair& pair : pairs) sum += pair.part;
  return sum;
}

double RotaryScore::at_distance(double tokens) const {
  double sum = rest;
  for (const Pair& pair : pairs)
    sum += scale * pair.query_length * pair.key_length *
           std::cos(pair.angle + (tokens - distance) * pair.frequency);
  return sum;
}

RotaryScore RotaryScore::moved_to(double tokens) const {
  RotaryScore moved = *this;
  moved.distance = tokens;
  for (Pair& pair : moved.pairs) {
    pair.angle =
        std::remainder(pair.angle + (tokens - distance) * pair.frequency, 2 * std::numbers::pi);
    pair.part = scale * pair.query_length * pair.key_length * std::cos(pair.angle);
  }
  return moved;
}

std::string rotary_refusal(const Rotary* rotary, const WeightRule& rule) {
  if (!rotary)
    return "The queries and keys of this layer do not turn with their position, so a score has no "
           "frequencies.";
  if (rule.cross)
    return "This layer reads the keys of an encoder, which do not turn with their position.";
  return {};
}

RotaryScore rotary_score(const Rotary& rotary, std::span<const float> query,
                         std::span<const float> key, float scale, int64_t distance) {
  RotaryScore result;
  result.scale = static_cast<double>(scale);
  result.distance = static_cast<double>(distance);
  for (int64_t p = 0; p < rotary.num_pairs(); ++p) {
    const auto at = elements_of(rotary, p);
    const double qa = static_cast<double>(query[at.first]),
                 qb = static_cast<double>(query[at.second]),
                 ka = static_cast<double>(key[at.first]), kb = static_cast<double>(key[at.second]);
    RotaryScore::Pair pair;
    pair.query_length = length_of(query, at);
    pair.key_length = length_of(key, at);
    pair.angle = std::atan2(qb * ka - qa * kb, qa * ka + qb * kb);
    pair.frequency = static_cast<double>(rotary.frequencies()[static_cast<size_t>(p)]);
    pair.part = result.scale * (qa * ka + qb * kb);
    result.pairs.push_back(pair);
  }
  for (size_t i = 2 * static_cast<size_t>(rotary.num_pairs()); i < query.size(); ++i)
    result.rest += result.scale * static_cast<double>(query[i]) * static_cast<double>(key[i]);
  return result;
}

RotaryScore rotary_score(const Rotary& rotary, const AttentionRecord& record, int64_t layer,
                         int64_t head, int64_t query, int64_t key) {
  const WeightOperands of = record.operands(layer, head, query, key);
  if (!of.computed || of.masked || of.key.empty())
    throw_bad_input({"the cell has no score", "rotary positions",
                     fmt::format("query {}, key {}", query, key),
                     "a computed query and a key that it sees", ""});
  return rotary_score(rotary, of.query, of.key, of.scale, query - key);
}

std::vector<double> mean_lengths(const Rotary& rotary, const AttentionRecord& record, int64_t layer,
                                 int64_t head, int64_t rows) {
  const int64_t size = record.shape().head_size, pairs = rotary.num_pairs();
  const WeightRule& rule = record.shape().rules.of(layer);
  const auto floats = static_cast<size_t>(rows * size);
  std::vector<float> queries(floats), keys(floats);
  if (!record.queries(layer, head, 0, rows, queries.data()) ||
      !record.keys(layer, head, 0, rows, keys.data()))
    throw_bad_input({"these rows are not computed", "rotary positions",
                     fmt::format("rows 0 to {} of layer {}", rows - 1, layer), "computed rows",
                     ""});
  std::vector<double> sums(static_cast<size_t>(pairs), 0.0);
  double cells = 0;
  const auto row_of = [&](const std::vector<float>& all, int64_t row) {
    return std::span<const float>(all).subspan(static_cast<size_t>(row * size),
                                               static_cast<size_t>(size));
  };
  for (int64_t q = 0; q < rows; ++q) {
    const KeySpan span = rule.span(q, rows);
    cells += static_cast<double>(span.end - span.begin);
    for (int64_t p = 0; p < pairs; ++p) {
      const auto at = elements_of(rotary, p);
      double lengths = 0;
      for (int64_t k = span.begin; k < span.end; ++k) lengths += length_of(row_of(keys, k), at);
      sums[static_cast<size_t>(p)] += length_of(row_of(queries, q), at) * lengths;
    }
  }
  for (double& sum : sums) sum /= cells;
  return sums;
}

}  // namespace attn
