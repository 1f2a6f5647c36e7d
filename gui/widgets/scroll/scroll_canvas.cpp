// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/scroll/scroll_canvas.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/theme/theme.h"

namespace attn::gui {
namespace {

constexpr double kLinesPerNotch = 3;  // lines that a notch of the wheel scrolls

}  // namespace

void ScrollCanvas::set_waiting(const QString& title, const QString& sentence, bool can_run) {
  waiting_title_ = title;
  waiting_ = sentence;
  can_run_ = can_run;
}

void ScrollCanvas::paint_waiting(QPainter& painter) {
  paint_empty(painter, waiting_title_, waiting_);
}

void ScrollCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (is_empty()) {
    paint_waiting(painter);
  } else {
    paint_surface(painter, rect(), Theme::instance().colors().surface);
    paint_content(painter);
  }
  paint_focus(painter);
}

void ScrollCanvas::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  relayout();
}

void ScrollCanvas::wheelEvent(QWheelEvent* event) {
  const double notches = event->angleDelta().y() / 120.0;
  if (event->modifiers() & Qt::ControlModifier)
    zoom_at(event->position(), std::pow(kWheelZoom, notches));
  else
    scroll_by(-notches * wheel_step());
  event->accept();
  hover(event->position());
}

void ScrollCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (pressed_ != Qt::MiddleButton) return hover(event->position());
  scroll_by(press_.y() - event->position().y());
  press_ = event->position();
}

void ScrollCanvas::mousePressEvent(QMouseEvent* event) {
  press_ = event->position();
  pressed_ = event->button();
}

void ScrollCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const Qt::MouseButton button = std::exchange(pressed_, Qt::NoButton);
  if (button != Qt::LeftButton || event->button() != Qt::LeftButton) return;
  if ((event->position() - press_).manhattanLength() < kDragDistance) click(*event);
}

void ScrollCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  pressed_ = Qt::NoButton;
  if (event->button() == Qt::LeftButton) double_click(event->position());
}

void ScrollCanvas::leaveEvent(QEvent*) {
  hover(std::nullopt);
}

void ScrollCanvas::focusInEvent(QFocusEvent* event) {
  Canvas::focusInEvent(event);
  update();
}

void ScrollCanvas::focusOutEvent(QFocusEvent* event) {
  Canvas::focusOutEvent(event);
  update();
}

BarCanvas::BarCanvas(const QString& name, const QString& bar_name, QWidget* parent)
    : ScrollCanvas(name, parent), bar_(new QScrollBar(Qt::Vertical, this)) {
  bar_->setAccessibleName(bar_name);
  bar_->setCursor(Qt::ArrowCursor);
  connect(bar_, &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
}

QRectF BarCanvas::area() const {
  return QRectF(rect()).adjusted(0, 0, -bar_->sizeHint().width(), 0);
}

void BarCanvas::set_content(double height, double page, double line) {
  page_ = page;
  line_ = line;
  bar_->setGeometry(QRectF(rect()).adjusted(area().width(), 1, 0, -1).toRect());
  bar_->setVisible(!is_empty());
  offer_run();
  bar_->setPageStep(std::max(1, static_cast<int>(page)));
  bar_->setSingleStep(std::max(1, static_cast<int>(line)));
  bar_->setRange(0, static_cast<int>(std::clamp(std::ceil(height - page), 0.0, 1e9)));
  update();
}

void BarCanvas::scroll_to(double top) {
  bar_->setValue(static_cast<int>(std::clamp(top, 0.0, 1e9)));
}

void BarCanvas::set_zoom_factor(double zoom) {
  zoom_ = std::clamp(zoom, kLeastZoom, kMostZoom);
}

double BarCanvas::wheel_step() const {
  return kLinesPerNotch * line_;
}

bool BarCanvas::scroll_key(int key, bool lines) {
  switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (lines) scroll_by(key == Qt::Key_Up ? -line_ : line_);
      return lines;
    case Qt::Key_PageUp:
      return scroll_by(line_ - page_), true;
    case Qt::Key_PageDown:
      return scroll_by(page_ - line_), true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kWheelZoom), true;
    case Qt::Key_Minus:
      return zoom(1 / kWheelZoom), true;
    default:
      return false;
  }
}

PageCanvas::PageCanvas(const QString& name, QWidget* parent) : Canvas(name, parent) {
  connect(&Theme::instance(), &Theme::changed, this, [this] { relayout(); });
}

void PageCanvas::set_waiting(const QString& text) {
  waiting_ = text;
  if (is_empty()) setAccessibleDescription(text);
  update();
}

void PageCanvas::set_viewport_height(int height) {
  viewport_height_ = height;
  relayout();
}

void PageCanvas::relayout() {
  constexpr int kLeastHeight = 120;
  const double height = lay_out(std::max(viewport_height_, kLeastHeight), PictureLook::read());
  const int needed = is_empty() ? 0 : static_cast<int>(std::ceil(height));
  setMinimumHeight(needed > viewport_height_ ? needed : 0);
  update();
}

void PageCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  const PictureLook look = PictureLook::read();
  paint_content(painter, look);
  if (!is_empty()) return;
  painter.setFont(Theme::instance().font());
  painter.setPen(look.colors.muted);
  painter.drawText(QRectF(rect()).adjusted(look.px(32), look.px(16), -look.px(32), -look.px(16)),
                   Qt::AlignCenter | Qt::TextWordWrap, waiting_);
  paint_focus(painter);
}

void PageCanvas::resizeEvent(QResizeEvent* event) {
  Canvas::resizeEvent(event);
  if (event->oldSize().width() != width()) relayout();
}

}  // namespace attn::gui

#include "moc_scroll_canvas.cpp"
