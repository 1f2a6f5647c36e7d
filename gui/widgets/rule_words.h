// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what an attention layer masks and does to its scores; the same in every view. Any
// thread.
#pragma once

#include <QString>

#include "engine/kernels/weight_recompute.h"

namespace attn::gui {

// "masked: the key comes after the query". Empty: nothing is masked.
QString mask_words(const WeightRule& rule);
// Why this cell is masked, as the end of a sentence: "the key comes after the query". Empty: it is
// not.
QString masked_because(const WeightRule& rule, int64_t head, int64_t query, int64_t key);
// "causal, window of 8" for a table of facts; "none".
QString mask_names(const WeightRule& rule);
// How a score comes from q.k: "cap × tanh(scale × q·k ÷ cap) + slope × (key − query)".
QString score_formula(const WeightRule& rule);
// A sentence on row sums below 1; empty: rows add up to 1.
QString sink_words(const WeightRule& rule);

}  // namespace attn::gui
