// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about an attention layer: its number, its masks, how its scores are computed, and why row
// sums are below 1. Any thread.
#pragma once

#include <QString>

#include "engine/session/record/layer_rules.h"

namespace attn::gui {

// "0", or "0 (encoder)" for a layer of an encoder; the caller writes "layer" before it.
QString layer_words(int64_t layer, bool of_encoder);
QString layer_words(int64_t layer, const LayerRules& rules);
// "masked: the key comes after the query". Empty: nothing is masked.
QString mask_words(const WeightRule& rule);
// If the rules of the layers differ, it says only that the query does not see the key.
QString mask_words(const LayerRules& rules);
// Why the query does not see the key, as the end of a sentence; empty: the query sees the key.
QString masked_because(const WeightRule& rule, int64_t head, int64_t query, int64_t key);
// "causal, window of 8", or "none" without a mask; for a table of facts.
QString mask_names(const WeightRule& rule);
// The formula of a score, such as "cap × tanh(scale × q·k ÷ cap) + slope × (key − query)".
QString score_formula(const WeightRule& rule);
// Why row sums are below 1; empty: there are no sinks.
QString sink_words(const WeightRule& rule);

}  // namespace attn::gui
