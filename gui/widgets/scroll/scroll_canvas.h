// SPDX-License-Identifier: GPL-3.0-or-later
// ScrollCanvas: a canvas that scrolls by the wheel and by dragging with the middle button, and
// zooms by Ctrl+wheel. BarCanvas has a vertical scroll bar. PageCanvas stands in a scroll area and
// is at least as high as its content. GUI thread.
#pragma once

#include <QScrollBar>

#include "gui/widgets/canvas.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

class ScrollCanvas : public Canvas {
 public:
  using Canvas::Canvas;

  // Sets the words of the empty state. can_run: whether it has the Run button. Call relayout()
  // afterwards.
  void set_waiting(const QString& title, const QString& sentence, bool can_run);
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {200, 80}; }

 protected:
  // --- what a subclass implements ---
  virtual bool is_empty() const = 0;                  // true: the empty state is shown
  virtual void paint_waiting(QPainter& painter);      // paints the empty state
  virtual void paint_content(QPainter& painter) = 0;  // the surface is painted before it
  // Called after a change of size; to be called after a change of content. An override calls
  // offer_run() if it uses set_waiting().
  virtual void relayout() = 0;
  virtual double wheel_step() const = 0;      // for scroll_by(), per notch of the wheel
  virtual void scroll_by(double pixels) = 0;  // above 0: down, or onwards
  virtual void zoom_at(const QPointF& position, double factor) = 0;
  // The mouse points at this position. nullopt: it has left the canvas.
  virtual void hover(const std::optional<QPointF>& position) = 0;
  virtual void click(const QMouseEvent& event) = 0;  // left button, without a drag
  virtual void double_click(const QPointF& /*position*/) {}

  void offer_run() { show_run_button(can_run_ && is_empty()); }

  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QPointF press_;
  Qt::MouseButton pressed_ = Qt::NoButton;
  QString waiting_title_, waiting_;
  bool can_run_ = false;
};

// A canvas with a vertical scroll bar. Zooming changes the text size.
class BarCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  // bar_name: the accessible name of the bar.
  BarCanvas(const QString& name, const QString& bar_name, QWidget* parent);

  QScrollBar& bar() { return *bar_; }
  virtual void zoom(double factor) = 0;  // changes the text size

 protected:
  static constexpr double kLeastZoom = 0.5, kMostZoom = 4;

  QRectF area() const;  // of the canvas without the scroll bar
  // To be called by relayout(). height: of the content, page: of its visible part, line: the unit
  // of scrolling; all in px.
  void set_content(double height, double page, double line);
  double top() const { return bar_->value(); }  // px of the content above its visible part
  void scroll_to(double top);
  double zoom_factor() const { return zoom_; }
  void set_zoom_factor(double zoom);  // clamps it; does not call relayout()

  double wheel_step() const override;
  void scroll_by(double pixels) override { scroll_to(top() + pixels); }
  // Scrolls for Page up, Page down and, if `lines`, Up and Down; zooms for +, = and -. Returns
  // false for other keys.
  bool scroll_key(int key, bool lines);
  void zoom_at(const QPointF& /*position*/, double factor) override { zoom(factor); }

 private:
  QScrollBar* bar_;
  double zoom_ = 1, page_ = 0, line_ = 0;
};

class PageCanvas : public Canvas {
 public:
  PageCanvas(const QString& name, QWidget* parent);

  // The words that are shown while is_empty().
  void set_waiting(const QString& text);
  void set_viewport_height(int height);  // of the scroll area, px
  QSize sizeHint() const override { return {640, 320}; }

 protected:
  virtual bool is_empty() const = 0;  // true: the words of set_waiting() are shown
  virtual void paint_content(QPainter& painter, const PictureLook& look) = 0;  // also if empty
  // Arranges the content for a canvas of `height` px. Returns the height in px that it needs.
  virtual double lay_out(double height, const PictureLook& look) = 0;

  void relayout();
  const QString& waiting() const { return waiting_; }
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString waiting_;
  int viewport_height_ = 0;
};

}  // namespace attn::gui
