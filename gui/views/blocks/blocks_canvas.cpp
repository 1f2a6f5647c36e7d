// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/blocks_canvas.h"

#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"
#include "gui/views/blocks/blocks_picture.h"
#include "gui/views/blocks/drawing/block_places.h"
#include "gui/views/blocks/drawing/prefix_painter.h"
#include "gui/widgets/text/screen_line.h"
#include "gui/widgets/text/text_width.h"

namespace attn::gui {
namespace {

// A long trace is read in pieces of this many events, so that the window answers meanwhile.
constexpr size_t kEventsAtOnce = 100000;

const std::vector<TraceEvent>& no_events() {
  static const std::vector<TraceEvent> none;
  return none;
}

std::vector<MoveArrow> still_arrows(const EngineSnapshot& snapshot) {
  std::vector<MoveArrow> arrows;
  for (const BlockMoved& move : moves_of(snapshot)) arrows.push_back({.move = move});
  return arrows;
}

}  // namespace

BlocksCanvas::BlocksCanvas(Selection& selection, QWidget* parent)
    : Canvas(tr("Cache blocks"), parent), selection_(selection), events_(&no_events()) {
  clock_.start();
  fading_.setInterval(16);
  reading_.setInterval(0);
  connect(&fading_, &QTimer::timeout, this, &BlocksCanvas::fade);
  connect(&reading_, &QTimer::timeout, this, &BlocksCanvas::read_trace);
  connect(&selection_, &Selection::changed, this, &BlocksCanvas::selection_changed);
  connect(&selection_, &Selection::shown_changed, this, &BlocksCanvas::selection_changed);
  connect(&selection_, &Selection::pointed_changed, this, [this] {
    if (scene_.snapshot) set_hovered(place_of_pointed(selection_.pointed(), *scene_.snapshot));
  });
  connect(&Theme::instance(), &Theme::changed, this, &BlocksCanvas::relayout);
}

void BlocksCanvas::reset() {
  scene_.snapshot.reset();
  scene_.tree.set_snapshot(nullptr);
  scene_.order.clear();
  scene_.highlight = {};
  scene_.cursor = scene_.hovered = -1;
  flashes_.clear();
  arrows_.clear();
  readers_.clear();
  step_tiles_ = {};
  fade();
  relayout();
}

bool BlocksCanvas::is_moving(const EngineSnapshot& snapshot) const {
  return snapshot.phase == EnginePhase::kRunning && isVisible() && !of_the_past_ &&
         !Theme::instance().reduce_motion();
}

void BlocksCanvas::show_changes(const EngineSnapshot& after) {
  const EngineSnapshot* before = scene_.snapshot.get();
  if (!is_moving(after)) {
    flashes_.clear();
    arrows_.clear();
  } else if (before) {
    flashes_.add_changes(*before, after, clock_.elapsed());
    if (before->run == after.run && before->step != after.step)
      for (const BlockMoved& move : moves_of(after)) arrows_.add(move, clock_.elapsed());
  }
}

// While changes are animated, adds arrows for the recorded moves, also for moves in steps without a
// snapshot. With kReader it also reads on in the trace.
void BlocksCanvas::take_events(int64_t from, int64_t to) {
  if (!scene_.snapshot) return;
  if (is_moving(*scene_.snapshot)) {
    for (int64_t i = from; i < to; ++i)
      if (const auto move = move_of(*scene_.snapshot, (*events_)[static_cast<size_t>(i)]))
        arrows_.add(*move, clock_.elapsed());
    if (!arrows_.empty()) fade();
  }
  if (scene_.coloring.by == BlockColorBy::kReader) read_trace();
}

void BlocksCanvas::fade() {
  flashes_.advance(clock_.elapsed());
  arrows_.advance(clock_.elapsed());
  scene_.flashes = flashes_.all();
  const bool moving = scene_.snapshot && is_moving(*scene_.snapshot);
  scene_.arrows = moving            ? arrows_.all()
                  : scene_.snapshot ? still_arrows(*scene_.snapshot)
                                    : std::vector<MoveArrow>{};
  if (flashes_.empty() && arrows_.empty())
    fading_.stop();
  else if (!fading_.isActive())
    fading_.start();
  update();
}

// Events that begin after this time are not read. It is the end of the snapshot's last step (0 if
// it has none) if of_the_past_, else there is no limit.
uint64_t BlocksCanvas::trace_end_ns() const {
  if (!of_the_past_) return std::numeric_limits<uint64_t>::max();
  const auto& steps = scene_.snapshot->steps;
  return steps && !steps->empty() ? steps->back().end_ns : 0;
}

void BlocksCanvas::read_trace() {
  const bool wanted = scene_.coloring.by == BlockColorBy::kReader && scene_.snapshot;
  if (!wanted || readers_.read(*events_, scene_.snapshot->block_size, scene_.snapshot->rules.get(),
                               trace_end_ns(), kEventsAtOnce))
    reading_.stop();
  else if (!reading_.isActive())
    reading_.start();
  update();
}

void BlocksCanvas::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot, bool of_the_past) {
  if (of_the_past != of_the_past_ || (of_the_past && snapshot != scene_.snapshot)) readers_.clear();
  of_the_past_ = of_the_past;
  if (!snapshot) return reset();
  show_changes(*snapshot);
  scene_.snapshot = std::move(snapshot);
  if (scene_.tree_shown()) scene_.tree.set_snapshot(scene_.snapshot);
  fade();
  scene_.order = table_order(*scene_.snapshot);
  scene_.coloring = BlockColoring::make(scene_.coloring.by, *scene_.snapshot, &readers_);
  scene_.highlight = highlight_of(selection_.state(), selection_.shown_request(), *scene_.snapshot,
                                  *events_, step_tiles_);
  if (!is_place(*scene_.snapshot, scene_.cursor)) scene_.cursor = -1;
  if (!is_place(*scene_.snapshot, scene_.hovered)) scene_.hovered = -1;
  if (scene_.coloring.by == BlockColorBy::kReader) read_trace();
  relayout();
}

