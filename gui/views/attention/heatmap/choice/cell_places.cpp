// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/choice/cell_places.h"

#include <cmath>

namespace attn::gui {

std::optional<HeatmapCell> cell_at(const HeatmapScene& scene, const HeatmapLayout& layout,
                                   const CanvasTransform& transform, const QPointF& position) {
  if (!layout.cells.contains(position)) return std::nullopt;
  const QPointF at = position - layout.cells.topLeft();
  const auto key = static_cast<int64_t>(std::floor(transform.x.to_content(at.x())));
  const auto query = static_cast<int64_t>(std::floor(transform.y.to_content(at.y())));
  if (key < 0 || query < 0 || key >= scene.columns() || query >= scene.rows()) return std::nullopt;
  return HeatmapCell{query, key};
}

QRectF rect_of_cell(const HeatmapLayout& layout, const CanvasTransform& transform, int64_t query,
                    int64_t key) {
  const auto q = static_cast<double>(query), k = static_cast<double>(key);
  return QRectF(QPointF(transform.x.to_pixel(k), transform.y.to_pixel(q)),
                QPointF(transform.x.to_pixel(k + 1), transform.y.to_pixel(q + 1)))
      .translated(layout.cells.topLeft());
}

std::optional<int64_t> label_at(const HeatmapScene& scene, const HeatmapLayout& layout,
                                const CanvasTransform& transform, const QPointF& position) {
  double content = -1;
  if (layout.row_labels.contains(position))
    content = transform.y.to_content(position.y() - layout.cells.top());
  if (layout.column_labels.contains(position) && scene.keys_are_tokens())
    content = transform.x.to_content(position.x() - layout.cells.left());
  if (content < 0 || content >= static_cast<double>(scene.rows())) return std::nullopt;
  return static_cast<int64_t>(content);
}

}  // namespace attn::gui
