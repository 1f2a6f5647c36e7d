// SPDX-License-Identifier: GPL-3.0-or-later
// Canvas: a painted part of a view. It takes mouse input and mostly also the focus, shows tooltips,
// and can draw the text of an empty state and show a Run button. GUI thread.
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
  // name: the accessible name.
  Canvas(const QString& name, QWidget* parent);

  // The tooltip at this place (pixels of the canvas), as HTML or as plain text. If it is empty and
  // a text was painted shortened there, the canvas shows the whole text (whole_text_at()).
  virtual QString tooltip_at(const QPointF& position) = 0;
  // What is at this position, for menu and help. The default has only the words of the tooltip.
  virtual ViewPoint point_at(const QPointF& position);
  // A point of what is selected, shown or at the keyboard cursor, often its middle; nullopt: none.
  virtual std::optional<QPointF> place_of_selection() { return std::nullopt; }
  // The same as View::row_of_selection(), but in pixels of the canvas.
  virtual std::optional<QRectF> row_of_selection() { return std::nullopt; }

  // Disables the Run button, with `why` as its tooltip; empty: enables it.
  void refuse_run(const QString& why);

 signals:
  void run_asked();  // the Run button was pressed
  void head_step_asked(int step);
  void layer_step_asked(int step);

 protected:
  static constexpr double kWheelZoom = 1.25;  // per notch of the wheel
  static constexpr double kKeyZoom = 1.5;
  static constexpr double kDragDistance = 4;  // px; a press that moves at least as far is a drag

  bool event(QEvent* event) override;

  // The keys . and , ask for the next and the previous head, > or : for the next layer, and < or ;
  // for the previous one (these are . and , with Shift on common keyboards). Returns whether the
  // key was one of these.
  bool take_head_key(const QKeyEvent& event);
  // Shows or hides the Run button, below the middle of the canvas. Call it again after a resize.
  void show_run_button(bool shown);
  void paint_empty(QPainter& painter, const QString& title, const QString& sentence) const;
  void paint_focus(QPainter& painter) const;  // a frame, while the canvas has the focus

 private:
  QPushButton* run_button_;
};

}  // namespace attn::gui
