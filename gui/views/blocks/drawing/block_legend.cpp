// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/drawing/block_legend.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
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

// The share of a legend of one line that owners or workers get at least; owners get less if the
// tables name them, too. The share of the first of several lines that they may take.
constexpr double kLeastForNames = 0.45, kLeastBesideTables = 0.15, kMostOfFirstLine = 0.8;
constexpr size_t kMostGone = 128;  // no legend has room for more
constexpr double kEndless = 1e6;   // px

template <class Add>
double width_of(QPainter& painter, Add&& add) {
  LegendLine legend(painter, QRectF(0, 0, kEndless, 1), 1, false);
  add(legend);
  return legend.x();
}

bool swatch_of(LegendLine& legend, const EngineSnapshot& snapshot, const RequestView& request,
               bool now) {
  const Theme& theme = Theme::instance();
  return legend.swatch(theme.category_brush(request.id), theme.category_edge(request.id),
                       request_name(snapshot, request.id), now);
}

bool holds_blocks(const RequestView& request) {
  return request.on_device() || request.in_swap();
}

// The requests that hold blocks, then those that gave their blocks back, the last one first.
std::vector<const RequestView*> owners_so_far(const EngineSnapshot& snapshot) {
  std::vector<const RequestView*> owners, gone;
  for (const RequestView& request : snapshot.requests) {
    if (holds_blocks(request))
      owners.push_back(&request);
    else if (request.times.scheduled_ns || request.num_computed > 0)
      gone.push_back(&request);
  }
  std::ranges::sort(owners, {}, &RequestView::id);
  // A request without an end was preempted.
  const auto end = [](const RequestView* request) {
    return std::pair(request->times.finished_ns.value_or(std::numeric_limits<uint64_t>::max()),
                     request->id);
  };
  const auto shown = gone.begin() + static_cast<std::ptrdiff_t>(std::min(gone.size(), kMostGone));
  std::ranges::partial_sort(gone, shown, std::ranges::greater(), end);
  owners.insert(owners.end(), gone.begin(), gone.end());
  return owners;
}

// An owner keeps its entry, faint, when it has given its blocks back. If there is no room for all,
// those that hold blocks have priority.
void add_owners(QPainter& painter, LegendLine& legend, const BlocksScene& scene, double room) {
  const EngineSnapshot& snapshot = *scene.snapshot;
  const std::vector<const RequestView*> all = owners_so_far(snapshot);
  const auto more_words = [](size_t count) { return tr("and %1 more").arg(count); };
  const double more =
      width_of(painter, [&](LegendLine& line) { line.text(more_words(all.size())); });
  std::vector<const RequestView*> shown;
  double used = 0;
  for (const RequestView* request : all) {
    used += width_of(painter, [&](LegendLine& line) {
      line.swatch(Qt::NoBrush, QColor(), request_name(snapshot, request->id));
    });
    if (used + (shown.size() + 1 < all.size() ? more : 0) > room) break;
    shown.push_back(request);
  }
  std::ranges::sort(shown, {}, &RequestView::id);
  for (const RequestView* request : shown)
    swatch_of(legend, snapshot, *request, holds_blocks(*request));
  if (shown.size() < all.size()) legend.text(more_words(all.size() - shown.size()));
}

void add_workers(QPainter& painter, LegendLine& legend, const BlocksScene& scene, double room) {
  const Theme& theme = Theme::instance();
  const auto add = [&](LegendLine& line, int worker) {
    return line.swatch(theme.category_brush(worker), theme.category_edge(worker),
                       tr("worker %1").arg(worker));
  };
  const auto add_unread = [&](LegendLine& line) {
    line.swatch(theme.colors().muted, theme.colors().muted, tr("not read yet"));
  };
  const int workers = scene.coloring.readers ? scene.coloring.readers->num_workers() : 0;
  const double rest = width_of(painter, [&](LegendLine& line) {
    line.text(tr("and %1 more").arg(workers));
    add_unread(line);
  });
  double used = rest;
  for (int worker = 0; worker < workers; ++worker) {
    used += width_of(painter, [&](LegendLine& line) { add(line, worker); });
    if (used > room || !add(legend, worker)) {
      legend.text(tr("and %1 more").arg(workers - worker));
      break;
    }
  }
  add_unread(legend);
}

