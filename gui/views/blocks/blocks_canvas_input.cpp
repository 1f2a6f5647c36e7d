// SPDX-License-Identifier: GPL-3.0-or-later
// Event handlers of the blocks canvas.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/views/blocks/blocks_canvas.h"

namespace attn::gui {

void BlocksCanvas::resizeEvent(QResizeEvent*) {
  relayout();
}

void BlocksCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!scene_.snapshot || scene_.snapshot->blocks.empty()) {
    paint_empty(
        painter, tr("No cache yet"),
        tr("The blocks of the KV cache appear here in a run that has one. Press Space to run."));
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

void BlocksCanvas::pan(Part part, const QPointF& pixels) {
  switch (part) {
    case Part::kTables:
      scene_.tables.scroll_x -= pixels.x();
      scene_.tables.scroll_y -= pixels.y();
      scene_.tables.clamp();
      break;
    case Part::kPrefixes:
      scene_.prefixes.pan(pixels);
      break;
    case Part::kHost:
      scene_.host.pan(pixels);
      break;
    default:
      scene_.grid.pan(pixels);
  }
  update();
}

void BlocksCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF moved = event->position() - press_;
  const Part part = part_at(press_);
  const bool zoomed = (part == Part::kDevice && !scene_.grid.is_fit()) ||
                      (part == Part::kHost && !scene_.host.is_fit()) ||
                      (part == Part::kPrefixes && !scene_.prefixes.is_fit());
  if (pressed_ && !panning_ && zoomed && moved.manhattanLength() >= kDragDistance) panning_ = true;
  if (panning_) {
    pan(part, moved);
    press_ = event->position();
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
  const Part part = part_at(at);
  if (part == Part::kPrefixes || part == Part::kDevice || part == Part::kHost)
    scene_.keys_in_tree = part == Part::kPrefixes;
  if (const int64_t place = block_at(at); place >= 0) return select_block(place);
  const int64_t row = part == Part::kTables ? scene_.tables.row_at(at) : -1;
  if (row >= 0) {
    const RequestView& request =
        request_of(*scene_.snapshot, scene_.order[static_cast<size_t>(row)]);
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
  const Part part = part_at(event->position());
  if (event->modifiers() & Qt::ControlModifier) {
    const double factor = std::pow(kWheelZoom, notches);
    if (part == Part::kDevice)
      scene_.grid.zoom_at(event->position(), factor);
    else if (part == Part::kHost)
      scene_.host.zoom_at(event->position(), factor);
    else if (part == Part::kPrefixes)
      scene_.prefixes.zoom_at(event->position(), factor);
    else
      zoom(factor);
  } else {
    const double step = notches * (part == Part::kTables   ? 2 * scene_.tables.row
                                   : part == Part::kHost   ? std::max(24.0, scene_.host.cell())
                                   : part == Part::kDevice ? std::max(24.0, scene_.grid.cell())
                                                           : 48.0);
    pan(part, sideways ? QPointF(step, 0) : QPointF(0, step));
  }
  set_hovered(block_at(event->position()));
  update();
  event->accept();
}

void BlocksCanvas::keyPressEvent(QKeyEvent* event) {
  if (!scene_.grid_shown()) scene_.keys_in_tree = scene_.tree_shown();
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

}  // namespace attn::gui
