// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of all cells of the heatmap or, with all_heads of the figure, pictures of all
// heads, for files. Call these on the GUI thread; the jobs they return may run on any thread.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <functional>
#include <optional>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

std::function<void(QPainter& painter, const QRectF& bounds)> heatmap_drawing(HeatmapScene scene);
// The size of the picture of heatmap_drawing(), in logical pixels. width: the wanted width; the
// picture is wider if that is very small.
QSize heatmap_export_size(HeatmapScene scene, std::optional<double> width = {});
// The automatic title of a figure of this request, layer and head with the other choices of the
// scene. Empty at a past step, if the scene shows another request.
QString heatmap_figure_title(HeatmapScene scene, const RequestView& request, int64_t layer,
                             int64_t head, const FigureLook& look);
// The width for which heatmap_drawing() of such a figure is laid out if it shall be `width` wide.
double heatmap_figure_width(HeatmapScene scene, const RequestView& request, int64_t layer,
                            const FigureLook& look, double width);
// CSV, a row per query, with a column per key and a few about the row: the weights of the head or,
// if the scene shows anything else, its numbers, also those that a Keep hides.
std::function<QByteArray()> heatmap_table(const RequestView& request, const HeatmapScene& scene);

}  // namespace attn::gui
