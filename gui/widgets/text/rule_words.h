// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about an attention layer: its number, its masks, and how its scores are computed; the same
// in every view. Any thread.
#pragma once

#include <QString>

#include "engine/session/record/layer_rules.h"

namespace attn::gui {

// The number of an attention layer, for texts with the word "layer" before it. For a layer of an
// encoder that stands before a decoder: "0 (encoder)".
QString layer_words(int64_t layer, bool of_encoder);
QString layer_words(int64_t layer, const LayerRules& rules);
// "masked: the key comes after the query". Empty: nothing is masked.
QString mask_words(const WeightRule& rule);
// What "masked" means in all layers of a model. Where their rules differ, it says no more than that
// the query does not see the key.
QString mask_words(const LayerRules& rules);
// Why the cell of this query and key is masked, as the end of a sentence: "the key comes after the
// query". Empty: it is not masked.
QString masked_because(const WeightRule& rule, int64_t head, int64_t query, int64_t key);
// "causal, window of 8", or "none" without a mask; for a table of facts.
QString mask_names(const WeightRule& rule);
// The formula of a score: "cap × tanh(scale × q·k ÷ cap) + slope × (key − query)".
QString score_formula(const WeightRule& rule);
// With attention sinks, a sentence that explains why row sums are below 1. Empty: rows add up to 1.
QString sink_words(const WeightRule& rule);

}  // namespace attn::gui
