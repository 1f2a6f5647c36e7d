// SPDX-License-Identifier: GPL-3.0-or-later
// Which cell or label of the heatmap lies at a position of the widget, and where a cell lies.
// GUI thread.
#pragma once

#include <optional>

#include "gui/views/attention/heatmap/heatmap_scene.h"

namespace attn::gui {

struct HeatmapCell {
  int64_t query = -1, key = -1;
  bool operator==(const HeatmapCell&) const = default;
};

std::optional<HeatmapCell> cell_at(const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const CanvasTransform& transform, const QPointF& position);
QRectF rect_of_cell(const HeatmapLayout& layout, const CanvasTransform& transform, int64_t query,
                    int64_t key);
// The index of the token at a point of the row or column labels. nullopt: there is none, or it is a
// column label in cross attention, where the columns are tokens of the encoder.
std::optional<int64_t> label_at(const HeatmapScene& scene, const HeatmapLayout& layout,
                                const CanvasTransform& transform, const QPointF& position);

}  // namespace attn::gui
