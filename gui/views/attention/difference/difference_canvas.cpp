// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/difference/difference_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/views/attention/difference/difference_words.h"

namespace attn::gui {
namespace {

constexpr double kPairScroll = 48;  // px per notch of the wheel
// How long to wait for the differences of what is newly shown, to avoid flicker.
constexpr std::chrono::milliseconds kPairWait{8};

}  // namespace

DifferenceCanvas::DifferenceCanvas(QWidget* parent)
    : Canvas(tr("Difference of attention weights of two runs"), parent) {
  scene_.cells.look = PictureLook::read();
  connect(&tiles_, &DifferenceTiles::arrived, this, [this] {
    take_state();
    emit computed();
  });
}

void DifferenceCanvas::set_scene(DifferenceScene scene) {
  const bool same_heads =
      !scene.is_empty() && !scene_.is_empty() && scene.pair.same_heads(scene_.pair);
  // The cells of another request, or of another run, lie elsewhere.
  if (scene.is_empty() || scene_.is_empty() ||
      scene.pair.here.head.record != scene_.pair.here.head.record ||
      scene.pair.beside.head.record != scene_.pair.beside.head.record)
    placed_ = false;
  if (!same_heads) lines_ = 0;
  scene.cells.mark = scene_.cells.mark;
  scene.cells.hover_query = scene_.cells.hover_query;
  scene.cells.hover_key = scene_.cells.hover_key;
  scene_ = std::move(scene);
  want_again_ = true;
  if (scene_.is_empty()) {
    tiles_.clear();
    state_ = {};
  } else if (!same_heads) {
    state_ = {};
  } else {
    state_.behind = true;  // these numbers can be those of another step
  }
  relayout();
  if (!scene_.is_empty() && isVisible()) {
    tiles_.wait(kPairWait);
    take_state();
  }
}

void DifferenceCanvas::set_mark(const HeatmapMark& mark) {
  const HeatmapMark& before = scene_.cells.mark;
  const bool moved =
      mark.kind == HeatmapMark::Kind::kCell &&
      (before.kind != mark.kind || before.query != mark.query || before.key != mark.key);
  scene_.cells.mark = mark;
  if (moved && !scene_.is_empty()) {
    transform_.y.reveal(static_cast<double>(mark.query), static_cast<double>(mark.query_end));
    transform_.x.reveal(static_cast<double>(mark.key), static_cast<double>(mark.key_end));
    view_changed();
  }
  update();
}

void DifferenceCanvas::set_pointed(int64_t query, int64_t key) {
  scene_.cells.hover_query = query;
  scene_.cells.hover_key = key;
  update();
}

QString DifferenceCanvas::sentences() const {
  return scene_.is_empty() ? scene_.pair.refusal
                           : difference_sentences(scene_, state_.sums, state_.behind);
}

void DifferenceCanvas::take_state() {
  state_ = tiles_.state();
  cells_dirty_ = true;
  relayout();
}

// The sentences can need another number of lines, so the cells can get another place.
void DifferenceCanvas::relayout() {
  if (!scene_.is_empty()) {
    layout_ = difference_layout(scene_, state_.sums, state_.behind, QRectF(rect()), lines_);
    lines_ = std::max(lines_, layout_.said.size());
    const QRectF& cells = layout_.cells.cells;
    const auto rows = static_cast<double>(scene_.cells.rows()),
               columns = static_cast<double>(scene_.cells.columns());
    if (!placed_) transform_ = heatmap_transform(scene_.cells.rows(), scene_.cells.columns(), true);
    transform_.set_content(0, columns, 0, rows);
    transform_.set_viewport(cells.width(), cells.height());
    if (!placed_) transform_.fit();
    placed_ = true;
    view_changed();
  }
  update();
}

void DifferenceCanvas::view_changed() {
  level_ = difference_level(transform_, devicePixelRatioF());
  cells_dirty_ = true;
  want();
  update();
}

// Nothing is asked for twice: each answer leads here again.
void DifferenceCanvas::want() {
  if (!isVisible() || scene_.is_empty()) return;
  std::vector<TileKey> keys = difference_keys(scene_, transform_, level_);
  if (keys == wanted_ && !want_again_) return;
  wanted_ = std::move(keys);
  want_again_ = false;
  tiles_.want(scene_.pair, wanted_);
  state_.behind = true;
}

void DifferenceCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (scene_.is_empty()) {
    paint_empty(painter, tr("No difference to show"), scene_.pair.refusal);
    return paint_focus(painter);
  }
  paint_surface(painter, rect(), scene_.cells.look.colors.surface);
  const DifferencePicture picture{scene_, layout_, transform_, state_, level_};
  if (cells_dirty_ || cells_.devicePixelRatio() != devicePixelRatioF()) {
    cells_ = difference_cells(picture, devicePixelRatioF());
    cells_dirty_ = false;
  }
  paint_difference(painter, picture, &cells_);
  paint_focus(painter);
}

void DifferenceCanvas::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  lines_ = 0;
  relayout();
}

void DifferenceCanvas::showEvent(QShowEvent* event) {
  Canvas::showEvent(event);
  relayout();
}

void DifferenceCanvas::fit() {
  transform_.fit();
  view_changed();
}

void DifferenceCanvas::zoom(double factor) {
  transform_.zoom_center(factor);
  view_changed();
}

std::vector<double> DifferenceCanvas::place() const {
  return scene_.is_empty() ? std::vector<double>() : transform_.place();
}

void DifferenceCanvas::go_to_place(const std::vector<double>& place) {
  if (scene_.is_empty()) return;
  transform_.go_to_place(place);
  view_changed();
}

