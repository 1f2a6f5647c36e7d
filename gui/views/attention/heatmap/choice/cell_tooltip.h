// SPDX-License-Identifier: GPL-3.0-or-later
// CellTooltip: the tooltip of the cell under the pointer. Its numbers can change while the pointer
// stands still, such as when the run is stepped. GUI thread.
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

  // tiles: the tiles of scene.head. place: in pixels of the screen.
  void show(const HeatmapCell& cell, const HeatmapScene& scene, const HeatmapTiles& tiles,
            int level, const QPoint& place);
  void hide();
  // If the tooltip is still shown, writes the present text of its cell into it. Hides the tooltip
  // if its cell is not under the pointer any more, for example because another run has started.
  void refresh(const HeatmapScene& scene, const HeatmapTiles& tiles, int level);

 private:
  bool is_shown() const;

  QWidget& view_;
  HeatmapCell cell_;
  QPoint place_;
  QString shown_;  // HTML of the tooltip shown last; empty after hide()
};

}  // namespace attn::gui
