// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about what the heatmap shows, for captions, legend, tooltips and accessible descriptions.
// Any thread.
#pragma once

#include <QString>

#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// "One head", "Mean of the layer's heads": the entries of the menu.
QString name_of(Combine kind);
// "weight", "mean weight", "difference": the quantity of the colour bar.
QString quantity_of(const Combination& combination);
// "weight(layer 2 head 0) − weight(layer 4 head 1)", "mean of layer 2, 6 heads".
QString shown_words(const HeadRef& head);
// "All cells", "The largest that make 80 % of each row", "From 0.01 on": the entries of the menu.
QString name_of(const Keep& keep);
// "kept: the largest that make 80 % of each row". Empty: everything is kept.
QString keep_words(const Keep& keep, int level);

}  // namespace attn::gui
