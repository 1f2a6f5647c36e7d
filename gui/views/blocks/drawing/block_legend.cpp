// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_legend.h"

#include <algorithm>
#include <cmath>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/drawing/link_painter.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// Whether owners or workers may take more of the legend; the rest is for the marks.
bool has_room(const LegendLine& legend, const BlocksScene& scene) {
  const double share = scene.legend_lines > 1 ? 0.8 : 0.45;
  return legend.is_first_line() && legend.x() < scene.legend.left() + scene.legend.width() * share;
}

void add_owners(LegendLine& legend, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  int hidden = 0;
  int before = -1;
  for (const TableRow& row : scene.order) {
    const RequestView& request = request_of(*scene.snapshot, row);
    if (table_of(*scene.snapshot, row).empty() || row.request == before) continue;
    before = row.request;
    if (!has_room(legend, scene) ||
        !legend.swatch(theme.category_brush(request.id), theme.category_edge(request.id),
                       request_name(*scene.snapshot, request.id)))
      ++hidden;
  }
  if (hidden > 0) legend.text(tr("and %1 more").arg(hidden));
}

void add_workers(LegendLine& legend, const BlocksScene& scene) {
  const Theme& theme = Theme::instance();
  const int workers = scene.coloring.readers ? scene.coloring.readers->num_workers() : 0;
  for (int worker = 0; worker < workers; ++worker)
    if (!has_room(legend, scene) ||
        !legend.swatch(theme.category_brush(worker), theme.category_edge(worker),
                       tr("worker %1").arg(worker))) {
      legend.text(tr("and %1 more").arg(workers - worker));
      break;
    }
  legend.swatch(theme.colors().muted, theme.colors().muted, tr("not read yet"));
}

void add_meaning(LegendLine& legend, const BlocksScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  const BlockColoring& coloring = scene.coloring;
  switch (coloring.by) {
    case BlockColorBy::kOwner:
      return add_owners(legend, scene);
    case BlockColorBy::kReader:
      return add_workers(legend, scene);
    case BlockColorBy::kHashState:
      for (const HashState state : {HashState::kPartial, HashState::kFull, HashState::kHashed}) {
        const QColor color = coloring.color_of_state(state);
        QString name = text_of(state);
        if (state == HashState::kHashed) name += QStringLiteral(" (#)");
        legend.swatch(color, mix(color, colors.text, 0.25), name);
      }
      return;
    default:
      break;
  }
  const bool counts = coloring.by == BlockColorBy::kRefCount;
  const QString high = format_count(std::llround(coloring.high));
  legend.ramp(coloring.map, !counts, text_of(coloring.by), format_count(std::llround(coloring.low)),
              counts ? high : counted(std::llround(coloring.high), tr("1 step"), tr("%1 steps")));
  if (coloring.by == BlockColorBy::kLastRead)
    legend.swatch(colors.muted, colors.muted, tr("never read"));
}

// Adds the numbers of moves in the step to the legend. Moves without a visible arrow count too.
void add_moves(LegendLine& legend, const BlocksScene& scene) {
  using Kind = BlockMoved::Kind;
  const std::vector<BlockMoved> moves = moves_of(*scene.snapshot);
  const auto add = [&](Kind kind, Qt::PenStyle line, const QString& words) {
    const auto count = std::ranges::count(moves, kind, &BlockMoved::kind);
    if (count > 0) legend.arrow(move_color(kind), line, words.arg(format_count(count)));
  };
  add(Kind::kCopy, Qt::SolidLine, tr("copied: %1"));
  add(Kind::kSwapOut, Qt::DashLine, tr("swapped out: %1"));
  add(Kind::kSwapIn, Qt::SolidLine, tr("swapped in: %1"));
}

}  // namespace

void paint_legend(QPainter& painter, const BlocksScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  LegendLine legend(painter, scene.legend, scene.legend_lines);
  add_meaning(legend, scene);
  add_moves(legend, scene);
  legend.swatch(Qt::NoBrush, free_edge(), tr("free"));
  const auto& scenario = scene.snapshot->scenario;
  if (scenario && scenario->engine.enable_prefix_caching)
    legend.swatch(cached_brush(), free_edge(), tr("cached prefix"));
  legend.outline(colors.good, tr("taken in this step"));
  legend.corner(colors.text, true, tr("read"));
  legend.corner(colors.warning, false, tr("written"));
}

}  // namespace attn::gui
