// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView: mouse, wheel and keys.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "gui/views/attention/heatmap_view.h"

namespace attn::gui {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kScrollStep = 48;   // px per notch of the wheel
constexpr double kDragDistance = 5;  // px before a press becomes a drag

// Tokens such as <s> are text, never markup.
QString tooltip_html(const QString& text) {
  return QStringLiteral("<div style='white-space:pre'>%1</div>").arg(text.toHtmlEscaped());
}

}  // namespace

std::optional<HeatmapView::Cell> HeatmapView::cell_at(const QPointF& position) const {
  if (!layout_.cells.contains(position)) return std::nullopt;
  const QPointF at = position - layout_.cells.topLeft();
  const auto key = static_cast<int64_t>(std::floor(transform_.x.to_content(at.x())));
  const auto query = static_cast<int64_t>(std::floor(transform_.y.to_content(at.y())));
  if (key < 0 || query < 0 || key >= scene_.columns() || query >= scene_.rows())
    return std::nullopt;
  return Cell{query, key};
}

QRectF HeatmapView::rect_of(int64_t query, int64_t key) const {
  const auto q = static_cast<double>(query), k = static_cast<double>(key);
  return QRectF(QPointF(transform_.x.to_pixel(k), transform_.y.to_pixel(q)),
                QPointF(transform_.x.to_pixel(k + 1), transform_.y.to_pixel(q + 1)))
      .translated(layout_.cells.topLeft());
}

std::optional<int64_t> HeatmapView::label_at(const QPointF& position) const {
  double content = -1;
  if (layout_.row_labels.contains(position))
    content = transform_.y.to_content(position.y() - layout_.cells.top());
  if (layout_.column_labels.contains(position) && scene_.keys_are_tokens())
    content = transform_.x.to_content(position.x() - layout_.cells.left());
  if (content < 0 || content >= static_cast<double>(scene_.rows())) return std::nullopt;
  return static_cast<int64_t>(content);
}

// The place of the canvas, empty or four numbers, and behind it five of what is shown beside one
// head.
std::vector<double> HeatmapView::place() const {
  std::vector<double> place = transform_.place();
  const Combination& combine = scene_.head.combine;
  if (combine.kind == Combine::kHead && scene_.keep == Keep{}) return place;
  for (const int64_t number : {static_cast<int64_t>(combine.kind), combine.other.layer,
                               combine.other.head, scene_.keep.code()})
    place.push_back(static_cast<double>(number));
  place.push_back(scene_.difference_range);
  return place;
}

void HeatmapView::go_to_place(const std::vector<double>& place) {
  constexpr size_t kShown = 5;
  std::vector<double> canvas = place;
  Combination combine;
  Keep keep;
  if (place.size() >= kShown && place.size() % 4 == kShown % 4) {
    const double* shown = place.data() + place.size() - kShown;
    canvas.resize(place.size() - kShown);
    // It may come from a file.
    const auto is_below = [](double number, int64_t count) {
      return number >= 0 && number < static_cast<double>(count);
    };
    if (is_below(shown[0], std::size(kCombines)) && is_below(shown[1], scene_.num_layers) &&
        is_below(shown[2], scene_.num_heads))
      combine = {static_cast<Combine>(shown[0]),
                 {static_cast<int64_t>(shown[1]), static_cast<int64_t>(shown[2])}};
    if (is_below(shown[3], int64_t{1} << 40))
      keep = Keep::from_code(static_cast<int64_t>(shown[3]));
    if (std::ranges::find(kDifferenceRanges, shown[4]) != std::end(kDifferenceRanges))
      scene_.difference_range = shown[4];
  }
  show_combined(combine, keep);
  transform_.go_to_place(canvas);
  view_changed();
}

void HeatmapView::fit() {
  transform_.fit();
  view_changed();
}

void HeatmapView::zoom(double factor) {
  transform_.zoom_center(factor);
  view_changed();
}

