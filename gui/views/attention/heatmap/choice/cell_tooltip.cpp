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

}  // namespace

void CellTooltip::show(const HeatmapCell& cell, const HeatmapScene& scene,
                       const HeatmapTiles& tiles, int level, const QPoint& place) {
  QString text = heatmap_cell_text(scene, tiles, cell.query, cell.key);
  const QString detail = detail_sentence(scene, level);
  if (!detail.isEmpty()) text += QLatin1Char('\n') + detail;
  QToolTip::showText(place, tooltip_html(text), &view_);
}

void CellTooltip::hide() {
  QToolTip::hideText();
}

}  // namespace attn::gui
