// SPDX-License-Identifier: GPL-3.0-or-later
// AttentionRow: one query row of attention from its scores to its output, recomputed from an
// AttentionRecord:
//   max    = largest score of the keys that the query sees; NaN if one of these scores is NaN
//   exp    = exp(score - max)
//   weight = exp(score - lse), which is exp / (sum of exp + exp(sink - max)) but for rounding
//   output = sum of weight * value
// Sums over keys are in f64, in their order, so the output differs from a kernel's by rounding. Any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn {

struct AttentionRow {
  KeySpan keys;                           // keys outside are masked
  std::vector<float> score, exp, weight;  // [keys]; masked: -inf, 0, 0
  float max = 0;
  double exp_sum = 0, weight_sum = 0;
  double sink_exp = 0;         // 0: no sink
  std::vector<double> output;  // empty: no values

  double all() const { return exp_sum + sink_exp; }
  size_t at(int64_t key) const { return static_cast<size_t>(key - keys.begin); }
};

// nullopt: the row is not computed, or it sees no key.
std::optional<AttentionRow> attention_row(const AttentionRecord& record, int64_t layer,
                                          int64_t head, int64_t query);

}  // namespace attn
