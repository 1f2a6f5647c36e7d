// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the heatmap as an array in a .npy or .safetensors file.
#pragma once

#include <functional>

#include "gui/models/file_path.h"
#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// GUI thread; the result may be called on any thread and throws Error. f32 [queries, keys] of the
// shown quantity, hidden cells, too; with all heads weights [heads, queries, keys], with all layers
// one more axis before these. A masked weight is 0, a masked cell of another quantity NaN; rows
// that are not computed are NaN. Empty: there is nothing to write.
std::function<void(const FilePath& file)> heatmap_array(const RequestView* request,
                                                        const HeatmapScene& scene);

}  // namespace attn::gui
