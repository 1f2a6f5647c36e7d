// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about what the heatmap shows, for captions, legend, tooltips and accessible descriptions.
// Any thread.
#pragma once

#include <QString>
#include <optional>

#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// "One head", "Mean of the layer's heads": the entries of the menu.
QString name_of(Combine kind);
// "Weight", "Score before the softmax": the entries of the menu.
QString name_of(Quantity quantity);
// What the quantity is, in a sentence.
QString meaning_of(Quantity quantity);
// "weight", "score", "exp(score − max)": in sentences and tooltips.
QString short_name_of(Quantity quantity);
// "weight", "mean weight", "difference", "score": the quantity of the colour bar.
QString quantity_of(const HeadRef& head);
// "attention weights", "attention scores", "exp(score − max)": in captions.
QString quantities_of(Quantity quantity);
// "scores from −7.31 to 12.4", "cells up to 3.2", "the largest score of a row has the number 1";
// empty for weights, and where a range is needed and there is none yet.
QString range_words(Quantity quantity, const std::optional<ScoreRange>& range);
// "the weights of each row sum to 1 within 2e-07"; empty for NaN: there is nothing to check.
QString sum_check(double off);
// "weight(layer 2 head 0) − weight(layer 4 head 1)", "mean of layer 2, 6 heads".
QString shown_words(const HeadRef& head);
// "All cells", "The largest that make 80 % of each row", "From 0.01 on": the entries of the menu.
QString name_of(const Keep& keep);
// "kept: the largest that make 80 % of each row". Empty: everything is kept.
QString keep_words(const Keep& keep, int level);

}  // namespace attn::gui
