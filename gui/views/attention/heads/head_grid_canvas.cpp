// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/attention/heads/head_grid_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_tooltip.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

namespace {

constexpr double kMostZoom = 6;
constexpr double kWheelScroll = 60;  // px per notch

}  // namespace

HeadGridCanvas::HeadGridCanvas(QWidget* parent) : ScrollCanvas(tr("Heads of all layers"), parent) {
  scene_.look = PictureLook::read();
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    scene_.look = PictureLook::read();
    relayout();
  });
}

void HeadGridCanvas::set_scene(HeadGridScene scene) {
  scene.cursor = scene_.cursor < scene.count() ? scene_.cursor : -1;
  scene.hover = scene_.hover < scene.count() ? scene_.hover : -1;
  scene_ = std::move(scene);
  relayout();
}

void HeadGridCanvas::set_summaries(HeadSummaries summaries, int64_t behind) {
  scene_.summaries = std::move(summaries);
  scene_.behind = behind;
  relayout();
}

void HeadGridCanvas::set_can_run(bool can_run) {
  can_run_ = can_run;
  show_run_button(can_run_ && scene_.count() == 0);
}

void HeadGridCanvas::relayout() {
  layout_ = layout_heads(scene_, QRectF(rect()), zoom_);
  scroll_ = std::clamp(scroll_, 0.0, layout_.max_scroll());
  if (scene_.count() > 0) {
    const int64_t longest = std::max({int64_t{1}, scene_.heads.rows, scene_.heads.most_columns()});
    const int level = thumb_level(longest, layout_.thumb_side * devicePixelRatioF());
    const bool other = level != level_;
    level_ = level;
    scene_.thumb.level = level;
    if (other) emit level_changed();
  }
  show_run_button(can_run_ && scene_.count() == 0);
  update();
}

void HeadGridCanvas::set_zoom(double factor) {
  const double middle = scroll_ + layout_.view.height() / 2;
  const double before = std::max(1.0, layout_.height);
  zoom_ = std::clamp(factor, 1.0, kMostZoom);
  relayout();
  scroll_to(middle / before * layout_.height - layout_.view.height() / 2);
}

void HeadGridCanvas::scroll_to(double offset) {
  scroll_ = std::clamp(offset, 0.0, layout_.max_scroll());
  update();
}

int64_t HeadGridCanvas::head_at(const QPointF& position) const {
  if (!layout_.view.adjusted(-4, 0, 4, 0).contains(position)) return -1;
  const QPointF at(position.x(), position.y() - layout_.view.top() + scroll_);
  int64_t head = -1;
  for (const HeadGridLayout::Cell& cell : layout_.cells) {
    if (!cell.rect.contains(at)) continue;
    head = cell.index;
    if (!scene_.across) break;  // of points that overlap, the last one is on top
  }
  return head;
}

QRectF HeadGridCanvas::rect_of(int64_t index) const {
  for (const HeadGridLayout::Cell& cell : layout_.cells)
    if (cell.index == index) return cell.thumb.translated(0, layout_.view.top() - scroll_);
  return {};
}

void HeadGridCanvas::bring_into_view(int64_t index) {
  for (const HeadGridLayout::Cell& cell : layout_.cells) {
    if (cell.index != index) continue;
    if (cell.rect.top() < scroll_) scroll_to(cell.rect.top());
    if (cell.rect.bottom() > scroll_ + layout_.view.height())
      scroll_to(cell.rect.bottom() - layout_.view.height());
  }
}

void HeadGridCanvas::set_cursor_head(int64_t index) {
  scene_.cursor = index;
  bring_into_view(index);
  emit cursor_moved();
  update();
}

