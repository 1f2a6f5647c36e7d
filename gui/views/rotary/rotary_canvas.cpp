// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/rotary/rotary_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"

namespace attn::gui {
namespace {

constexpr double kLeastLongest = 8, kMostLongest = 1e6;  // limits of zoom(), tokens

}  // namespace

RotaryCanvas::RotaryCanvas(QWidget* parent)
    : ScrollCanvas(tr("A score by frequency, and over the distance"), parent) {
  scene_.look = PictureLook::read();
}

void RotaryCanvas::set_scene(RotaryScene scene) {
  scene.looked_at = scene_.looked_at;
  scene.pointed_pair = scene_.pointed_pair;
  if (longest_) scene.longest = *longest_;
  if (!scene.cell || scene.pointed_pair >= static_cast<int>(std::ssize(scene.cell->score.pairs)))
    scene.pointed_pair = -1;
  scene_ = std::move(scene);
  relayout();
}

void RotaryCanvas::look_at(std::optional<int64_t> distance) {
  if (distance) distance = std::max<int64_t>(0, *distance);
  if (distance == scene_.looked_at) return;
  scene_.looked_at = distance;
  relayout();
  emit looked();
}

void RotaryCanvas::relayout() {
  offer_run();
  if (!is_empty()) parts_ = rotary_parts(scene_, QRectF(rect()));
  update();
}

void RotaryCanvas::fit() {
  longest_.reset();
  pinned_ = false;
  look_at(std::nullopt);
  emit looked();  // the view resets `longest`
}

void RotaryCanvas::zoom(double factor) {
  const double longest =
      std::clamp(static_cast<double>(scene_.longest) / factor, kLeastLongest, kMostLongest);
  longest_ = scene_.longest = static_cast<int64_t>(std::lround(longest));
  relayout();
}

void RotaryCanvas::zoom_at(const QPointF& /*position*/, double factor) {
  zoom(factor);
}

// Looks at a distance of one token more or less; only the sign of `pixels` counts.
void RotaryCanvas::scroll_by(double pixels) {
  if (is_empty()) return;
  const int64_t now =
      scene_.looked_at.value_or(static_cast<int64_t>(std::lround(scene_.cell->score.distance)));
  pinned_ = true;
  look_at(now + (pixels > 0 ? 1 : -1));
}

std::vector<double> RotaryCanvas::place() const {
  if (!longest_) return {};
  return {static_cast<double>(*longest_)};
}

void RotaryCanvas::go_to_place(const std::vector<double>& place) {
  if (place.size() != 1 || !(place[0] >= kLeastLongest && place[0] <= kMostLongest)) return fit();
  longest_ = scene_.longest = static_cast<int64_t>(place[0]);
  relayout();
}

int64_t RotaryCanvas::pair_at(const QPointF& position) const {
  if (is_empty() || position.y() < parts_.bars.top() ||
      position.y() > std::max(parts_.bars.bottom(), parts_.turns.bottom()))
    return -1;
  return parts_.pair_at(position.x(), std::ssize(scene_.cell->score.pairs));
}

std::optional<int64_t> RotaryCanvas::distance_at(const QPointF& position) const {
  if (is_empty() || parts_.curve.isEmpty() ||  // a small panel has no curve
      !parts_.curve.adjusted(-4, -4, 4, 24).contains(position))
    return std::nullopt;
  return static_cast<int64_t>(
      std::clamp<double>(std::round(parts_.distance_at(position.x(), scene_.longest)), 0,
                         static_cast<double>(scene_.longest)));
}

QString RotaryCanvas::tooltip_at(const QPointF& position) {
  if (const int64_t pair = pair_at(position); pair >= 0)
    return plain_tooltip(pair_tooltip(scene_, pair));
  const auto distance = distance_at(position);
  if (!distance) return {};
  return plain_tooltip(
      tr("distance %1: score %2")
          .arg(*distance)
          .arg(format_number(scene_.cell->score.at_distance(static_cast<double>(*distance)))));
}

ViewPoint RotaryCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (is_empty()) return point;
  const RotaryCell& cell = *scene_.cell;
  if (const int64_t pair = pair_at(position); pair >= 0) {
    point.numbers.push_back(
        {tr("part"), exact_number(scene_.shown().pairs[static_cast<size_t>(pair)].part)});
  } else if (const auto distance = distance_at(position)) {
    point.numbers.push_back(
        {tr("score"), exact_number(cell.score.at_distance(static_cast<double>(*distance)))});
  } else {
    return point;
  }
  point.things.push_back({.kind = SelectionKind::kCell,
                          .layer = cell.layer,
                          .head = cell.head,
                          .query = cell.query,
                          .key = cell.key});
  return point;
}

std::optional<QPointF> RotaryCanvas::place_of_selection() {
  if (is_empty() || !scene_.selected) return std::nullopt;
  if (parts_.curve.isEmpty()) return parts_.bars.center();
  const double distance =
      std::min(scene_.cell->score.distance, static_cast<double>(scene_.longest));
  return QPointF(parts_.x_of(distance, scene_.longest), parts_.curve.center().y());
}

void RotaryCanvas::paint_content(QPainter& painter) {
  paint_rotary(painter, scene_, parts_);
}

void RotaryCanvas::hover(const std::optional<QPointF>& position) {
  scene_.pointed_pair = position ? static_cast<int>(pair_at(*position)) : -1;
  const auto distance = position ? distance_at(*position) : std::nullopt;
  setCursor(distance ? Qt::CrossCursor : Qt::ArrowCursor);
  if (!pinned_) look_at(distance);
  update();
}

void RotaryCanvas::click(const QMouseEvent& event) {
  const auto distance = distance_at(event.position());
  pinned_ = distance && !(pinned_ && distance == scene_.looked_at);
  if (pinned_ || !distance) look_at(distance);
}

void RotaryCanvas::double_click(const QPointF& /*position*/) {
  fit();
}

void RotaryCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || is_empty())
    return Canvas::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return emit cell_step_asked(0, -1);
    case Qt::Key_Right:
      return emit cell_step_asked(0, 1);
    case Qt::Key_Up:
      return emit cell_step_asked(-1, 0);
    case Qt::Key_Down:
      return emit cell_step_asked(1, 0);
    case Qt::Key_BracketLeft:
      return scroll_by(-1);
    case Qt::Key_BracketRight:
      return scroll_by(1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    case Qt::Key_Escape:
      pinned_ = false;
      look_at(std::nullopt);
      return emit cleared();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_rotary_canvas.cpp"
