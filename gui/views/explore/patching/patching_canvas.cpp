// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/explore/patching/patching_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

#include "gui/theme/theme.h"

namespace attn::gui {

// The window has a shortcut for Esc, and shortcuts come before the keys of widgets.
bool PatchingCanvas::event(QEvent* event) {
  if (takes_escape_ && event->type() == QEvent::ShortcutOverride &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  return ExploreCanvas::event(event);
}

void PatchingCanvas::paint_content(QPainter& painter) {
  ExploreCanvas::paint_content(painter);
  if (!dragging_) return;
  const Theme& theme = Theme::instance();
  const QRectF from = picture()->box_of(from_, area().width()).translated(0, -top());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.colors().warning, theme.line(2)));
  painter.drawRect(from);
  painter.drawLine(from.center(), at_);
  painter.setBrush(theme.colors().warning);
  painter.drawEllipse(at_, theme.px(4), theme.px(4));
}

void PatchingCanvas::hover(const std::optional<QPointF>& position) {
  ExploreCanvas::hover(position);
  if (dragging_) setCursor(Qt::ClosedHandCursor);
}

void PatchingCanvas::mousePressEvent(QMouseEvent* event) {
  end_drag();
  press_ = event->position();
  if (event->button() == Qt::LeftButton) from_ = spot_at(press_).value_or(Spot{});
  ExploreCanvas::mousePressEvent(event);
}

void PatchingCanvas::mouseMoveEvent(QMouseEvent* event) {
  at_ = event->position();
  if (from_.is_somewhere() && (event->buttons() & Qt::LeftButton) &&
      (at_ - press_).manhattanLength() >= kDragDistance) {
    dragging_ = true;
    update();
  }
  ExploreCanvas::mouseMoveEvent(event);
}

void PatchingCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const bool dropping = dragging_ && event->button() == Qt::LeftButton;
  const Spot from = from_;
  const auto to = spot_at(event->position());
  end_drag();
  ExploreCanvas::mouseReleaseEvent(event);
  if (dropping && to) emit dropped(from, *to);
}

void PatchingCanvas::end_drag() {
  from_ = {};
  if (std::exchange(dragging_, false)) update();
}

}  // namespace attn::gui

#include "moc_patching_canvas.cpp"
