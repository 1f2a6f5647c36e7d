// SPDX-License-Identifier: GPL-3.0-or-later
// RotaryCanvas: the painted part of the view Rotary, with mouse and keys. GUI thread.
#pragma once

#include "gui/views/rotary/rotary_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class RotaryCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  explicit RotaryCanvas(QWidget* parent = nullptr);

  const RotaryScene& scene() const { return scene_; }
  const RotaryParts& parts() const { return parts_; }
  void set_scene(RotaryScene scene);
  void look_at(std::optional<int64_t> distance);

  void fit();
  void zoom(double factor);
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;

 signals:
  void cell_step_asked(int queries, int keys);
  void cleared();
  void looked();  // another distance is looked at, or fit() was called

 protected:
  bool is_empty() const override { return scene_.is_empty(); }
  void paint_content(QPainter& painter) override;
  void relayout() override;
  double wheel_step() const override { return 1; }
  void scroll_by(double pixels) override;
  void zoom_at(const QPointF& position, double factor) override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int64_t pair_at(const QPointF& position) const;
  std::optional<int64_t> distance_at(const QPointF& position) const;

  RotaryScene scene_;
  RotaryParts parts_;
  std::optional<int64_t> longest_;  // end of the curve if a zoom or a place set it
  bool pinned_ = false;             // looked_at stays when the pointer moves
};

}  // namespace attn::gui
