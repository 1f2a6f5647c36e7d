// SPDX-License-Identifier: GPL-3.0-or-later
// StepCanvas: the painted part of the Step view, with its scroll bar, mouse and keys. GUI thread.
#pragma once

#include <QScrollBar>

#include "gui/views/step/step_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class StepCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit StepCanvas(QWidget* parent = nullptr);

  const StepScene& scene() const { return scene_; }
  const StepLayout& step_layout() const { return layout_; }
  QScrollBar& bar() { return *bar_; }
  void set_scene(StepScene scene);
  void set_pointed(const PointedState& pointed);
  // The text of the empty state.
  void set_waiting(const QString& sentence, bool can_run);

  void reveal(const StepPlace& place);  // scrolls as little as needed
  // Goes to the batch (0), the attention types (1), the cache (2) or the masks (3).
  void show_section(int section);
  void fit();                // the usual size of text, and the beginning
  void zoom(double factor);  // the size of text
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

  StepPlace place_at(const QPointF& position) const;  // widget coordinates
  QRectF rect_of(const StepPlace& place) const;       // widget coordinates

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {200, 48}; }

 signals:
  void pointed(const StepPlace& place);
  void chosen(const SelectionState& state);
  void cleared();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void relayout();
  void scroll_to(double top);
  void hover_at(const QPointF& position);
  bool move(int rows);
  StepPlace selected_token() const;
  QRectF area() const;  // without the scroll bar

  StepScene scene_;
  PictureLook look_;  // without the zoom
  StepLayout layout_;
  StepParts parts_;
  QScrollBar* bar_;  // its value: the content at the upper edge, px
  QString waiting_;
  bool can_run_ = false;
  double zoom_ = 1;
  QPointF press_;
  Qt::MouseButton pressed_ = Qt::NoButton;
};

// The look with texts and lengths times `zoom`.
PictureLook zoomed(const PictureLook& look, double zoom);

}  // namespace attn::gui
