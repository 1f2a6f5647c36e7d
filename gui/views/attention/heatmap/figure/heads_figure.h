// SPDX-License-Identifier: GPL-3.0-or-later
// A figure for files: the heads of one layer, or of all layers that read the same tokens. Any
// thread.
#pragma once

#include <QPainter>
#include <functional>
#include <optional>
#include <vector>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// The layers whose queries and keys are of the same tokens as those of the shown layer. The scene
// must have a record.
std::vector<int64_t> layers_alike(const HeatmapScene& scene);
// The title of this figure; the scene must have a record.
HeatmapTitle heads_title(const HeatmapScene& scene);
// Returns a function that draws the weights of all heads of scene.head.layer; with all_layers of
// the figure, a row of heads for each of layers_alike(). The scene must have a record; its head,
// combination, quantity and Keep do not count.
std::function<void(QPainter& painter, const QRectF& bounds)> heads_figure(HeatmapScene scene);
// The size of this figure in logical pixels. width: as in heatmap_export_size().
QSize heads_figure_size(const HeatmapScene& scene, std::optional<double> width);

}  // namespace attn::gui