// The window has Esc as a shortcut, which comes before the keys of its widgets.
bool HeadGridCanvas::event(QEvent* event) {
  if (!scene_.state_line.isEmpty() && event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  return ScrollCanvas::event(event);
}

bool HeadGridCanvas::is_empty() const {
  return scene_.count() == 0;
}

void HeadGridCanvas::paint_waiting(QPainter& painter) {
  paint_empty(painter, tr("No heads yet"),
              tr("Heads appear here as small pictures with their scores."));
}

void HeadGridCanvas::paint_content(QPainter& painter) {
  scene_.focus = hasFocus();
  paint_head_grid(painter, scene_, layout_, scroll_, thumbs_);
}

double HeadGridCanvas::wheel_step() const {
  return kWheelScroll;
}

void HeadGridCanvas::zoom_at(const QPointF&, double factor) {
  set_zoom(zoom_ * factor);
}

void HeadGridCanvas::hover(const std::optional<QPointF>& position) {
  const int64_t head = position ? head_at(*position) : -1;
  if (head == scene_.hover) return;
  scene_.hover = head;
  setCursor(head >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void HeadGridCanvas::click(const QMouseEvent& event) {
  const int64_t head = head_at(event.position());
  if (head < 0) return;
  set_cursor_head(head);
  emit head_chosen(head);
}

void HeadGridCanvas::move_by(int64_t across, int64_t down) {
  const int64_t count = scene_.count();
  if (count == 0 || layout_.cells.empty()) return;
  const auto at = std::ranges::find(layout_.cells, scene_.cursor, &HeadGridLayout::Cell::index);
  if (at == layout_.cells.end()) {
    const bool shown =
        scene_.shown >= 0 && scene_.shown < count && !layout_.ranked && !scene_.across;
    return set_cursor_head(shown ? scene_.shown : layout_.cells.front().index);
  }
  if (scene_.across) {
    // To the next point along this axis, however far away it is along the other axis.
    std::vector<std::pair<double, int64_t>> along;
    for (const HeadGridLayout::Cell& cell : layout_.cells)
      along.emplace_back(across != 0 ? cell.thumb.center().x() : cell.thumb.center().y(),
                         cell.index);
    std::ranges::sort(along);
    const auto now = std::ranges::find(along, scene_.cursor, &std::pair<double, int64_t>::second);
    const int64_t next = now - along.begin() + across + down;
    if (next < 0 || next >= std::ssize(along)) return;
    return set_cursor_head(along[static_cast<size_t>(next)].second);
  }
  const int64_t columns = std::max<int64_t>(1, layout_.columns);
  const int64_t rows = (count + columns - 1) / columns;
  const int64_t step = layout_.down_first ? across * rows + down : across + down * columns;
  const int64_t place = at - layout_.cells.begin() + step;
  if (place < 0 || place >= count) return;
  if (!layout_.down_first && across != 0 &&
      place / columns != (at - layout_.cells.begin()) / columns)
    return;
  set_cursor_head(layout_.cells[static_cast<size_t>(place)].index);
}

bool HeadGridCanvas::move_key(int key) {
  switch (key) {
    case Qt::Key_Left:
      return move_by(-1, 0), true;
    case Qt::Key_Right:
      return move_by(1, 0), true;
    case Qt::Key_Up:
      return move_by(0, -1), true;
    case Qt::Key_Down:
      return move_by(0, 1), true;
    case Qt::Key_PageUp:
      return scroll_to(scroll_ - layout_.view.height()), true;
    case Qt::Key_PageDown:
      return scroll_to(scroll_ + layout_.view.height()), true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return set_zoom(zoom_ * kKeyZoom), true;
    case Qt::Key_Minus:
      return set_zoom(zoom_ / kKeyZoom), true;
    case Qt::Key_Home:
    case Qt::Key_F:
      return set_zoom(1), true;
    default:
      return false;
  }
}

void HeadGridCanvas::keyPressEvent(QKeyEvent* event) {
  const bool plain =
      !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
  if (plain && move_key(event->key())) return;
  if (plain) switch (event->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
        if (scene_.cursor >= 0) emit head_chosen(scene_.cursor);
        return;
      case Qt::Key_O:
      case Qt::Key_S:
      case Qt::Key_E:
      case Qt::Key_C:
      case Qt::Key_L:
      case Qt::Key_M:
      case Qt::Key_A:
      case Qt::Key_W:
      case Qt::Key_T:
        emit choice_asked(event->key());
        return;
      case Qt::Key_Escape:
        if (scene_.state_line.isEmpty()) break;
        emit cancel_asked();
        return;
      default:
        if (take_head_key(*event)) return;
    }
  Canvas::keyPressEvent(event);
}

QString HeadGridCanvas::tooltip_at(const QPointF& position) {
  const int64_t head = head_at(position);
  return head < 0 ? QString() : plain_tooltip(scene_.sentence(head));
}

ViewPoint HeadGridCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const int64_t head = head_at(position);
  if (head < 0) return point;
  point.layer = scene_.layer_of(head);
  point.head = scene_.head_of(head);
  const HeadScores* scores = scene_.scores(head);
  if (!scores) return point;
  const HeadScore main = scene_.order.value_or(scene_.score);
  const HeadScore second = scene_.across.value_or(main);
  const auto add = [&](HeadScore score) {
    if (const auto value = value_of(*scores, score, scene_.relative))
      point.numbers.push_back({name_of(score), exact_number(*value)});
  };
  add(main);
  if (second != main) add(second);
  for (const HeadScore score : kHeadScores)
    if (score != main && score != second) add(score);
  return point;
}

std::optional<QPointF> HeadGridCanvas::place_of_selection() {
  const int64_t head = scene_.cursor >= 0 ? scene_.cursor : scene_.shown;
  const QRectF rect = head >= 0 && head < scene_.count() ? rect_of(head) : QRectF();
  return rect.isEmpty() ? std::nullopt : std::optional(rect.center());
}

}  // namespace attn::gui

#include "moc_head_grid_canvas.cpp"
