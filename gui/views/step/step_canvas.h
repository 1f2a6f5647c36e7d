// SPDX-License-Identifier: GPL-3.0-or-later
// StepCanvas: the painted part of the view Step, with scroll bar, mouse and keys. GUI thread.
#pragma once

#include "gui/views/step/step_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class StepCanvas : public BarCanvas {
  Q_OBJECT
 public:
  explicit StepCanvas(QWidget* parent = nullptr);

  const StepScene& scene() const { return scene_; }
  const StepLayout& step_layout() const { return layout_; }
  void set_scene(StepScene scene);
  void set_pointed(const PointedState& pointed);

  void reveal(const StepPlace& place);  // scrolls it into sight
  // section: 0 the batch, 1 the attention types, 2 the cache, 3 the masks.
  void show_section(int section);
  void fit();  // usual text size, at top
  void zoom(double factor) override;
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);

  StepPlace place_at(const QPointF& position) const;  // widget coordinates
  QRectF rect_of(const StepPlace& place) const;       // widget coordinates

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {200, 48}; }

 signals:
  void pointed(const StepPlace& place);
  void chosen(const SelectionState& state);
  void cleared();

 protected:
  bool is_empty() const override;
  void paint_content(QPainter& painter) override;
  void relayout() override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool move(int rows);
  StepPlace selected_token() const;

  StepScene scene_;
  PictureLook look_;  // without the zoom
  StepLayout layout_;
  StepParts parts_;
};

// The look with its text size times `zoom`.
PictureLook zoomed(const PictureLook& look, double zoom);

}  // namespace attn::gui
