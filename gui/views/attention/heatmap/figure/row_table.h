// SPDX-License-Identifier: GPL-3.0-or-later
// One row of attention as a table for a spreadsheet or a slide: for each key that the query sees,
// the numbers from its score to weight × |v|.
#pragma once

#include <QString>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// Whether the scene shows a single head, and the row is computed at the shown step.
bool has_row_table(const HeatmapScene& scene, int64_t query);
// The table, tab-separated: a line of names, a line for each key that is not masked, and a line of
// sums. The columns with |v| are left out if the record has no values. Empty: there is no table.
QString row_table(const HeatmapScene& scene, int64_t query);

}  // namespace attn::gui
