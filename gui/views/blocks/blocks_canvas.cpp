// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/blocks/blocks_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

const std::vector<TraceEvent>& no_events() {
  static const std::vector<TraceEvent> none;
  return none;
}

}  // namespace

BlocksCanvas::BlocksCanvas(Selection& selection, QWidget* parent)
    : Canvas(tr("Cache blocks"), parent), selection_(selection), events_(&no_events()) {
  clock_.start();
  fading_.setInterval(16);
  connect(&fading_, &QTimer::timeout, this, &BlocksCanvas::fade);
  connect(&selection_, &Selection::changed, this, &BlocksCanvas::selection_changed);
  connect(&selection_, &Selection::shown_changed, this, &BlocksCanvas::selection_changed);
  connect(&Theme::instance(), &Theme::changed, this, &BlocksCanvas::relayout);
}

void BlocksCanvas::reset() {
  scene_.snapshot.reset();
  scene_.order.clear();
  scene_.highlight = {};
  scene_.cursor = scene_.hovered = -1;
  flashes_.clear();
  fade();
  relayout();
}

// Only while it runs: a picture that stands, stands still.
void BlocksCanvas::flash_changes(const EngineSnapshot& after) {
  const bool moves =
      after.phase == EnginePhase::kRunning && isVisible() && !Theme::instance().reduce_motion();
  if (!moves)
    flashes_.clear();
  else if (scene_.snapshot)
    flashes_.add_changes(*scene_.snapshot, after, clock_.elapsed());
  fade();
}

void BlocksCanvas::fade() {
  flashes_.advance(clock_.elapsed());
  scene_.flashes = flashes_.all();
  if (flashes_.empty())
    fading_.stop();
  else if (!fading_.isActive())
    fading_.start();
  update();
}

void BlocksCanvas::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  if (!snapshot) return reset();
  flash_changes(*snapshot);
  scene_.snapshot = std::move(snapshot);
  scene_.order = table_order(*scene_.snapshot);
  scene_.coloring = BlockColoring::make(scene_.coloring.by, *scene_.snapshot);
  scene_.highlight =
      highlight_of(selection_.state(), selection_.shown_request(), *scene_.snapshot, *events_);
  if (scene_.cursor >= static_cast<int64_t>(scene_.snapshot->blocks.size())) scene_.cursor = -1;
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
  if (scene_.snapshot) scene_.coloring = BlockColoring::make(by, *scene_.snapshot);
  update();
}

void BlocksCanvas::set_parts(bool grid, bool tables) {
  scene_.show_grid = grid || !tables;
  scene_.show_tables = tables;
  scene_.grid.set_area(QRectF());  // the room changes by more than a resize: fit again
  scene_.grid.fit();
  relayout();
}

void BlocksCanvas::selection_changed() {
  if (!scene_.snapshot) return;
  const BlockHighlight before = scene_.highlight;
  scene_.highlight =
      highlight_of(selection_.state(), selection_.shown_request(), *scene_.snapshot, *events_);
  if (before == scene_.highlight) return;
  relayout();
  if (scene_.highlight.primary >= 0) {
    scene_.cursor = scene_.highlight.primary;
    if (scene_.show_grid) scene_.grid.reveal(scene_.highlight.primary);
    setAccessibleDescription(block_sentence(*scene_.snapshot, scene_.highlight.primary));
  }
  // Its row comes into sight.
  for (size_t row = 0; row < scene_.order.size(); ++row) {
    const RequestView& request = scene_.snapshot->requests[static_cast<size_t>(scene_.order[row])];
    if (static_cast<int64_t>(request.id) != scene_.highlight.request) continue;
    const auto at = std::find(request.blocks.begin(), request.blocks.end(),
                              static_cast<int32_t>(scene_.highlight.primary));
    scene_.tables.reveal(static_cast<int64_t>(row),
                         at == request.blocks.end() ? -1 : at - request.blocks.begin());
  }
  update();
}

void BlocksCanvas::select_block(int64_t block) {
  if (!scene_.snapshot || block < 0 ||
      block >= static_cast<int64_t>(scene_.snapshot->blocks.size()))
    return;
  scene_.cursor = block;
  SelectionState state;
  state.kind = SelectionKind::kBlock;
  state.block = block;
  state.request = scene_.snapshot->blocks[static_cast<size_t>(block)].owner;
  selection_.select(state);
}

void BlocksCanvas::move_cursor(int64_t columns, int64_t rows) {
  const int64_t count = scene_.grid.num_blocks();
  if (count == 0) return;
  int64_t block = scene_.cursor;
  if (block < 0) {
    block = 0;
  } else {
    block += columns;
    const int64_t moved = block + rows * scene_.grid.columns();
    if (moved >= 0 && moved < count) block = moved;
  }
  scene_.cursor = std::clamp<int64_t>(block, 0, count - 1);
  scene_.grid.reveal(scene_.cursor);
  setAccessibleDescription(block_sentence(*scene_.snapshot, scene_.cursor));
  update();
}