void HeatmapView::zoom_at(const QPointF& position, double factor) {
  transform_.zoom_at(position.x() - layout_.cells.left(), position.y() - layout_.cells.top(),
                     factor);
  view_changed();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    zoom_at(event->position(),
            std::pow(kZoomStep, (angle.y() != 0 ? angle.y() : angle.x()) / 120.0));
  } else {
    QPointF distance = event->pixelDelta().isNull() ? QPointF(angle) / 120.0 * kScrollStep
                                                    : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ShiftModifier && distance.x() == 0) distance = {distance.y(), 0};
    transform_.pan(distance.x(), distance.y());
    view_changed();
  }
  event->accept();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  dragging_ = event->button();
  moved_ = false;
  if (event->button() == Qt::MiddleButton) setCursor(Qt::ClosedHandCursor);
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (dragging_ == Qt::MiddleButton && event->buttons() & Qt::MiddleButton) {
    transform_.pan(at.x() - press_.x(), at.y() - press_.y());
    press_ = at;
    return view_changed();
  }
  if (dragging_ == Qt::LeftButton && event->buttons() & Qt::LeftButton) {
    moved_ = moved_ || (at - press_).manhattanLength() >= kDragDistance;
    rubber_band_ = moved_ && layout_.cells.contains(press_)
                       ? QRectF(press_, at).normalized().intersected(layout_.cells)
                       : QRectF();
    return update();
  }
  update_hover(at, event->globalPosition().toPoint());
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
  const Qt::MouseButton button = dragging_;
  dragging_ = Qt::NoButton;
  unsetCursor();
  if (button != Qt::LeftButton || button != event->button()) return;
  const QRectF band = rubber_band_;
  rubber_band_ = {};
  if (moved_) {
    update();
    if (band.width() < kDragDistance || band.height() < kDragDistance) return;
    const QRectF area = band.translated(-layout_.cells.topLeft());
    transform_.show(transform_.x.to_content(area.left()), transform_.x.to_content(area.right()),
                    transform_.y.to_content(area.top()), transform_.y.to_content(area.bottom()));
    return view_changed();
  }
  if (const auto cell = cell_at(event->position()))
    select_cell(*cell);
  else if (const auto token = label_at(event->position()))
    select_token(*token);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
  dragging_ = Qt::NoButton;
  if (event->button() == Qt::LeftButton) fit();
}

void HeatmapView::leaveEvent(QEvent*) {
  if (scene_.hover_query < 0) return;
  scene_.hover_query = scene_.hover_key = -1;
  update();
}

void HeatmapView::update_hover(const QPointF& position, const QPoint& global) {
  const auto cell = cell_at(position);
  const Cell now = cell.value_or(Cell{});
  if (now.query == scene_.hover_query && now.key == scene_.hover_key) return;
  scene_.hover_query = now.query;
  scene_.hover_key = now.key;
  update();
  if (!cell) return QToolTip::hideText();
  QString text = cell_text(now.query, now.key);
  const QString detail = detail_sentence(scene_, level_);
  if (!detail.isEmpty()) text += QLatin1Char('\n') + detail;
  QToolTip::showText(global, tooltip_html(text), this);
}

void HeatmapView::select_cell(const Cell& cell) {
  const RequestView* view = request();
  if (!view) return;
  cursor_ = cell;
  SelectionState state;
  state.kind = SelectionKind::kCell;
  state.request = view->id;
  state.layer = scene_.head.layer;
  state.head = scene_.head.head;
  state.query = cell.query;
  state.key = cell.key;
  selection().select(state);
}

void HeatmapView::select_token(int64_t token) {
  const RequestView* view = request();
  if (!view || token < 0) return;
  SelectionState state;
  state.kind = SelectionKind::kToken;
  state.request = view->id;
  state.query = token;
  selection().select(state);
}

void HeatmapView::move_cursor(int64_t d_query, int64_t d_key) {
  const int64_t last = scene_.rows() - 1, last_key = scene_.columns() - 1;
  if (last < 0 || last_key < 0) return;
  Cell next;
  if (cursor_.query < 0) {
    // The first arrow starts at the newest row that is visible, on its own key.
    const auto row =
        std::min<int64_t>(last, static_cast<int64_t>(std::ceil(transform_.y.visible_end())) - 1);
    next = {row, std::min(row, last_key)};
  } else {
    next = {std::clamp<int64_t>(cursor_.query + d_query, 0, last),
            std::clamp<int64_t>(cursor_.key + d_key, 0, last_key)};
  }
  select_cell(next);
  transform_.y.reveal(static_cast<double>(next.query), static_cast<double>(next.query + 1));
  transform_.x.reveal(static_cast<double>(next.key), static_cast<double>(next.key + 1));
  view_changed();
}

