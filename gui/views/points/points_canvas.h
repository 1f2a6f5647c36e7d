// SPDX-License-Identifier: GPL-3.0-or-later
// PointsCanvas: the painted part of the view Points, with zoom, mouse and keys. GUI thread.
#pragma once

#include "gui/views/points/points_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class PointsCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  explicit PointsCanvas(QWidget* parent = nullptr);

  const PointsScene& scene() const { return scene_; }
  void set_scene(PointsScene scene);
  void set_pointed(const PointedState& pointed);
  const PointsParts& parts() const { return parts_; }

  void fit();
  void zoom(double factor);
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

  QPointF position_of(const PointPlace& place) const;  // widget coordinates
  std::optional<PointPlace> place_at(const QPointF& position) const;

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;

 signals:
  void pointed(bool key, qint64 position);  // -1: at no point
  void chosen(bool key, qint64 position);
  void cleared();
  void move_asked(int percent);  // the key points should move by this many percent
  void move_toggled();           // the key points should move to 0 or to 100 percent

 protected:
  bool is_empty() const override { return scene_.is_empty(); }
  void paint_content(QPainter& painter) override;
  void relayout() override;
  double wheel_step() const override { return 60; }
  void scroll_by(double pixels) override;
  void zoom_at(const QPointF& position, double factor) override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool step_query(int step);
  bool step_key(int step);

  PointsScene scene_;
  PointsParts parts_;
  CanvasTransform transform_;
  bool placed_ = false;
};

}  // namespace attn::gui
