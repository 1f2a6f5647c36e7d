// SPDX-License-Identifier: GPL-3.0-or-later
// Canvas: the painted part of a view. It takes focus and mouse input, shows tooltips, and draws the
// text and the Run button of the empty state. GUI thread.
#pragma once

#include <QPainter>
#include <QPushButton>
#include <QWidget>
#include <optional>

#include "gui/models/view_point.h"

namespace attn::gui {

class Canvas : public QWidget {
  Q_OBJECT
 public:
  // name: what a screen reader calls the canvas.
  Canvas(const QString& name, QWidget* parent);

  // The tooltip at this position (pixels of the canvas), as rich text. Empty: none, unless a text
  // is shortened there (whole_text_at()).
  virtual QString tooltip_at(const QPointF& position) = 0;
  // What is at this position, for the context menu. The default has only the words of the tooltip.
  virtual ViewPoint point_at(const QPointF& position);
  // The middle of what is selected or at the keyboard cursor; nothing: there is none.
  virtual std::optional<QPointF> place_of_selection() { return std::nullopt; }

  // Makes the Run button grey, with `why` as its tooltip; an empty `why` makes it usable again.
  void refuse_run(const QString& why);

 signals:
  void run_asked();  // the Run button of the empty state was pressed
  void head_step_asked(int step);
  void layer_step_asked(int step);

 protected:
  static constexpr double kWheelZoom = 1.25;  // per notch
  static constexpr double kKeyZoom = 1.5;
  static constexpr double kDragDistance = 4;  // px that the mouse moves before a press is a drag

  bool event(QEvent* event) override;

  // The keys . and , ask for the next and the previous head; with Shift, for the next and the
  // previous layer. This works on keyboard layouts where Shift turns them into > < or : ;. Returns
  // true if the key was one of these.
  bool take_head_key(const QKeyEvent& event);
  // Shows the Run button below the text of the empty state, or hides it. Call it again after a
  // resize.
  void show_run_button(bool shown);
  void paint_empty(QPainter& painter, const QString& title, const QString& sentence) const;
  void paint_focus(QPainter& painter) const;  // a frame around the canvas while it has the focus

 private:
  QPushButton* run_button_;
};

}  // namespace attn::gui
