// SPDX-License-Identifier: GPL-3.0-or-later
// PatchingCanvas: the picture of patched runs; a cell can be dragged to another one. GUI thread.
#pragma once

#include "gui/views/explore/explore_canvas.h"

namespace attn::gui {

class PatchingCanvas : public ExploreCanvas {
  Q_OBJECT
 public:
  using ExploreCanvas::ExploreCanvas;

  // True: Esc is for this canvas (cleared()), and does not clear the window's selection.
  void set_takes_escape(bool takes) { takes_escape_ = takes; }

 signals:
  void dropped(const attn::gui::Spot& from, const attn::gui::Spot& to);

 protected:
  bool event(QEvent* event) override;
  void paint_content(QPainter& painter) override;
  void hover(const std::optional<QPointF>& position) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void end_drag();

  Spot from_;  // the spot where the left button was pressed, or nowhere
  QPointF press_, at_;
  bool dragging_ = false, takes_escape_ = false;
};

}  // namespace attn::gui
