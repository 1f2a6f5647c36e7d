// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/points/points_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr double kNear = 9;      // px at 100%: how far from a point the pointer may be
constexpr int kMoveStep = 5;     // percent of a key press
constexpr double kScroll = 0.2;  // of the plot's height, for a key press

}  // namespace

PointsCanvas::PointsCanvas(QWidget* parent)
    : ScrollCanvas(tr("Queries and keys as points of a plane"), parent) {
  scene_.look = PictureLook::read();
}

void PointsCanvas::set_scene(PointsScene scene) {
  // The points of another head lie elsewhere.
  const bool other = scene.request != scene_.request || scene.layer != scene_.layer ||
                     scene.head != scene_.head || !scene_.data;
  if (other) placed_ = false;
  scene_ = std::move(scene);
  relayout();
}

void PointsCanvas::set_pointed(const PointedState& pointed) {
  scene_.pointed = pointed;
  update();
}

void PointsCanvas::relayout() {
  offer_run();
  if (!is_empty()) {
    parts_ = points_parts(scene_, QRectF(rect()));
    transform_ = points_transform(scene_, parts_.plot, placed_ ? &transform_ : nullptr);
    placed_ = true;
  }
  update();
}

void PointsCanvas::fit() {
  transform_.fit();
  update();
}

void PointsCanvas::zoom(double factor) {
  transform_.zoom_center(factor);
  update();
}

void PointsCanvas::scroll_by(double pixels) {
  transform_.pan(0, -pixels);
  update();
}

void PointsCanvas::zoom_at(const QPointF& position, double factor) {
  transform_.zoom_at(position.x() - parts_.plot.left(), position.y() - parts_.plot.top(), factor);
  update();
}

std::vector<double> PointsCanvas::place() const {
  return is_empty() ? std::vector<double>() : transform_.place();
}

void PointsCanvas::go_to_place(const std::vector<double>& place) {
  if (is_empty()) return;
  transform_.go_to_place(place);
  update();
}

QPointF PointsCanvas::position_of(const PointPlace& place) const {
  return point_at_place(scene_, transform_, parts_.plot, place);
}

// The nearest point within kNear; of equally near ones the last query, or else the last key.
std::optional<PointPlace> PointsCanvas::place_at(const QPointF& position) const {
  if (is_empty() || !parts_.plot.contains(position)) return std::nullopt;
  std::optional<PointPlace> nearest;
  double least = Theme::instance().px(kNear);
  const auto look = [&](const PointPlace& place) {
    const QPointF away = position_of(place) - position;
    const double distance = std::hypot(away.x(), away.y());
    if (distance <= least) nearest = place, least = distance;
  };
  for (int64_t key = 0; key < scene_.num_keys(); ++key) look({true, key});
  for (int64_t query = scene_.first(); query < scene_.rows_end(); ++query) look({false, query});
  return nearest;
}

QString PointsCanvas::tooltip_at(const QPointF& position) {
  const auto place = place_at(position);
  return place ? plain_tooltip(point_tooltip(scene_, *place)) : QString();
}

ViewPoint PointsCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto place = place_at(position);
  if (!place) return point;
  if (place->key && scene_.row) {
    point.numbers.push_back({tr("weight"), exact_number(scene_.weight(place->position))});
    point.things.push_back({.kind = SelectionKind::kCell,
                            .layer = scene_.layer,
                            .head = scene_.head,
                            .query = scene_.row->query,
                            .key = place->position});
  }
  for (const int64_t axis : {0, 1})
    point.numbers.push_back(
        {tr("axis %1").arg(axis + 1), exact_number(scene_.coordinate(*place, axis))});
  if (!scene_.of_encoder && (!place->key || !scene_.cross))
    point.things.push_back({.kind = SelectionKind::kToken, .query = place->position});
  return point;
}

std::optional<QPointF> PointsCanvas::place_of_selection() {
  if (is_empty()) return std::nullopt;
  PointPlace place{true, scene_.key};
  if (scene_.key < 0 || scene_.key >= scene_.num_keys()) {
    if (!scene_.row || !scene_.selected) return std::nullopt;
    place = {false, scene_.row->query};
  }
  const QPointF at = position_of(place);
  return parts_.plot.contains(at) ? std::optional(at) : std::nullopt;
}

void PointsCanvas::paint_content(QPainter& painter) {
  paint_points(painter, scene_, parts_, transform_);
}

void PointsCanvas::hover(const std::optional<QPointF>& position) {
  const auto place = position ? place_at(*position) : std::nullopt;
  setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
  emit pointed(place && place->key, place ? place->position : -1);
}

void PointsCanvas::click(const QMouseEvent& event) {
  const auto place = place_at(event.position());
  const bool again = place && scene_.row &&
                     *place == (scene_.key >= 0 ? PointPlace{true, scene_.key}
                                                : PointPlace{false, scene_.row->query});
  if (!place || (again && scene_.selected))
    emit cleared();
  else
    emit chosen(place->key, place->position);
}

void PointsCanvas::double_click(const QPointF& position) {
  if (!place_at(position)) fit();
}

bool PointsCanvas::step_query(int step) {
  if (!scene_.row) return false;
  const int64_t to = std::clamp(scene_.row->query + step, scene_.first(), scene_.rows_end() - 1);
  emit chosen(false, to);
  return true;
}

bool PointsCanvas::step_key(int step) {
  if (!scene_.row) return false;
  std::vector<std::pair<double, int64_t>> keys;
  for (int64_t key = 0; key < scene_.num_keys(); ++key)
    if (scene_.weight(key) > 0) keys.emplace_back(-scene_.weight(key), key);
  if (keys.empty()) return false;
  std::ranges::sort(keys);
  const auto now = std::ranges::find(keys, scene_.key, &std::pair<double, int64_t>::second);
  int64_t at = now == keys.end() ? 0 : now - keys.begin() + step;
  at = std::clamp<int64_t>(at, 0, std::ssize(keys) - 1);
  emit chosen(true, keys[static_cast<size_t>(at)].second);
  return true;
}

void PointsCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || is_empty())
    return Canvas::keyPressEvent(event);
  const double page = kScroll * parts_.plot.height();
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (!step_query(event->key() == Qt::Key_Left ? -1 : 1)) Canvas::keyPressEvent(event);
      return;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (!step_key(event->key() == Qt::Key_Up ? -1 : 1)) Canvas::keyPressEvent(event);
      return;
    case Qt::Key_PageUp:
      return scroll_by(-page);
    case Qt::Key_PageDown:
      return scroll_by(page);
    case Qt::Key_BracketLeft:
      return emit move_asked(-kMoveStep);
    case Qt::Key_BracketRight:
      return emit move_asked(kMoveStep);
    case Qt::Key_M:
      return emit move_toggled();
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

#include "moc_points_canvas.cpp"