int64_t BlocksCanvas::block_at(const QPointF& position) const {
  if (!scene_.snapshot) return -1;
  if (scene_.show_grid)
    if (const int64_t block = scene_.grid.block_at(position); block >= 0) return block;
  if (!scene_.show_tables) return -1;
  const int64_t row = scene_.tables.row_at(position), logical = scene_.tables.logical_at(position);
  if (row < 0 || logical < 0) return -1;
  const RequestView& request =
      scene_.snapshot->requests[static_cast<size_t>(scene_.order[static_cast<size_t>(row)])];
  return logical < static_cast<int64_t>(request.blocks.size())
             ? request.blocks[static_cast<size_t>(logical)]
             : -1;
}

void BlocksCanvas::fit_all() {
  scene_.grid.fit();
  scene_.tables.scroll_x = scene_.tables.scroll_y = 0;
  relayout();
}

void BlocksCanvas::fit() {
  if (scene_.highlight.primary < 0) return fit_all();
  scene_.grid.fit_block(scene_.highlight.primary);
  update();
}

void BlocksCanvas::zoom(double factor) {
  if (scene_.cursor >= 0 &&
      scene_.grid.area().contains(scene_.grid.rect_of(scene_.cursor).center())) {
    scene_.grid.zoom_at(scene_.grid.rect_of(scene_.cursor).center(), factor);
  } else {
    scene_.grid.zoom_center(factor);
  }
  update();
}

void BlocksCanvas::set_hovered(int64_t block) {
  if (block == scene_.hovered) return;
  scene_.hovered = block;
  update();
}

void BlocksCanvas::resizeEvent(QResizeEvent*) {
  relayout();
}

void BlocksCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!scene_.snapshot || scene_.snapshot->blocks.empty()) {
    paint_empty(
        painter, tr("No cache yet"),
        tr("The blocks of the paged cache appear here and fill with tokens. Press Space to run."));
  } else {
    scene_.focused = hasFocus();
    painter_.paint(painter, scene_);
  }
  paint_focus(painter);
}

void BlocksCanvas::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  if (event->button() == Qt::MiddleButton) {
    panning_ = true;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton) {
    pressed_ = true;
  }
}

void BlocksCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF moved = event->position() - press_;
  // A zoomed grid is also dragged with the left button, as a map is.
  if (pressed_ && !panning_ && !scene_.grid.is_fit() && scene_.grid.area().contains(press_) &&
      moved.manhattanLength() >= kDragDistance)
    panning_ = true;
  if (panning_) {
    if (scene_.tables.area.contains(press_)) {
      scene_.tables.scroll_x -= moved.x();
      scene_.tables.scroll_y -= moved.y();
      scene_.tables.clamp();
    } else {
      scene_.grid.pan(moved);
    }
    press_ = event->position();
    update();
    return;
  }
  set_hovered(block_at(event->position()));
}

void BlocksCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const bool was_panning = panning_;
  panning_ = false;
  unsetCursor();
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_ = false;
  if (was_panning) return;
  const QPointF at = event->position();
  if (const int64_t block = block_at(at); block >= 0) return select_block(block);
  const int64_t row = scene_.show_tables ? scene_.tables.row_at(at) : -1;
  if (row >= 0) {
    const RequestView& request =
        scene_.snapshot->requests[static_cast<size_t>(scene_.order[static_cast<size_t>(row)])];
    selection_.clear();
    selection_.show(request.id, selection_.shown_layer(), selection_.shown_head());
  } else {
    selection_.clear();
  }
}

void BlocksCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = false;
  const int64_t block = block_at(event->position());
  if (block < 0) return fit_all();
  select_block(block);
  fit();
}

void BlocksCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const double notches = (delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
  const bool sideways = (event->modifiers() & Qt::ShiftModifier) || delta.y() == 0;
  if (event->modifiers() & Qt::ControlModifier) {
    const double factor = std::pow(kWheelZoom, notches);
    if (scene_.grid.area().contains(event->position())) {
      scene_.grid.zoom_at(event->position(), factor);
    } else {
      zoom(factor);
    }
  } else if (scene_.show_tables && scene_.tables.area.contains(event->position())) {
    (sideways ? scene_.tables.scroll_x : scene_.tables.scroll_y) -= notches * 2 * scene_.tables.row;
    scene_.tables.clamp();
  } else {
    const double step = notches * std::max(24.0, scene_.grid.cell());
    scene_.grid.pan(sideways ? QPointF(step, 0) : QPointF(0, step));
  }
  set_hovered(block_at(event->position()));
  update();
  event->accept();
}

void BlocksCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      move_cursor(-1, 0);
      break;
    case Qt::Key_Right:
      move_cursor(1, 0);
      break;
    case Qt::Key_Up:
      move_cursor(0, -1);
      break;
    case Qt::Key_Down:
      move_cursor(0, 1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      select_block(scene_.cursor);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoom(kKeyZoom);
      break;
    case Qt::Key_Minus:
      zoom(1 / kKeyZoom);
      break;
    case Qt::Key_F:
      fit();
      break;
    case Qt::Key_Home:
      fit_all();
      break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      scene_.tables.scroll_y +=
          (event->key() == Qt::Key_PageUp ? -1 : 1) * scene_.tables.body().height();
      scene_.tables.clamp();
      break;
    case Qt::Key_Escape:
      selection_.clear();
      break;
    default:
      Canvas::keyPressEvent(event);
      return;
  }
  update();
  event->accept();
}

void BlocksCanvas::leaveEvent(QEvent*) {
  set_hovered(-1);
}

QString BlocksCanvas::tooltip_at(const QPointF& position) {
  const int64_t block = block_at(position);
  return block < 0 ? QString() : block_tooltip(*scene_.snapshot, block);
}

void BlocksCanvas::paint_all(QPainter& painter, const QRectF& bounds) {
  BlocksScene scene = scene_;
  scene.cursor = scene.hovered = -1;
  scene.flashes.clear();
  scene.grid = BlockGrid();
  scene.tables.scroll_x = scene.tables.scroll_y = 0;
  scene.focused = false;
  painter.fillRect(bounds, Theme::instance().colors().surface);
  const double title = title_height();
  paint_title(painter, QRectF(bounds.left(), bounds.top(), bounds.width(), title));
  arrange(scene, bounds.adjusted(0, title, 0, 0), true);
  BlockPainter own;
  own.paint(painter, scene);
}

double BlocksCanvas::title_height() {
  return Theme::instance().px(30);
}

// What the picture shows, then when: a file has no panel header around it.
void BlocksCanvas::paint_title(QPainter& painter, const QRectF& bounds) const {
  const Theme& theme = Theme::instance();
  QRectF line = bounds.adjusted(theme.px(8), theme.px(8), -theme.px(8), 0);
  const QFont bold = theme.font(TextRole::kTitle, QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme.colors().text);
  const QString title = tr("KV cache blocks");
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
  if (caption_.isEmpty()) return;
  line.setLeft(line.left() + QFontMetricsF(bold).horizontalAdvance(title) + theme.px(12));
  painter.setFont(theme.font());
  painter.setPen(theme.colors().muted);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(theme.font()).elidedText(caption_, Qt::ElideRight, line.width()));
}

// Wide enough for the longest table or sentence and tall enough for every sequence; the grid takes
// the same height.
QSize BlocksCanvas::full_size() const {
  const Theme& theme = Theme::instance();
  const TableLayout& tables = scene_.tables;
  const TableText text =
      scene_.snapshot ? measure_tables(*scene_.snapshot, scene_.order) : TableText{};
  const double tables_width =
      text.names +
      std::max(text.sentences,
               static_cast<double>(std::max<int64_t>(4, tables.longest)) * tables.cell);
  const double tables_height =
      tables.header + static_cast<double>(tables.num_rows) * tables.row + theme.px(60);
  // Cells in which tokens can be read as long as that stays a picture, then smaller; twice as wide
  // as high.
  const double blocks = static_cast<double>(std::max<int64_t>(1, scene_.grid.num_blocks()));
  const double columns = std::min(blocks, std::exp2(std::round(std::log2(std::sqrt(2 * blocks)))));
  const double largest = BlockGrid::kLargestFitCell * theme.text_percent() / 100;
  const double cell = std::clamp(1600.0 / columns, 4.0, largest);
  const double grid_width = cell * columns, grid_height = cell * std::ceil(blocks / columns);
  const double frame = theme.px(48);
  const QFontMetricsF title(theme.font(TextRole::kTitle, QFont::DemiBold)), words(theme.font());
  const double title_width = title.horizontalAdvance(tr("KV cache blocks")) +
                             words.horizontalAdvance(caption_) + theme.px(16);
  double width = grid_width, height = grid_height;
  if (scene_.show_tables) {
    // arrange() gives the tables between 36% and 60% of the width.
    // ... and the names a sixth.
    width = std::max({(grid_width + theme.px(16)) / 0.64, tables_width / 0.6, text.names / 0.16,
                      scene_.show_grid ? grid_width + tables_width : tables_width});
    height = std::max(scene_.show_grid ? grid_height : 0.0, tables_height);
  }
  width = std::max(width, title_width);
  height += title_height();
  return {static_cast<int>(std::ceil(std::clamp(width + frame, 640.0, 8000.0))),
          static_cast<int>(std::ceil(std::clamp(height + frame, 220.0, 8000.0)))};
}

}  // namespace attn::gui