void BlocksCanvas::relayout() {
  arrange(scene_, QRectF(rect()), true);
  show_run_button(scene_.snapshot && scene_.snapshot->blocks.empty() &&
                  scene_.snapshot->phase == EnginePhase::kPaused);
  update();
}

void BlocksCanvas::set_color_by(BlockColorBy by) {
  scene_.coloring.by = by;
  if (scene_.snapshot) scene_.coloring = BlockColoring::make(by, *scene_.snapshot, &readers_);
  read_trace();
}

void BlocksCanvas::set_parts(bool grid, bool tables, bool prefixes) {
  scene_.show_grid = grid || !(tables || prefixes);
  scene_.show_tables = tables;
  scene_.show_prefixes = prefixes;
  scene_.tree.set_snapshot(scene_.tree_shown() ? scene_.snapshot : nullptr);
  if (!scene_.tree_shown()) scene_.keys_in_tree = false;
  // The parts change their sizes, so the grids are fitted again.
  for (BlockGrid* pool : {&scene_.grid, &scene_.host}) {
    pool->set_area(QRectF());
    pool->fit();
  }
  scene_.prefixes.fit();
  relayout();
}

void BlocksCanvas::selection_changed() {
  if (!scene_.snapshot) return;
  const BlockHighlight before = scene_.highlight;
  scene_.highlight = highlight_of(selection_.state(), selection_.shown_request(), *scene_.snapshot,
                                  *events_, step_tiles_);
  if (before == scene_.highlight) return;
  relayout();
  const int64_t primary = scene_.highlight.primary;
  if (primary >= 0) set_cursor(primary);
  for (size_t row = 0; row < scene_.order.size(); ++row) {
    const TableRow& table = scene_.order[row];
    const RequestView& request = request_of(*scene_.snapshot, table);
    if (static_cast<int64_t>(request.id) != scene_.highlight.request) continue;
    int64_t logical = static_cast<int64_t>(table_of(*scene_.snapshot, table).size()) - 1;
    while (logical >= 0 && table_place(*scene_.snapshot, request, table.kind, logical) != primary)
      --logical;
    if (primary >= 0 && logical < 0 && request.on_device()) continue;  // another table has it
    scene_.tables.reveal(static_cast<int64_t>(row), primary < 0 ? -1 : logical);
    if (primary < 0) break;
  }
  update();
}

void BlocksCanvas::select_block(int64_t place) {
  if (!scene_.snapshot || !is_place(*scene_.snapshot, place)) return;
  scene_.cursor = place;
  selection_.select(selection_of_place(*scene_.snapshot, place));
}

void BlocksCanvas::set_cursor(int64_t place) {
  scene_.cursor = place;
  if (scene_.grid_shown()) scene_.grid_of(place).reveal(number_at(*scene_.snapshot, place));
  if (const int node = scene_.tree.node_of(place); scene_.tree_shown() && node >= 0)
    scene_.prefixes.reveal(scene_.tree.nodes()[static_cast<size_t>(node)]);
  setAccessibleDescription(block_sentence(*scene_.snapshot, place));
  update();
}