std::optional<HeatmapCell> DifferenceCanvas::cell_at(const QPointF& position) const {
  if (scene_.is_empty()) return std::nullopt;
  return gui::cell_at(scene_.cells, layout_.cells, transform_, position);
}

QRectF DifferenceCanvas::rect_of(int64_t query, int64_t key) const {
  return rect_of_cell(layout_.cells, transform_, query, key);
}

QString DifferenceCanvas::tooltip_at(const QPointF& position) {
  if (scene_.is_empty()) return {};
  if (const auto cell = cell_at(position)) {
    QString text = difference_cell_text(scene_.pair, cell->query, cell->key);
    if (const QString detail = difference_detail(level_); !detail.isEmpty())
      text += QLatin1Char('\n') + detail;
    return plain_tooltip(text);
  }
  return layout_.is_cut && layout_.said_area.contains(position) ? plain_tooltip(sentences())
                                                                : QString();
}

ViewPoint DifferenceCanvas::point_at(const QPointF& position) {
  ViewPoint point;
  const auto cell = cell_at(position);
  if (!cell) {
    point.text = sentences();
    return point;
  }
  const RunPair& pair = scene_.pair;
  point.text = difference_cell_text(pair, cell->query, cell->key);
  const auto here = weight_in(pair.here, cell->query, cell->key),
             beside = weight_in(pair.beside, cell->query, cell->key);
  if (here && beside) point.numbers.push_back({tr("difference"), exact_number(*here - *beside)});
  if (here) point.numbers.push_back({tr("weight in the window"), exact_number(*here)});
  if (beside) point.numbers.push_back({tr("weight beside"), exact_number(*beside)});
  // A cell that only the run beside has cannot be selected in the window.
  if (pair.here.has(cell->query, cell->key))
    point.things.push_back({.kind = SelectionKind::kCell,
                            .request = pair.request,
                            .layer = pair.layer(),
                            .head = pair.head(),
                            .query = cell->query,
                            .key = cell->key});
  return point;
}

std::optional<QPointF> DifferenceCanvas::place_of_selection() {
  const HeatmapMark& mark = scene_.cells.mark;
  if (scene_.is_empty() || mark.kind != HeatmapMark::Kind::kCell) return std::nullopt;
  const QRectF seen = rect_of(mark.query, mark.key).intersected(layout_.cells.cells);
  return seen.isEmpty() ? std::nullopt : std::optional(seen.center());
}

void DifferenceCanvas::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (scene_.is_empty()) return;
  const QPoint angle = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    const QPointF at = event->position() - layout_.cells.cells.topLeft();
    transform_.zoom_at(at.x(), at.y(),
                       std::pow(kWheelZoom, (angle.y() != 0 ? angle.y() : angle.x()) / 120.0));
  } else {
    QPointF by = QPointF(angle) / 120.0 * kPairScroll;
    if (event->modifiers() & Qt::ShiftModifier && by.x() == 0) by = {by.y(), 0};
    transform_.pan(by.x(), by.y());
  }
  view_changed();
}

void DifferenceCanvas::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  pressed_ = event->button();
}

void DifferenceCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (pressed_ == Qt::MiddleButton && event->buttons() & Qt::MiddleButton) {
    transform_.pan(at.x() - press_.x(), at.y() - press_.y());
    press_ = at;
    return view_changed();
  }
  const auto cell = cell_at(at);
  emit pointed(cell ? cell->query : -1, cell ? cell->key : -1);
}

void DifferenceCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const Qt::MouseButton button = std::exchange(pressed_, Qt::NoButton);
  if (button != Qt::LeftButton || event->button() != Qt::LeftButton ||
      (event->position() - press_).manhattanLength() >= kDragDistance)
    return;
  const auto cell = cell_at(event->position());
  if (cell && scene_.pair.here.has(cell->query, cell->key)) emit chosen(cell->query, cell->key);
}

void DifferenceCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  pressed_ = Qt::NoButton;
  if (event->button() == Qt::LeftButton && !scene_.is_empty()) fit();
}

void DifferenceCanvas::leaveEvent(QEvent*) {
  emit pointed(-1, -1);
}

void DifferenceCanvas::focusInEvent(QFocusEvent* event) {
  Canvas::focusInEvent(event);
  update();
}

void DifferenceCanvas::focusOutEvent(QFocusEvent* event) {
  Canvas::focusOutEvent(event);
  update();
}

// Moves the selected cell within the cells of the run in the window.
void DifferenceCanvas::move_mark(int64_t queries, int64_t keys) {
  const HeatmapMark& mark = scene_.cells.mark;
  const int64_t last_query = scene_.pair.here.rows - 1, last_key = scene_.pair.here.columns() - 1;
  if (last_query < 0 || last_key < 0) return;
  const bool has_mark = mark.kind == HeatmapMark::Kind::kCell;
  emit chosen(has_mark ? std::clamp<int64_t>(mark.query + queries, 0, last_query) : last_query,
              has_mark ? std::clamp<int64_t>(mark.key + keys, 0, last_key) : 0);
}

void DifferenceCanvas::keyPressEvent(QKeyEvent* event) {
  const bool command =
      event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  if (command || scene_.is_empty()) {
    if (!command && take_head_key(*event)) return;
    return Canvas::keyPressEvent(event);
  }
  switch (event->key()) {
    case Qt::Key_Left:
      return move_mark(0, -1);
    case Qt::Key_Right:
      return move_mark(0, 1);
    case Qt::Key_Up:
      return move_mark(-1, 0);
    case Qt::Key_Down:
      return move_mark(1, 0);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    case Qt::Key_Escape:
      return emit cleared();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_difference_canvas.cpp"
