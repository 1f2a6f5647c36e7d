// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that characterise an attention head, computed from its weights w(q, k) in fp64. Of
// each row only the keys that its query sees count. With learned sinks the weights of a row add up
// to less than 1; they are taken as they are.
//
//   entropy      mean over rows of -sum_k w ln w, in nats: 0 reads one token, ln n reads n tokens
//                evenly. Relative: each row divided by ln(visible keys); only rows that see two or
//                more keys count. Used for heads by Clark et al., "What Does BERT Look At?" (2019).
//   distance     sum w |q - k| / sum w over all rows, in tokens. Vig and Belinkov, "Analyzing the
//                Structure of Attention in a Transformer Language Model" (2019).
//   first        mean of w(q, 0) over the rows that see key 0 and another key. Xiao et al.,
//                "Efficient Streaming Language Models with Attention Sinks" (2023).
//   previous     mean of w(q, q - 1) over the rows that see that key. Elhage et al.,
//                "A Mathematical Framework for Transformer Circuits" (2021).
//   induction    mean over rows of sum_p w(q, p + 1), where p are the earlier positions with the
//                same token as q and p + 1 < q (p + 1 = q would be the row's own token). A row
//                counts if there is such a p and the query sees the key after the nearest one. The
//                prefix-matching score of Olsson et al., "In-context Learning and Induction Heads"
//                (2022).
//   spread       variance of the distance: sum w (|q - k| - distance)^2 / sum w over all rows.
//   duplicate    mean over rows of sum_p w(q, p), where p are the earlier positions with the same
//                token as q. A row counts if the query sees the nearest of them. Wang et al.,
//                "Interpretability in the Wild" (2022), call such heads duplicate token heads.
//
// A score for which no row counts is left empty. A score to which a NaN weight contributes is
// NaN. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// One query row, and which scores it counts for. Positions are absolute; a key of -1: the row does
// not count for that score.
struct HeadRow {
  int64_t query = 0;
  int64_t visible = 0;          // keys the query sees
  bool keys_are_tokens = true;  // false in cross attention, where only entropy and first count
  int64_t first_key = -1;       // 0 if the row counts
  int64_t previous_key = -1;
  // p + 1, where p is the nearest earlier place of the same token with p + 1 < query.
  int64_t induction_key = -1;
  int64_t duplicate_key = -1;  // the nearest earlier place of the same token; may be query - 1
  // RepeatedTokens::before; needed if induction_key or duplicate_key is set.
  std::span<const int64_t> before{};
};

// The contribution of one row: sums over its keys.
struct HeadRowScore {
  double mass = 0;  // sum of the weights
  double entropy_nats = 0;
  double distance_tokens = 0;   // sum w |q - k|
  double squared_distance = 0;  // sum w |q - k|^2
  double first = 0, previous = 0, induction = 0, duplicate = 0;
  bool operator==(const HeadRowScore&) const = default;
};

// weights: of the keys [k_begin, k_begin + weights.size()), 0 for masked ones. Keys outside this
// range count as weight 0.
HeadRowScore row_score(const HeadRow& row, int64_t k_begin, std::span<const float> weights);

struct HeadScores {
  std::optional<double> entropy_nats, relative_entropy, distance_tokens;
  std::optional<double> distance_variance;  // tokens^2
  std::optional<double> first_share, previous, induction, duplicate;
  int64_t rows = 0;  // all rows; the next five: the rows that count for that score
  int64_t relative_rows = 0, first_rows = 0, previous_rows = 0, induction_rows = 0;
  int64_t duplicate_rows = 0;
  bool operator==(const HeadScores&) const = default;
};

class HeadScoreSum {
 public:
  void add(const HeadRow& row, const HeadRowScore& score);
  HeadScores scores() const;

 private:
  HeadScores counts_;
  bool keys_are_tokens_ = true;
  double mass_ = 0, entropy_ = 0, relative_ = 0, distance_ = 0;
  double squared_distance_ = 0, first_ = 0, previous_ = 0, induction_ = 0, duplicate_ = 0;
};

// For each token of a sequence, where the same token occurred before.
struct RepeatedTokens {
  std::vector<int64_t> nearest;  // [tokens]: p + 1 as in HeadRow::induction_key; -1: no such p
  std::vector<int64_t> before;   // [tokens]: nearest earlier place of the same token; -1: none
};
RepeatedTokens repeated_tokens(const std::vector<int32_t>& tokens);

}  // namespace attn
