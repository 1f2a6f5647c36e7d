// SPDX-License-Identifier: GPL-3.0-or-later
// CellTooltip: the tooltip of the cell under the pointer. GUI thread.
#pragma once

#include <QPoint>
#include <QString>
#include <QWidget>

#include "gui/views/attention/heatmap/choice/cell_places.h"
#include "gui/views/attention/heatmap/heatmap_tiles.h"

namespace attn::gui {

class CellTooltip {
 public:
  explicit CellTooltip(QWidget& view) : view_(view) {}

  // tiles: those of scene.head. place: in pixels of the screen.
  void show(const HeatmapCell& cell, const HeatmapScene& scene, const HeatmapTiles& tiles,
            int level, const QPoint& place);
  void hide();

 private:
  QWidget& view_;
};

}  // namespace attn::gui
