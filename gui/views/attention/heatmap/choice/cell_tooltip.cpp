// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heatmap/choice/cell_tooltip.h"

#include <QToolTip>

#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/heatmap_text.h"

namespace attn::gui {
namespace {

// Escapes the text, so that tokens such as <s> are not taken for markup.
QString tooltip_html(const QString& text) {
  return QStringLiteral("<div style='white-space:pre'>%1</div>").arg(text.toHtmlEscaped());
}

QString html_of_cell(const HeatmapCell& cell, const HeatmapScene& scene, const HeatmapTiles& tiles,
                     int level) {
  QString text = heatmap_cell_text(scene, tiles, cell.query, cell.key);
  const QString detail = detail_sentence(scene, level);
  if (!detail.isEmpty()) text += QLatin1Char('\n') + detail;
  return tooltip_html(text);
}

}  // namespace

void CellTooltip::show(const HeatmapCell& cell, const HeatmapScene& scene,
                       const HeatmapTiles& tiles, int level, const QPoint& place) {
  cell_ = cell;
  place_ = place;
  shown_ = html_of_cell(cell, scene, tiles, level);
  QToolTip::showText(place_, shown_, &view_);
}

void CellTooltip::hide() {
  shown_.clear();
  QToolTip::hideText();
}

// The whole program has one tooltip, so the visible tooltip can be that of another widget.
bool CellTooltip::is_shown() const {
  return !shown_.isEmpty() && QToolTip::isVisible() && QToolTip::text() == shown_;
}

void CellTooltip::refresh(const HeatmapScene& scene, const HeatmapTiles& tiles, int level) {
  if (!is_shown()) return;
  const bool is_there = scene.hover_query == cell_.query && scene.hover_key == cell_.key &&
                        cell_.query < scene.rows() && cell_.key < scene.columns();
  if (!is_there) return hide();
  if (html_of_cell(cell_, scene, tiles, level) != shown_) show(cell_, scene, tiles, level, place_);
}

}  // namespace attn::gui