void HeatmapView::show_head(int64_t layer, int64_t head) {
  if (scene_.num_heads <= 0) return;
  const RequestView* view = request();
  if (!view) return;
  // Past the last head comes the first of the next layer, so one key walks through all of them.
  if (head >= scene_.num_heads) head = 0, ++layer;
  if (head < 0) head = scene_.num_heads - 1, --layer;
  layer = (layer + scene_.num_layers) % scene_.num_layers;
  if (layer == scene_.head.layer && head == scene_.head.head) return;
  selection().show(view->id, layer, head);
}

bool HeatmapView::navigate_key(QKeyEvent* event) {
  const auto page =
      std::max<int64_t>(1, static_cast<int64_t>(transform_.y.pixels / transform_.y.scale) - 1);
  const int64_t step = event->modifiers() & Qt::ControlModifier ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return move_cursor(0, -step), true;
    case Qt::Key_Right:
      return move_cursor(0, step), true;
    case Qt::Key_Up:
      return move_cursor(-step, 0), true;
    case Qt::Key_Down:
      return move_cursor(step, 0), true;
    case Qt::Key_PageUp:
      return move_cursor(-page, 0), true;
    case Qt::Key_PageDown:
      return move_cursor(page, 0), true;
    case Qt::Key_F:
    case Qt::Key_Home:
      return fit(), true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kZoomStep), true;
    case Qt::Key_Minus:
      return zoom(1 / kZoomStep), true;
    default:
      return false;
  }
}

bool HeatmapView::choose_key(QKeyEvent* event) {
  const bool shift = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Greater:
      return show_head(scene_.head.layer + 1, scene_.head.head), true;
    case Qt::Key_Less:
      return show_head(scene_.head.layer - 1, scene_.head.head), true;
    case Qt::Key_Period:
      return show_head(scene_.head.layer + (shift ? 1 : 0), scene_.head.head + (shift ? 0 : 1)),
             true;
    case Qt::Key_Comma:
      return show_head(scene_.head.layer - (shift ? 1 : 0), scene_.head.head - (shift ? 0 : 1)),
             true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (cursor_.query >= 0) select_cell(cursor_);
      return true;
    case Qt::Key_T:
      return select_token(shift ? cursor_.key : cursor_.query), true;
    case Qt::Key_Escape:
      return selection().clear(), true;
    case Qt::Key_C:
      return set_color_map(kColorMaps[(static_cast<size_t>(map_box_->currentIndex()) + 1) %
                                      kColorMaps.size()]),
             true;
    case Qt::Key_V: {
      const auto kinds = static_cast<int>(std::size(kCombines));
      const int now = static_cast<int>(scene_.head.combine.kind);
      return choose_combination(kCombines[(now + (shift ? kinds - 1 : 1)) % kinds]), true;
    }
    case Qt::Key_O:
      return step_other(shift ? 1 : 0, shift ? 0 : 1), true;
    case Qt::Key_K: {
      const auto keeps = std::size(kKeeps);
      const auto now =
          static_cast<size_t>(std::ranges::find(kKeeps, scene_.keep) - std::begin(kKeeps));
      // One that the command line chose is none of them.
      return set_keep(kKeeps[now >= keeps ? 0 : (now + (shift ? keeps - 1 : 1)) % keeps]), true;
    }
    case Qt::Key_L:
      if (scene_.head.combine.is_difference()) {
        const auto now = std::ranges::find(kDifferenceRanges, scene_.difference_range);
        const auto next = static_cast<size_t>(now - std::begin(kDifferenceRanges)) + 1;
        return set_difference_range(kDifferenceRanges[next % std::size(kDifferenceRanges)]), true;
      }
      return set_scale(scene_.scale.kind == ColorScale::Kind::kLinear ? ColorScale::Kind::kLog
                                                                      : ColorScale::Kind::kLinear),
             true;
    case Qt::Key_M:
      return set_reduce(scene_.reduce == Reduce::kMax ? Reduce::kMean : Reduce::kMax), true;
    default:
      return false;
  }
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
  const Qt::KeyboardModifiers command =
      event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
  if (navigate_key(event) || (command == Qt::NoModifier && choose_key(event)))
    return event->accept();
  View::keyPressEvent(event);
}

void HeatmapView::resizeEvent(QResizeEvent*) {
  fit_controls();
  relayout();
}

void HeatmapView::showEvent(QShowEvent*) {
  relayout();
  read_snapshot();
}

void HeatmapView::focusInEvent(QFocusEvent*) {
  update();
}
void HeatmapView::focusOutEvent(QFocusEvent*) {
  update();
}

}  // namespace attn::gui
