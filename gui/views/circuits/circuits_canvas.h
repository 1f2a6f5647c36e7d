// SPDX-License-Identifier: GPL-3.0-or-later
// CircuitsCanvas: the painted part of the circuits, with mouse and keys. GUI thread.
#pragma once

#include "gui/views/circuits/circuits_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class CircuitsCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  explicit CircuitsCanvas(QWidget* parent = nullptr);

  const CircuitsScene& scene() const { return scene_; }
  const CircuitsParts& parts() const { return parts_; }
  // Keeps the zoom, and the cursor if the layer and the number of heads stay the same.
  void set_scene(CircuitsScene scene);
  void zoom(double factor) { set_zoom(scene_.zoom * factor); }
  void set_zoom(double zoom);  // zoom of planes, at least 1
  void fit() { set_zoom(1); }

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;

 signals:
  void distance_step_asked(int step);
  void head_chosen(qint64 layer, qint64 head);
  void cursor_moved();

 protected:
  bool is_empty() const override { return scene_.is_empty(); }
  void paint_content(QPainter& painter) override;
  void relayout() override;
  double wheel_step() const override { return 1; }
  void scroll_by(double pixels) override { emit distance_step_asked(pixels > 0 ? 1 : -1); }
  void zoom_at(const QPointF& /*position*/, double factor) override { zoom(factor); }
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void move_cursor(int columns, int rows);
  void choose(int64_t index);

  CircuitsScene scene_;
  CircuitsParts parts_;
};

}  // namespace attn::gui
