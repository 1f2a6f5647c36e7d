// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of the heatmap for files: all of its cells, whatever part the view shows.
// Any thread; the jobs hold what they need.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <functional>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

std::function<void(QPainter& painter, const QRectF& bounds)> heatmap_drawing(HeatmapScene scene);
// The size of a picture of all cells with the labels around them, logical pixels.
QSize heatmap_export_size(HeatmapScene scene);
// CSV: the weights of the head or, if a combination or a Keep is shown, its values as query rows x
// key columns.
std::function<QByteArray()> heatmap_table(const RequestView& request, const HeatmapScene& scene);

}  // namespace attn::gui
