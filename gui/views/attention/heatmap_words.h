// SPDX-License-Identifier: GPL-3.0-or-later
// What the heatmap shows, in words: for captions, legend, tooltips and accessible descriptions.
// Any thread.
#pragma once

#include <QString>

#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// "one head", "mean of the layer": the entries of the menu.
QString name_of(Combine kind);
// "weight", "mean weight", "difference": the quantity of the colour bar.
QString quantity_of(const Combination& combination);
// "weight(layer 2 head 0) − weight(layer 4 head 1)", "mean of layer 2, heads 0 to 5".
QString shown_words(const HeadRef& head);
// "all cells", "80 % of each row's sum", "from 0.01 on": the entries of the menu.
QString name_of(const Keep& keep);
// "kept: the largest cells that make 80 % of each row's sum". Empty: everything is kept.
QString keep_words(const Keep& keep, int level);

}  // namespace attn::gui
