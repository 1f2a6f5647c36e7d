// SPDX-License-Identifier: GPL-3.0-or-later
// Attention rollout (S. Abnar, W. Zuidema, 2020): for each layer l the product of the weights of
// layers 0 to l, each mixed with the residual stream:
//   A_l = 0.5 mean over heads + 0.5 I,  R_l = A_l R_(l-1)
// The rows of the mean are scaled to the sum 1, which they lack if there are sinks.
// It leaves out values, MLPs and norms. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/session/record/attention_record.h"

namespace attn {

struct Rollout {
  int64_t rows = 0;
  std::vector<std::vector<double>> layers;  // [layers] of [rows, rows]; the rows sum to 1
  // The largest distance of a row's sum from 1.
  double residue() const;
};

// The rollout of the computed rows [0, rows). without_first: the first token's weight is left out
// and the other weights of the row are scaled to the sum 1. Row 0, and a row that reads only the
// first token, keep it. Throws Error(kBadInput) for rows that are not computed and for cross
// attention. go_on() is asked for each head; false: Error(kCancelled).
Rollout rollout(const AttentionRecord& record, int64_t rows, bool without_first = false,
                const std::function<bool()>& go_on = {});

}  // namespace attn