// If the keys move in the prefix tree, the cursor follows its edges and columns. Otherwise it moves
// in the grids of the device pool and the host pool, and from one into the other.
void BlocksCanvas::move_cursor(int64_t columns, int64_t rows) {
  if (!scene_.snapshot || num_places(*scene_.snapshot) == 0) return;
  if (scene_.keys_in_tree) {
    const auto& nodes = scene_.tree.nodes();
    int node = scene_.tree.node_of(scene_.cursor);
    do node = scene_.tree.neighbour(node, static_cast<int>(columns), static_cast<int>(rows));
    while (node >= 0 && nodes[static_cast<size_t>(node)].block < 0);  // skips evicted ones
    if (node >= 0) set_cursor(nodes[static_cast<size_t>(node)].block);
    return;
  }
  const int64_t device = num_device_places(*scene_.snapshot);
  int64_t place = scene_.cursor;
  if (place < 0) {
    place = 0;
  } else {
    place = std::clamp<int64_t>(place + columns, 0, num_places(*scene_.snapshot) - 1);
    const bool host = place >= device;
    const int64_t first = host ? device : 0, count = host ? scene_.host.num_blocks() : device;
    const int64_t moved = place - first + rows * scene_.grid_of(place).columns();
    if (moved >= 0 && moved < count)
      place = first + moved;
    else if (!host && moved >= count && scene_.has_host())
      place = device;
    else if (host && moved < 0)
      place = device - 1;
  }
  set_cursor(place);
}

BlocksCanvas::Part BlocksCanvas::part_at(const QPointF& position) const {
  if (!scene_.snapshot) return Part::kNone;
  // The tables may reach into the area of the grid.
  if (scene_.show_tables && scene_.tables.area.contains(position)) return Part::kTables;
  if (scene_.grid_shown() && scene_.grid.area().contains(position)) return Part::kDevice;
  if (scene_.grid_shown() && scene_.has_host() && scene_.host.area().contains(position))
    return Part::kHost;
  if (scene_.tree_shown() && scene_.prefixes.area().contains(position)) return Part::kPrefixes;
  return Part::kNone;
}

int64_t BlocksCanvas::block_at(const QPointF& position) const {
  switch (part_at(position)) {
    case Part::kDevice:
      return scene_.grid.block_at(position);
    case Part::kHost: {
      const int64_t block = scene_.host.block_at(position);
      return block < 0 ? -1 : host_place(*scene_.snapshot, block);
    }
    case Part::kTables: {
      const int64_t row = scene_.tables.row_at(position),
                    logical = scene_.tables.logical_at(position);
      if (row < 0 || logical < 0) return -1;
      const TableRow& table = scene_.order[static_cast<size_t>(row)];
      return table_place(*scene_.snapshot, request_of(*scene_.snapshot, table), table.kind,
                         logical);
    }
    case Part::kPrefixes: {
      const int node = scene_.prefixes.node_at(scene_.tree, position);
      return node < 0 ? -1 : scene_.tree.nodes()[static_cast<size_t>(node)].block;
    }
    case Part::kNone:
      break;
  }
  return -1;
}

void BlocksCanvas::fit_all() {
  scene_.grid.fit();
  scene_.host.fit();
  scene_.prefixes.fit();
  scene_.tables.scroll_x = scene_.tables.scroll_y = 0;
  relayout();
}

void BlocksCanvas::go_to_place(const std::vector<double>& place) {
  scene_.grid.go_to_place(place);
  update();
}

void BlocksCanvas::fit() {
  const int64_t primary = scene_.highlight.primary;
  if (primary < 0) return fit_all();
  const int node = scene_.tree.node_of(primary);
  if (scene_.keys_in_tree && node >= 0)
    scene_.prefixes.fit_node(scene_.tree.nodes()[static_cast<size_t>(node)]);
  else
    scene_.grid_of(primary).fit_block(number_at(*scene_.snapshot, primary));
  update();
}

void BlocksCanvas::zoom(double factor) {
  const int64_t cursor = scene_.cursor;
  if (scene_.keys_in_tree) {
    const int node = scene_.tree.node_of(cursor);
    scene_.prefixes.zoom_at(
        node < 0 ? scene_.prefixes.area().center()
                 : scene_.prefixes.rect_of(scene_.tree.nodes()[static_cast<size_t>(node)]).center(),
        factor);
  } else if (BlockGrid& grid = scene_.grid_of(cursor);
             cursor >= 0 && grid.area().contains(scene_.rect_of(cursor).center())) {
    grid.zoom_at(scene_.rect_of(cursor).center(), factor);
  } else {
    grid.zoom_center(factor);
  }
  update();
}

