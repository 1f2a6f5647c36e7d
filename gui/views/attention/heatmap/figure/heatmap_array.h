// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the heatmap as an array in a .npy or .safetensors file.
#pragma once

#include <functional>

#include "gui/models/file_path.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// Returns a function that writes the array to a file; empty: there is nothing to write. GUI thread;
// the function may be called on any thread and throws Error. The array is f32. For one head it is
// [queries, keys] and has the shown quantity, also of cells that a Keep hides. For all heads it is
// [heads, queries, keys], and for all layers it has a layer axis in front; both have weights. A
// number is also NaN if its row is not computed, or if it is masked and no weight. A masked weight
// is 0.
std::function<void(const FilePath& file)> heatmap_array(const RequestView* request,
                                                        const HeatmapScene& scene);

}  // namespace attn::gui
