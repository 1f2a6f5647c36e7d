// SPDX-License-Identifier: GPL-3.0-or-later
// CompareCanvas: the painted part of the compare view, with its mouse and keyboard input; as high
// as its content, inside a scroll area. GUI thread.
#pragma once

#include "gui/views/compare/compare_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class CompareCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit CompareCanvas(CompareModel& model, QWidget* parent = nullptr);

  const CompareScene& scene() const { return scene_; }
  const CompareLayout& canvas_layout() const { return layout_; }
  void set_maps(std::vector<DifferenceMap> maps, const QString& title);
  void set_note(const QString& note);
  // Words in place of a table: what will appear here, or how far the comparison is.
  void set_waiting(const QString& text);
  void move_cursor(int columns, int rows);
  void set_viewport_height(int height);

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }

 signals:
  // A cell of a map was chosen.
  void cell_chosen(const CompareScene::Cell& cell);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void relayout();
  void describe();

  CompareModel& model_;
  CompareScene scene_;
  CompareLayout layout_;
  QString waiting_;
  int viewport_height_ = 0;
};

}  // namespace attn::gui
