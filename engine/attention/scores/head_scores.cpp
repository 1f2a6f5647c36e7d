// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/scores/head_scores.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace attn {
namespace {

using Eigen::ArrayXd;

std::optional<double> mean(double sum, double count) {
  if (count == 0) return std::nullopt;
  return sum / count;
}

// -x ln x, and 0 for x = 0. "0 -" gives 0 and not -0 for x = 1.
constexpr auto minus_x_ln_x = [](double x) { return x == 0 ? 0.0 : 0 - x * std::log(x); };

// The earlier places of the row's token from `least` on, ascending; empty if no score needs them.
std::vector<int64_t> earlier_places(const HeadRow& row, int64_t least) {
  std::vector<int64_t> places;
  if (row.induction_key < 0 && row.duplicate_key < 0) return places;
  const auto before = [&](int64_t place) { return row.before[static_cast<size_t>(place)]; };
  for (int64_t place = before(row.query); place >= std::max<int64_t>(least, 0);
       place = before(place))
    places.push_back(place);
  std::reverse(places.begin(), places.end());
  return places;
}

}  // namespace

HeadRowScore row_score(const HeadRow& row, int64_t k_begin, std::span<const float> weights) {
  const auto count = static_cast<Eigen::Index>(weights.size());
  const ArrayXd w = Eigen::Map<const Eigen::ArrayXf>(weights.data(), count).cast<double>();
  const auto query = static_cast<double>(row.query), first = static_cast<double>(k_begin);
  const ArrayXd distance =
      (ArrayXd::LinSpaced(count, first, first + static_cast<double>(count - 1)) - query).abs();
  const ArrayXd moved = w * distance;
  const auto weight_of = [&](int64_t key) {
    return key >= k_begin && key < k_begin + count ? w[key - k_begin] : 0.0;
  };
  HeadRowScore score;
  score.mass = w.sum();
  score.entropy_nats = w.unaryExpr(minus_x_ln_x).sum();
  score.distance_tokens = moved.sum();
  score.squared_distance = (moved * distance).sum();
  score.first = weight_of(row.first_key);
  score.previous = weight_of(row.previous_key);
  // The key after an earlier place counts only up to induction_key.
  for (const int64_t place : earlier_places(row, k_begin - 1)) {
    if (place >= k_begin) score.duplicate += weight_of(place);
    if (place < row.induction_key) score.induction += weight_of(place + 1);
  }
  if (row.duplicate_key < 0) score.duplicate = 0;
  return score;
}

void HeadScoreSum::add(const HeadRow& row, const HeadRowScore& score) {
  ++counts_.rows;
  keys_are_tokens_ = row.keys_are_tokens;
  mass_ += score.mass;
  entropy_ += score.entropy_nats;
  distance_ += score.distance_tokens;
  squared_distance_ += score.squared_distance;
  if (row.visible > 1) {
    ++counts_.relative_rows;
    relative_ += score.entropy_nats / std::log(static_cast<double>(row.visible));
  }
  if (row.first_key >= 0) {
    ++counts_.first_rows;
    first_ += score.first;
  }
  if (row.previous_key >= 0) {
    ++counts_.previous_rows;
    previous_ += score.previous;
  }
  if (row.induction_key >= 0) {
    ++counts_.induction_rows;
    induction_ += score.induction;
  }
  if (row.duplicate_key >= 0) {
    ++counts_.duplicate_rows;
    duplicate_ += score.duplicate;
  }
}

HeadScores HeadScoreSum::scores() const {
  HeadScores scores = counts_;
  const auto rows = [](int64_t count) { return static_cast<double>(count); };
  scores.entropy_nats = mean(entropy_, rows(counts_.rows));
  scores.relative_entropy = mean(relative_, rows(counts_.relative_rows));
  if (keys_are_tokens_) scores.distance_tokens = mean(distance_, mass_);
  if (scores.distance_tokens) {
    const double variance =
        squared_distance_ / mass_ - *scores.distance_tokens * *scores.distance_tokens;
    scores.distance_variance = variance < 0 ? 0 : variance;  // < 0: by rounding; NaN stays
  }
  scores.first_share = mean(first_, rows(counts_.first_rows));
  scores.previous = mean(previous_, rows(counts_.previous_rows));
  scores.induction = mean(induction_, rows(counts_.induction_rows));
  scores.duplicate = mean(duplicate_, rows(counts_.duplicate_rows));
  return scores;
}

RepeatedTokens repeated_tokens(const std::vector<int32_t>& tokens) {
  struct Places {
    int64_t last = -1, before = -1;
  };
  RepeatedTokens result;
  result.nearest.assign(tokens.size(), -1);
  result.before.assign(tokens.size(), -1);
  std::unordered_map<int32_t, Places> seen;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto query = static_cast<int64_t>(i);
    Places& places = seen[tokens[i]];
    const int64_t place = places.last + 1 < query ? places.last : places.before;
    if (place >= 0) result.nearest[i] = place + 1;
    result.before[i] = places.last;
    places = {query, places.last};
  }
  return result;
}

}  // namespace attn
