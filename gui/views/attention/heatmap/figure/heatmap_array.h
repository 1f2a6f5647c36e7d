// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the heatmap as an array in a .npy or .safetensors file.
#pragma once

#include <functional>

#include "gui/models/file_path.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// GUI thread; the result may be called on any thread and throws Error. Empty: there is nothing to
// write. The array is f32: [queries, keys] of the shown quantity, hidden cells, too; for all heads,
// weights [heads, queries, keys]; for all layers, weights with a layer axis in front. NaN: the row
// is not computed, or the cell is masked and not a weight. A masked weight is 0.
std::function<void(const FilePath& file)> heatmap_array(const RequestView* request,
                                                        const HeatmapScene& scene);

}  // namespace attn::gui