void BlocksCanvas::set_hovered(int64_t place) {
  if (place == scene_.hovered) return;
  scene_.hovered = place;
  update();
}

QString BlocksCanvas::tooltip_at(const QPointF& position) {
  if (const int64_t place = block_at(position); place >= 0)
    return block_tooltip(*scene_.snapshot, place, &readers_);
  if (part_at(position) != Part::kPrefixes) return {};
  const int node = scene_.prefixes.node_at(scene_.tree, position);
  return node < 0 ? QString() : evicted_tooltip(scene_.tree.nodes()[static_cast<size_t>(node)]);
}

ViewPoint BlocksCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (const int64_t place = block_at(position); place >= 0) {
    point.things.push_back(selection_of_place(*scene_.snapshot, place));
    point.numbers.push_back({tr("block"), QString::number(number_at(*scene_.snapshot, place))});
    if (const BlockTokens tokens = tokens_of(*scene_.snapshot, place); tokens.filled > 0)
      point.numbers.push_back({tr("filled slots"), QString::number(tokens.filled)});
  }
  if (part_at(position) == Part::kTables)
    if (const int64_t row = scene_.tables.row_at(position); row >= 0)
      point.request = request_of(*scene_.snapshot, scene_.order[static_cast<size_t>(row)]).id;
  return point;
}

std::optional<QPointF> BlocksCanvas::place_of_selection() {
  if (!scene_.snapshot) return std::nullopt;
  int64_t place = gui::place_of_selection(*scene_.snapshot, selection_.state());
  if (place < 0 && is_place(*scene_.snapshot, scene_.cursor)) place = scene_.cursor;
  return place < 0 ? std::nullopt : std::optional(scene_.rect_of(place).center());
}

void BlocksCanvas::paint_all(QPainter& painter, const QRectF& bounds) {
  if (scene_.snapshot && scene_.coloring.by == BlockColorBy::kReader)
    while (!readers_.read(*events_, scene_.snapshot->block_size, scene_.snapshot->rules.get(),
                          trace_end_ns(), kEventsAtOnce)) {
    }
  BlocksScene scene = scene_;
  scene.cursor = scene.hovered = -1;
  scene.flashes.clear();
  if (scene.snapshot) scene.arrows = still_arrows(*scene.snapshot);
  scene.grid = scene.host = BlockGrid();
  scene.prefixes = PrefixLayout();
  scene.tree_below = true;
  scene.show_prefixes = exports_prefixes_;
  scene.tree.set_snapshot(scene.tree_shown() ? scene.snapshot : nullptr);
  scene.tables.scroll_x = scene.tables.scroll_y = 0;
  scene.focused = false;
  painter.fillRect(bounds, Theme::instance().colors().surface);
  const BlocksPicture picture =
      picture_of_blocks(scene_, caption_, exports_prefixes_, bounds.width());
  scene.tables_below = picture.tables_below;
  scene.legend_lines = picture.legend_lines;
  const double title = title_height_of_blocks();
  paint_title(painter, QRectF(bounds.left(), bounds.top(), bounds.width(), title));
  arrange(scene, bounds.adjusted(0, title, 0, 0), true);
  BlockPainter own;
  own.paint(painter, scene);
}

void BlocksCanvas::paint_title(QPainter& painter, const QRectF& bounds) const {
  const Theme& theme = Theme::instance();
  QRectF line = bounds.adjusted(theme.px(8), theme.px(8), -theme.px(8), 0);
  const QFont bold = theme.font(TextRole::kTitle, QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme.colors().text);
  const QString title = tr("KV cache blocks");
  draw_line(painter, line, Qt::AlignLeft | Qt::AlignVCenter, title);
  if (caption_.isEmpty()) return;
  line.setLeft(line.left() + text_width(bold, title) + theme.px(12));
  painter.setFont(theme.font());
  painter.setPen(theme.colors().muted);
  draw_line(painter, line, Qt::AlignLeft | Qt::AlignVCenter,
            elided_text(theme.font(), caption_, line.width()));
}

QSize BlocksCanvas::full_size(std::optional<double> width) const {
  return picture_of_blocks(scene_, caption_, exports_prefixes_, width).size;
}

}  // namespace attn::gui

#include "moc_blocks_canvas.cpp"
