// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/attention/head_scores.h"

#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace attn {
namespace {

std::optional<double> mean(double sum, double count) {
  if (count == 0) return std::nullopt;
  return sum / count;
}

}  // namespace

void add_weights(const HeadRow& row, int64_t k_begin, std::span<const float> weights,
                 HeadRowScore& score) {
  for (size_t i = 0; i < weights.size(); ++i) {
    const auto w = static_cast<double>(weights[i]);
    if (w == 0) continue;  // masked, or too small for a float: w ln w is 0; NaN is not skipped
    const int64_t key = k_begin + static_cast<int64_t>(i);
    score.mass += w;
    score.entropy_nats -= w * std::log(w);
    score.distance_tokens += w * static_cast<double>(std::abs(row.query - key));
    if (key == row.first_key) score.first += w;
    if (key == row.previous_key) score.previous += w;
    // Keys beyond induction_key do not count: none follows a place p of the token with p + 1 < q.
    if (key > 0 && key <= row.induction_key &&
        row.tokens[static_cast<size_t>(key - 1)] == row.tokens[static_cast<size_t>(row.query)])
      score.induction += w;
  }
}

void HeadScoreSum::add(const HeadRow& row, const HeadRowScore& score) {
  ++counts_.rows;
  keys_are_tokens_ = row.keys_are_tokens;
  mass_ += score.mass;
  entropy_ += score.entropy_nats;
  distance_ += score.distance_tokens;
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
}

HeadScores HeadScoreSum::scores() const {
  HeadScores scores = counts_;
  const auto rows = [](int64_t count) { return static_cast<double>(count); };
  scores.entropy_nats = mean(entropy_, rows(counts_.rows));
  scores.relative_entropy = mean(relative_, rows(counts_.relative_rows));
  if (keys_are_tokens_) scores.distance_tokens = mean(distance_, mass_);
  scores.first_share = mean(first_, rows(counts_.first_rows));
  scores.previous = mean(previous_, rows(counts_.previous_rows));
  scores.induction = mean(induction_, rows(counts_.induction_rows));
  return scores;
}

RepeatedTokens repeated_tokens(std::vector<int32_t> tokens) {
  struct Places {
    int64_t last = -1, before = -1;
  };
  RepeatedTokens result;
  result.nearest.assign(tokens.size(), -1);
  std::unordered_map<int32_t, Places> seen;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const auto query = static_cast<int64_t>(i);
    Places& places = seen[tokens[i]];
    const int64_t place = places.last + 1 < query ? places.last : places.before;
    if (place >= 0) result.nearest[i] = place + 1;
    places = {query, places.last};
  }
  result.tokens = std::move(tokens);
  return result;
}

}  // namespace attn
