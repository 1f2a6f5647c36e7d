// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about what the heatmap shows, such as for menus, captions, legend and tooltips. Any thread.
#pragma once

#include <QString>
#include <optional>

#include "gui/views/attention/row_peaks.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

QString name_of(Combine kind);
QString name_of(Quantity quantity);
QString meaning_of(Quantity quantity);
// The name within a sentence, such as "weight" or "exp(score − max)".
QString short_name_of(Quantity quantity);
// The name of the colour bar, such as "mean weight" or "difference".
QString quantity_of(const HeadRef& head);
// The name in captions, such as "attention weights".
QString quantities_of(Quantity quantity);
// Such as "scores from -7.31 to 12.4" or "cells up to 3.2". For kExp a sentence that needs no
// range. Empty for weights, and for scores and weight × length without a range.
QString range_words(Quantity quantity, const std::optional<ScoreRange>& range);
// off: the largest difference between 1 and the sum of a row. Such as "the weights of each row sum
// to 1 within 2.0e-07"; empty if `off` is NaN.
QString sum_check(double off);
// The heads that are shown, such as "mean of layer 2, 6 heads".
QString shown_words(const HeadRef& head);
QString name_of(const Keep& keep);
// Such as "kept: the largest that make 80 % of each row"; empty for a Keep of all cells. level: the
// level of detail of the picture. on_screen: false: for a file, into which nobody can zoom.
QString keep_words(const Keep& keep, int level, bool on_screen = true);

}  // namespace attn::gui
