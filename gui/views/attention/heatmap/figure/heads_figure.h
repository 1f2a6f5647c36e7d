// SPDX-License-Identifier: GPL-3.0-or-later
// A figure of all heads of a layer side by side, for files. Any thread.
#pragma once

#include <QPainter>
#include <functional>
#include <optional>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

// The scene has a record; its layer counts, not its head or combination.
std::function<void(QPainter& painter, const QRectF& bounds)> heads_figure(HeatmapScene scene);
// Logical pixels. width: as in heatmap_export_size().
QSize heads_figure_size(const HeatmapScene& scene, std::optional<double> width);

}  // namespace attn::gui
