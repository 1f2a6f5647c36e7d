// SPDX-License-Identifier: GPL-3.0-or-later
// CompareCanvas: the painted comparison of backends, with its mouse and keyboard input. GUI thread.
#pragma once

#include "gui/views/compare/compare_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class CompareCanvas : public PageCanvas {
  Q_OBJECT
 public:
  explicit CompareCanvas(CompareModel& model, QWidget* parent = nullptr);

  const CompareScene& scene() const { return scene_; }
  const CompareLayout& canvas_layout() const { return layout_; }
  void set_maps(std::vector<DifferenceMap> maps, const QString& title);
  void set_note(const QString& note);
  void move_cursor(int columns, int rows);

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;

 signals:
  void cell_chosen(const CompareScene::Cell& cell);

 protected:
  bool is_empty() const override { return !model_.result(); }
  void paint_content(QPainter& painter, const PictureLook& look) override;
  double lay_out(double height, const PictureLook& look) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void describe();

  CompareModel& model_;
  CompareScene scene_;
  CompareLayout layout_;
};

}  // namespace attn::gui
