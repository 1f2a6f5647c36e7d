// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapInput: turns mouse, wheel and keys on the heatmap into commands of the view, keeps the
// state of a mouse drag, and says what is at a position. GUI thread.
#pragma once

#include <QKeyEvent>
#include <QMouseEvent>
#include <QRectF>
#include <QWheelEvent>
#include <vector>

#include "gui/widgets/view.h"

namespace attn::gui {

class HeatmapView;

class HeatmapInput {
 public:
  explicit HeatmapInput(HeatmapView& view) : view_(view) {}

  void wheel(const QWheelEvent& event);
  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  void double_click(const QMouseEvent& event);
  bool key(const QKeyEvent& event);
  ViewPoint point_at(const QPointF& position) const;
  std::optional<QPoint> place_of_selection() const;
  std::optional<QRect> row_of_selection() const;
  static std::vector<KeyHelp> key_help();

  // The rectangle that the mouse is being dragged over, widget coordinates; empty: no such drag.
  const QRectF& rubber_band() const { return rubber_band_; }

 private:
  bool navigate(const QKeyEvent& event);
  bool choose(const QKeyEvent& event);

  HeatmapView& view_;
  QPointF press_;
  Qt::MouseButton dragging_ = Qt::NoButton;
  bool moved_ = false;
  QRectF rubber_band_;
};

}  // namespace attn::gui
