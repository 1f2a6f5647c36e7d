// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of the heatmap for files: all of its cells, whatever part the view shows.
// Call these on the GUI thread; the jobs that they return hold what they need and may run on any
// thread.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <functional>
#include <optional>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

std::function<void(QPainter& painter, const QRectF& bounds)> heatmap_drawing(HeatmapScene scene);
// The size of the picture of all cells, logical pixels. Up to 128 tokens cells have room for their
// labels. width: the width that the figure is to have; then texts keep their size as far as
// possible, and some labels are left out.
QSize heatmap_export_size(HeatmapScene scene, std::optional<double> width = {});
// CSV: the weights of the head or, if the scene shows anything but all weights of one head, the
// numbers shown, query rows x key columns.
std::function<QByteArray()> heatmap_table(const RequestView& request, const HeatmapScene& scene);

}  // namespace attn::gui
