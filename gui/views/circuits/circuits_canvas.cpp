// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/circuits/circuits_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/plain_tooltip.h"
#include "gui/theme/theme.h"
#include "gui/widgets/text/ticks.h"
#include "gui/widgets/text/token_label.h"

namespace attn::gui {
namespace {

constexpr double kMostZoom = 1000;
constexpr double kNearEigenvalue = 7;  // px at 100%

}  // namespace

CircuitsCanvas::CircuitsCanvas(QWidget* parent)
    : ScrollCanvas(tr("Eigenvalues, pairs of tokens and earlier heads of a head"), parent) {
  scene_.look = PictureLook::read();
}

void CircuitsCanvas::set_scene(CircuitsScene scene) {
  scene.zoom = scene_.zoom;
  const bool same_heads = scene.layer == scene_.layer && scene.num_heads == scene_.num_heads;
  scene.cursor = same_heads ? scene_.cursor : -1;
  scene_ = std::move(scene);
  relayout();
}

void CircuitsCanvas::relayout() {
  offer_run();
  if (!is_empty()) parts_ = circuits_parts(scene_, QRectF(rect()));
  update();
}

void CircuitsCanvas::set_zoom(double zoom) {
  scene_.zoom = std::clamp(zoom, 1.0, kMostZoom);
  update();
}

QString CircuitsCanvas::tooltip_at(const QPointF& position) {
  if (is_empty()) return {};
  for (const auto* half : {&parts_.ov, &parts_.qk}) {
    const CircuitPart& part = half == &parts_.ov ? scene_.ov->part : scene_.qk->part;
    if (half->plane.contains(position))
      for (const std::complex<double>& value : part.circuit.eigenvalues) {
        const QPointF away = eigenvalue_place(scene_, part.circuit, half->plane, value) - position;
        if (std::hypot(away.x(), away.y()) <= Theme::instance().px(kNearEigenvalue))
          return plain_tooltip(eigenvalue_text(value));
      }
    const int64_t line = pair_at(scene_, part, half->pairs, position);
    if (line < 0) continue;
    const CircuitPart::Pair& pair = part.pairs[static_cast<size_t>(line)];
    const QString text =
        half == &parts_.ov ? tr("reading %1 makes %2 likelier: %3") : tr("key %1, query %2: %3");
    return plain_tooltip(
        text.arg(quoted_token(pair.from), quoted_token(pair.to), format_number(pair.value)));
  }
  const auto cell = parts_.cell_at(position, scene_.earlier().size());
  return cell ? plain_tooltip(earlier_text(scene_.earlier()[cell->index])) : QString();
}

ViewPoint CircuitsCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  if (is_empty()) return point;
  const auto cell = parts_.cell_at(position, scene_.earlier().size());
  if (!cell) return point;
  const EarlierHead& head = scene_.earlier()[cell->index];
  if (head.query) point.numbers.push_back({tr("through queries"), exact_number(*head.query)});
  if (head.key) point.numbers.push_back({tr("through keys"), exact_number(*head.key)});
  point.numbers.push_back({tr("through values"), exact_number(head.value)});
  point.layer = head.name.layer;
  point.head = head.name.head;
  return point;
}

std::optional<QPointF> CircuitsCanvas::place_of_selection() {
  if (is_empty() || scene_.cursor < 0 || parts_.composition.isEmpty()) return std::nullopt;
  return parts_.cell(0, scene_.cursor).center();
}

void CircuitsCanvas::paint_content(QPainter& painter) {
  paint_circuits(painter, scene_, parts_);
}

void CircuitsCanvas::hover(const std::optional<QPointF>& position) {
  const bool at_head =
      position && !is_empty() && parts_.cell_at(*position, scene_.earlier().size());
  setCursor(at_head ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void CircuitsCanvas::click(const QMouseEvent& event) {
  if (is_empty()) return;
  if (const auto cell = parts_.cell_at(event.position(), scene_.earlier().size()))
    choose(static_cast<int64_t>(cell->index));
}

void CircuitsCanvas::double_click(const QPointF& /*position*/) {
  fit();
}

void CircuitsCanvas::choose(int64_t index) {
  const HeadName head = scene_.earlier()[static_cast<size_t>(index)].name;
  emit head_chosen(head.layer, head.head);
}

void CircuitsCanvas::move_cursor(int columns, int rows) {
  const auto count = std::ssize(scene_.earlier());
  if (count == 0) return;
  const int64_t heads = scene_.num_heads, now = scene_.cursor;
  const int64_t row = std::clamp<int64_t>((now < 0 ? 0 : now / heads + rows), 0, count / heads - 1),
                column = std::clamp<int64_t>((now < 0 ? 0 : now % heads + columns), 0, heads - 1);
  scene_.cursor = row * heads + column;
  update();
  emit cursor_moved();
}

void CircuitsCanvas::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || is_empty())
    return Canvas::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return move_cursor(-1, 0);
    case Qt::Key_Right:
      return move_cursor(1, 0);
    case Qt::Key_Up:
      return move_cursor(0, -1);
    case Qt::Key_Down:
      return move_cursor(0, 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (scene_.cursor >= 0) choose(scene_.cursor);
      return;
    case Qt::Key_Escape:
      scene_.cursor = -1;
      update();
      return emit cursor_moved();
    case Qt::Key_BracketLeft:
      return emit distance_step_asked(-1);
    case Qt::Key_BracketRight:
      return emit distance_step_asked(1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kKeyZoom);
    case Qt::Key_Minus:
      return zoom(1 / kKeyZoom);
    case Qt::Key_Home:
    case Qt::Key_F:
      return fit();
    default:
      if (!take_head_key(*event)) Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_circuits_canvas.cpp"
