// SPDX-License-Identifier: GPL-3.0-or-later
// What the heatmap needs of the model to show what is written. GUI thread.
#pragma once

#include <QString>

#include "engine/session/run/snapshot.h"
#include "gui/views/attention/key_lengths.h"
#include "gui/views/attention/weight_tile.h"

namespace attn::gui {

// Why this number of a layer cannot be shown, as a sentence; empty: it can. run: the newest state
// of the run; null: there is none.
QString refusal_of_quantity(Quantity quantity, int64_t layer, const EngineSnapshot* run);
// Makes the lengths that the head needs, where what is written is shown. Where that cannot be
// told, the head shows its weights from now on.
void read_lengths(HeadRef& head, const EngineSnapshot* run);

}  // namespace attn::gui
