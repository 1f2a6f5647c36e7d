// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary positions by frequency. A score is a sum over the pairs of elements that turn together:
//   s = scale * (sum over pairs p of |q_p| |k_p| cos(a_p) + what does not turn)
// a_p is the angle from the key's pair to the query's: the angle before the rotation, plus (i - j)
// w_p from the positions i of the query and j of the key. s is the score before soft cap and bias.
// Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/model/layers/rotary.h"
#include "engine/session/record/attention_record.h"

namespace attn {

struct RotaryScore {
  struct Pair {
    double query_length = 0, key_length = 0;  // |q_p|, |k_p|
    double angle = 0;                         // a_p, radians
    double frequency = 0;                     // w_p, radians per token
    double part = 0;                          // of the score, scale included
  };
  std::vector<Pair> pairs;  // [R/2], in the order of Rotary::frequencies()
  double rest = 0;          // part of the elements that do not turn, scale included
  double distance = 0;      // i - j
  double scale = 0;
  double score() const;
  double at_distance(double tokens) const;
  RotaryScore moved_to(double tokens) const;
};

// query and key [D] after their rotation, as records keep them.
RotaryScore rotary_score(const Rotary& rotary, std::span<const float> query,
                         std::span<const float> key, float scale, int64_t distance);
// The score of a cell (query, key). Throws Error(kBadInput) if it is masked or not computed, or
// its key is not kept.
RotaryScore rotary_score(const Rotary& rotary, const AttentionRecord& record, int64_t layer,
                         int64_t head, int64_t query, int64_t key);

// Why the scores of a layer are not a sum over rotary pairs; empty: they are. rotary: of the layer;
// null: it has none.
std::string rotary_refusal(const Rotary* rotary, const WeightRule& rule);

// For each pair p: the mean of |q_p| |k_p| over the queries in [0, rows) and the keys in the span
// of each query (WeightRule::span()). Throws Error(kBadInput) for rows that are not computed.
std::vector<double> mean_lengths(const Rotary& rotary, const AttentionRecord& record, int64_t layer,
                                 int64_t head, int64_t rows);

}  // namespace attn
