// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/metrics/machine/roofline_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "gui/models/plain_tooltip.h"

namespace attn::gui {

RooflineCanvas::RooflineCanvas(QWidget* parent)
    : PageCanvas(tr("Roofline of this machine"), parent) {
  setMouseTracking(true);
}

void RooflineCanvas::set_scene(RooflineScene scene) {
  const auto count = static_cast<int>(scene.kernels.size());
  scene.chosen = std::min(scene_.chosen, count - 1);
  scene_ = std::move(scene);
  setAccessibleDescription(spoken_roofline(scene_));
  relayout();
}

double RooflineCanvas::lay_out(double height, const PictureLook& look) {
  scene_.look = look;
  parts_ = roofline_parts(scene_, QRectF(0, 0, width(), height), false);
  return std::max({height, parts_.notes.bottom(), parts_.table.bottom()});
}

void RooflineCanvas::paint_content(QPainter& painter, const PictureLook& look) {
  scene_.look = look;
  RooflineParts parts = parts_;
  parts.bounds = QRectF(rect());
  paint_roofline(painter, scene_, parts);
  paint_focus(painter);
}

const KernelSum& RooflineCanvas::sum_of(const RooflineHit& hit) const {
  return (hit.of_step ? scene_.steps : scene_.kernels)[hit.index];
}

void RooflineCanvas::choose(int kernel) {
  if (kernel == scene_.chosen) return;
  scene_.chosen = kernel;
  setAccessibleDescription(spoken_roofline(scene_));
  update();
}

QString RooflineCanvas::tooltip_at(const QPointF& position) {
  const auto hit = roofline_hit(scene_, parts_, position);
  return hit ? plain_tooltip(point_words(scene_, sum_of(*hit), hit->of_step)) : QString();
}

ViewPoint RooflineCanvas::point_at(const QPointF& position) {
  ViewPoint point = Canvas::point_at(position);
  const auto hit = roofline_hit(scene_, parts_, position);
  if (!hit) return point;
  point.text = point_words(scene_, sum_of(*hit), hit->of_step);
  point.numbers = numbers_of(scene_, sum_of(*hit));
  if (hit->of_step) point.step = sum_of(*hit).step;
  return point;
}

std::optional<QPointF> RooflineCanvas::place_of_selection() {
  if (scene_.chosen < 0) return std::nullopt;
  return parts_.table_row(static_cast<size_t>(scene_.chosen)).center();
}

void RooflineCanvas::mouseMoveEvent(QMouseEvent* event) {
  const auto hit = roofline_hit(scene_, parts_, event->position());
  setCursor(hit ? Qt::PointingHandCursor : Qt::ArrowCursor);
  choose(hit && !hit->of_step ? static_cast<int>(hit->index) : -1);
}

void RooflineCanvas::leaveEvent(QEvent*) {
  choose(-1);
}

void RooflineCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return Canvas::mousePressEvent(event);
  if (const auto hit = roofline_hit(scene_, parts_, event->position()))
    emit chosen(sum_of(*hit).sum);
}

void RooflineCanvas::keyPressEvent(QKeyEvent* event) {
  const auto last = static_cast<int>(scene_.kernels.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Right:
      return choose(std::min(scene_.chosen + 1, last));
    case Qt::Key_Up:
    case Qt::Key_Left:
      return choose(std::min(std::max(scene_.chosen - 1, 0), last));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (scene_.chosen >= 0) emit chosen(scene_.kernels[static_cast<size_t>(scene_.chosen)].sum);
      return;
    default:
      Canvas::keyPressEvent(event);
  }
}

}  // namespace attn::gui

#include "moc_roofline_canvas.cpp"
