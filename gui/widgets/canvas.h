// SPDX-License-Identifier: GPL-3.0-or-later
// Canvas: the painted part of a view: takes the focus and the mouse, shows its tooltips, and has
// the words and the button of the empty state. GUI thread.
#pragma once

#include <QPainter>
#include <QPushButton>
#include <QWidget>

namespace attn::gui {

class Canvas : public QWidget {
  Q_OBJECT
 public:
  // name: what a screen reader calls it.
  Canvas(const QString& name, QWidget* parent);

  // What the pointer explains there, as rich text; empty: nothing.
  virtual QString tooltip_at(const QPointF& position) = 0;

 signals:
  void run_asked();  // the button of the empty state
  void head_step_asked(int step);
  void layer_step_asked(int step);

 protected:
  static constexpr double kWheelZoom = 1.25;  // per notch
  static constexpr double kKeyZoom = 1.5;
  static constexpr double kDragDistance = 4;  // px before a press is a drag

  bool event(QEvent* event) override;

  // . and , ask for the next and previous head, with Shift for the layer; on any keyboard layout
  // that has the four on two keys. True: the key was one of them.
  bool take_head_key(const QKeyEvent& event);
  // Below the middle, where the words of the empty state end. Call again after a resize.
  void show_run_button(bool shown);
  void paint_empty(QPainter& painter, const QString& title, const QString& sentence) const;
  void paint_focus(QPainter& painter) const;  // the frame, while it has the focus

 private:
  QPushButton* run_button_;
};

}  // namespace attn::gui
