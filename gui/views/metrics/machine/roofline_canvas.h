// SPDX-License-Identifier: GPL-3.0-or-later
// RooflineCanvas: the page "This machine" on the screen. The pointer and the arrow keys choose a
// kernel. GUI thread.
#pragma once

#include "gui/views/metrics/machine/roofline_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class RooflineCanvas : public PageCanvas {
  Q_OBJECT
 public:
  explicit RooflineCanvas(QWidget* parent = nullptr);

  // The index of the chosen kernel stays, limited to the new list.
  void set_scene(RooflineScene scene);
  const RooflineScene& scene() const { return scene_; }
  const RooflineParts& parts() const { return parts_; }

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;

 signals:
  void chosen(const WorkSum& sum);  // a kernel or step was chosen by a click or Enter

 protected:
  bool is_empty() const override { return false; }
  void paint_content(QPainter& painter, const PictureLook& look) override;
  double lay_out(double height, const PictureLook& look) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  const KernelSum& sum_of(const RooflineHit& hit) const;
  void choose(int kernel);

  RooflineScene scene_;
  RooflineParts parts_;
};

}  // namespace attn::gui
