// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about what the heatmap shows, for captions, legend, tooltips and accessible descriptions.
// Any thread.
#pragma once

#include <QString>
#include <optional>

#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

QString name_of(Combine kind);
QString name_of(Quantity quantity);
QString meaning_of(Quantity quantity);
// In sentences, such as "weight" or "exp(score − max)".
QString short_name_of(Quantity quantity);
// Of the colour bar, such as "mean weight" or "difference".
QString quantity_of(const HeadRef& head);
// In captions, such as "attention weights".
QString quantities_of(Quantity quantity);
// Such as "scores from −7.31 to 12.4" or "cells up to 3.2"; empty for weights, and where a range is
// needed and there is none yet.
QString range_words(Quantity quantity, const std::optional<ScoreRange>& range);
// Such as "the weights of each row sum to 1 within 2e-07"; empty for NaN.
QString sum_check(double off);
// Such as "mean of layer 2, 6 heads".
QString shown_words(const HeadRef& head);
QString name_of(const Keep& keep);
// Such as "kept: the largest that make 80 % of each row". Empty: everything is kept.
QString keep_words(const Keep& keep, int level);

}  // namespace attn::gui
