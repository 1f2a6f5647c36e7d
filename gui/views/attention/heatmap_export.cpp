// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables of the heatmap for files.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/session/report.h"
#include "gui/views/attention/heatmap_view.h"

namespace attn::gui {
namespace {

constexpr int kMostExport = 4096;  // px of the cells of an exported picture

}  // namespace

void HeatmapView::paint_content(QPainter& painter, const QRectF& bounds) {
  drawing()(painter, bounds);
}

// The scene with its look is copied and the weights are read from the record: nothing here touches
// the view or the theme again, so any thread may draw.
std::function<void(QPainter&, const QRectF&)> HeatmapView::drawing() const {
  HeatmapScene scene = scene_;
  scene.caption = true;
  scene.focus = false;
  scene.cursor_query = scene.hover_query = -1;
  return [scene](QPainter& painter, const QRectF& bounds) {
    if (scene.rows() <= 0) {
      painter.setPen(scene.look.colors.muted);
      painter.setFont(scene.look.title);
      painter.drawText(bounds, Qt::AlignCenter, tr("No attention has been computed."));
      return;
    }
    const HeatmapLayout layout = layout_heatmap(scene, bounds);
    CanvasTransform transform = heatmap_transform(scene.rows(), scene.columns());
    transform.set_viewport(layout.cells.width(), layout.cells.height());
    transform.fit();
    HeatmapTiles tiles;
    tiles.set_head(scene.head);
    tiles.set_scale(scene.scale);
    const int level =
        level_for(transform, painter.device()->devicePixelRatioF() * painter.transform().m11());
    std::vector<TileKey> keys = visible_tiles(transform, scene.head, level, scene.reduce);
    for (const TileKey& key : visible_sums(transform, scene.head)) keys.push_back(key);
    tiles.compute_now(keys);
    paint_heatmap(painter, {scene, layout, transform, tiles, level}, nullptr);
  };
}

QSize HeatmapView::export_size() const {
  // Cells large enough for labels up to 128 tokens; beyond that smaller cells, beyond kMostExport
  // tokens blocks of cells. A larger scale of the export gives all of them more pixels.
  const int64_t rows = std::max<int64_t>(1, scene_.rows());
  double cell = std::max(1.0, std::floor(kMostExport / 2 / static_cast<double>(rows)));
  if (rows <= 128) cell = rows <= 40 ? 28 : 16;
  const double side =
      std::clamp(cell * static_cast<double>(rows), 200.0, static_cast<double>(kMostExport));
  // The margins of a picture of this size: layout once with room to spare.
  HeatmapScene scene = scene_;
  scene.caption = true;
  const QRectF trial(0, 0, side + 800, side + 800);
  const QRectF cells = layout_heatmap(scene, trial).cells;
  return {static_cast<int>(std::ceil(trial.width() - cells.width() + side)),
          static_cast<int>(std::ceil(trial.height() - cells.height() + side))};
}

std::function<QByteArray()> HeatmapView::table() const {
  const RequestView* view = request();
  if (!view) return [] { return QByteArray(); };
  const int64_t rows = scene_.past ? scene_.past->computed : std::numeric_limits<int64_t>::max();
  return [copy = *view, head = scene_.head, rows] {
    return QByteArray::fromStdString(heatmap_csv(copy, head.layer, head.head, rows));
  };
}

}  // namespace attn::gui
