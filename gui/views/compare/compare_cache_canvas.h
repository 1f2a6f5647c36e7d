// SPDX-License-Identifier: GPL-3.0-or-later
// CompareCacheCanvas: the painted comparison with and without a cache, with its mouse and keyboard
// input; as high as its content, inside a scroll area. GUI thread.
#pragma once

#include "gui/views/compare/compare_cache_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class CompareCacheCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit CompareCacheCanvas(CompareCacheModel& model, QWidget* parent = nullptr);

  const CompareCacheScene& scene() const { return scene_; }
  const CompareCacheLayout& canvas_layout() const { return layout_; }
  // The pictures show this request, with the mask of this layer. A request that the comparison does
  // not have: its first.
  void show_request(uint32_t request, int64_t layer);
  void set_note(const QString& note);
  // Words in place of a table: what will appear here, or how far the comparison is.
  void set_waiting(const QString& text);
  void choose_step(size_t step);  // index into scene().steps
  void set_viewport_height(int height);

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void take_steps();
  void relayout();
  void describe();
  void move_row(int by);
  void move_step(int by);
  std::optional<int> row_at(const QPointF& position) const;

  CompareCacheModel& model_;
  CompareCacheScene scene_;
  CompareCacheLayout layout_;
  uint32_t request_ = 0;
  QString waiting_;
  int viewport_height_ = 0;
};

}  // namespace attn::gui