// room: px, for owners or workers.
void add_meaning(QPainter& painter, LegendLine& legend, const BlocksScene& scene, double room) {
  const ThemeColors& colors = Theme::instance().colors();
  const BlockColoring& coloring = scene.coloring;
  switch (coloring.by) {
    case BlockColorBy::kOwner:
      return add_owners(painter, legend, scene, room);
    case BlockColorBy::kReader:
      return add_workers(painter, legend, scene, room);
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

struct MoveEntry {
  BlockMoved::Kind kind = BlockMoved::Kind::kCopy;
  Qt::PenStyle line = Qt::SolidLine;
  QString words;  // with %1 for the number
};

// The kinds of moves that the run had so far.
std::vector<MoveEntry> move_entries(const BlocksScene& scene) {
  using Kind = BlockMoved::Kind;
  std::vector<MoveEntry> entries{{Kind::kCopy, Qt::SolidLine, tr("copied: %1")},
                                 {Kind::kSwapOut, Qt::DashLine, tr("swapped out: %1")},
                                 {Kind::kSwapIn, Qt::SolidLine, tr("swapped in: %1")}};
  std::erase_if(entries,
                [&](const MoveEntry& entry) { return !scene.moves_so_far.had(entry.kind); });
  return entries;
}

// Adds the numbers of moves in the step to the legend. Moves without a visible arrow count too.
void add_moves(LegendLine& legend, const BlocksScene& scene,
               const std::vector<MoveEntry>& entries) {
  const std::vector<BlockMoved> moves = moves_of(*scene.snapshot);
  for (const MoveEntry& entry : entries) {
    const auto count = std::ranges::count(moves, entry.kind, &BlockMoved::kind);
    legend.arrow(move_color(entry.kind), entry.line, entry.words.arg(format_count(count)),
                 entry.words.arg(format_count(999)), count > 0);
  }
}

void add_marks(LegendLine& legend, const BlocksScene& scene) {
  const ThemeColors& colors = Theme::instance().colors();
  legend.swatch(Qt::NoBrush, free_edge(), tr("free"));
  const auto& scenario = scene.snapshot->scenario;
  if (scenario && scenario->engine.enable_prefix_caching)
    legend.swatch(cached_brush(), free_edge(), tr("cached prefix"));
  legend.outline(colors.good, tr("taken in this step"));
  legend.corner(colors.text, true, tr("read"));
  legend.corner(colors.warning, false, tr("written"));
}

}  // namespace

// In one line the meaning of the colours begins at the left, and moves and marks end at the right,
// so that they keep their places when a request or a kind of move gets its entry.
void paint_legend(QPainter& painter, const BlocksScene& scene) {
  const QRectF& all = scene.legend;
  std::vector<MoveEntry> moves = move_entries(scene);
  if (scene.legend_lines > 1) {
    LegendLine legend(painter, all, scene.legend_lines);
    add_meaning(painter, legend, scene, all.width() * kMostOfFirstLine);
    add_moves(legend, scene, moves);
    add_marks(legend, scene);
    return;
  }
  const BlockColorBy by = scene.coloring.by;
  const bool names = by == BlockColorBy::kOwner || by == BlockColorBy::kReader;
  const double share =
      by == BlockColorBy::kOwner && scene.show_tables ? kLeastBesideTables : kLeastForNames;
  const double least =
      names ? all.width() * share
            : width_of(painter, [&](LegendLine& line) { add_meaning(painter, line, scene, 0); });
  const auto needed = [&] {
    return 1 + width_of(painter, [&](LegendLine& line) {
             add_moves(line, scene, moves);
             add_marks(line, scene);
           });
  };
  const double most = std::max(0.0, all.width() - least);
  while (!moves.empty() && needed() > most) moves.pop_back();
  QRectF right = all, left = all;
  right.setLeft(all.right() - std::min(needed(), most));
  left.setRight(right.left());
  {
    LegendLine meaning(painter, left, 1);
    add_meaning(painter, meaning, scene, left.width());
  }
  LegendLine legend(painter, right, 1);
  add_moves(legend, scene, moves);
  add_marks(legend, scene);
}

}  // namespace attn::gui
