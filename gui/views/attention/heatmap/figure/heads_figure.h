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

// The layers whose rows and keys are the same tokens as those of the shown layer. Needs a record.
std::vector<int64_t> layers_alike(const HeatmapScene& scene);
// Needs a record. Draws weights; the head, combination and quantity of scene.head do not count.
// With figure.all_layers: a row of heads for each of layers_alike().
std::function<void(QPainter& painter, const QRectF& bounds)> heads_figure(HeatmapScene scene);
// Logical pixels; `width` as in heatmap_export_size().
QSize heads_figure_size(const HeatmapScene& scene, std::optional<double> width);

}  // namespace attn::gui
