// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_legend.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gui/models/text.h"
#include "gui/models/words/request_words.h"
#include "gui/theme/theme.h"
#include "gui/views/blocks/drawing/block_paint_util.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/drawing/link_painter.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

// px at 100%: a lower view has one line of legend, so that the blocks keep their room.
constexpr int kHigh = 200;
constexpr int kMostLines = 3;

struct Named {
  QString name;
  int category;  // of Theme
};

QString words_of_more(size_t count) {
  return tr("and %1 more").arg(count);
}

// Adds owners or workers. The rest of the legend is for the marks, which need `of_marks` px; but
// the first one is always named.
void add_named(LegendLine& legend, const std::vector<Named>& all, double of_marks) {
  const Theme& theme = Theme::instance();
  const QRectF line = legend.line();
  const bool one_line = legend.lines() == 1;
  const double share = line.left() + line.width() * (one_line ? 0.45 : 0.8);
  double end = line.right() - of_marks, needed = legend.x();
  for (size_t i = 0; i < all.size() && needed <= end; ++i) needed += legend.width_of(all[i].name);
  if (needed > end) end -= legend.width_of(words_of_more(all.size()));
  for (size_t i = 0; i < all.size(); ++i) {
    const auto& [name, category] = all[i];
    const bool has_room = legend.is_first_line() && legend.x() < share &&
                          (i == 0 || !one_line || legend.x() + legend.width_of(name) <= end);
    if (has_room &&
        legend.swatch(theme.category_brush(category), theme.category_edge(category), name))
      continue;
    legend.text(words_of_more(all.size() - i));
    return;
  }
}

void add_owners(LegendLine& legend, const BlocksScene& scene, double of_marks) {
  std::vector<Named> owners;
  int before = -1;
  for (const TableRow& row : scene.order) {
    const RequestView& request = request_of(*scene.snapshot, row);
    if (table_of(*scene.snapshot, row).empty() || row.request == before) continue;
    before = row.request;
    owners.push_back({request_name(*scene.snapshot, request.id), static_cast<int>(request.id)});
  }
  add_named(legend, owners, of_marks);
}

void add_workers(LegendLine& legend, const BlocksScene& scene, double of_marks) {
  const int count = scene.coloring.readers ? scene.coloring.readers->num_workers() : 0;
  std::vector<Named> workers;
  for (int worker = 0; worker < count; ++worker)
    workers.push_back({tr("worker %1").arg(worker), worker});
  const QString none = tr("not read yet");
  add_named(legend, workers, of_marks + legend.width_of(none));
  legend.swatch(Theme::instance().colors().muted, Theme::instance().colors().muted, none);
}

// of_marks: the width of the entries that follow, px.
void add_meaning(LegendLine& legend, const BlocksScene& scene, double of_marks) {
  const ThemeColors& colors = Theme::instance().colors();
  const BlockColoring& coloring = scene.coloring;
  switch (coloring.by) {
    case BlockColorBy::kOwner:
      return add_owners(legend, scene, of_marks);
    case BlockColorBy::kReader:
      return add_workers(legend, scene, of_marks);
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

struct Mark {
  QString name;
  std::function<bool(LegendLine& legend, const QString& name)> draw;
};

// The numbers of moves in the step. Moves without a visible arrow count too.
void add_moves(std::vector<Mark>& marks, const BlocksScene& scene) {
  using Kind = BlockMoved::Kind;
  const std::vector<BlockMoved> moves = moves_of(*scene.snapshot);
  const auto add = [&](Kind kind, Qt::PenStyle line, const QString& words) {
    const auto count = std::ranges::count(moves, kind, &BlockMoved::kind);
    if (count > 0)
      marks.push_back({words.arg(format_count(count)), [=](LegendLine& legend, const QString& of) {
                         return legend.arrow(move_color(kind), line, of);
                       }});
  };
  add(Kind::kCopy, Qt::SolidLine, tr("copied: %1"));
  add(Kind::kSwapOut, Qt::DashLine, tr("swapped out: %1"));
  add(Kind::kSwapIn, Qt::SolidLine, tr("swapped in: %1"));
}

std::vector<Mark> marks_of(const BlocksScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  std::vector<Mark> marks;
  add_moves(marks, scene);
  const auto swatch = [&](const QBrush& fill, const QString& name) {
    marks.push_back({name, [fill](LegendLine& legend, const QString& of) {
                       return legend.swatch(fill, free_edge(), of);
                     }});
  };
  const auto corner = [&](const QColor& color, bool left, const QString& name) {
    marks.push_back({name, [=](LegendLine& legend, const QString& of) {
                       return legend.corner(color, left, of);
                     }});
  };
  swatch(Qt::NoBrush, tr("free"));
  const auto& scenario = scene.snapshot->scenario;
  if (scenario && scenario->engine.enable_prefix_caching)
    swatch(cached_brush(), tr("cached prefix"));
  marks.push_back(
      {tr("taken in this step"), [color = colors.good](LegendLine& legend, const QString& of) {
         return legend.outline(color, of);
       }});
  corner(colors.text, true, tr("read"));
  corner(colors.warning, false, tr("written"));
  return marks;
}

// False: a mark has no room.
bool add_all(LegendLine& legend, const BlocksScene& scene) {
  const std::vector<Mark> marks = marks_of(scene);
  double width = 0;
  for (const Mark& mark : marks) width += legend.width_of(mark.name);
  add_meaning(legend, scene, width);
  bool whole = true;
  for (const Mark& mark : marks) whole = mark.draw(legend, mark.name) && whole;
  return whole;
}

}  // namespace

double height_of_legend(int lines) {
  return Theme::instance().px(16) * lines;
}

int lines_of_legend(const BlocksScene& scene, const QRectF& inside) {
  if (scene.legend_lines > 1 || !scene.snapshot || inside.height() < Theme::instance().px(kHigh))
    return scene.legend_lines;
  for (int lines = 1; lines < kMostLines; ++lines) {
    const QSizeF size(inside.width(), height_of_legend(lines));
    LegendLine legend(nullptr, QRectF(inside.topLeft(), size), lines);
    if (add_all(legend, scene)) return lines;
  }
  return kMostLines;
}

void paint_legend(QPainter& painter, const BlocksScene& scene) {
  const double lines = scene.legend.height() / height_of_legend(1);
  LegendLine legend(&painter, scene.legend, std::max(1, static_cast<int>(std::lround(lines))));
  add_all(legend, scene);
}

}  // namespace attn::gui
