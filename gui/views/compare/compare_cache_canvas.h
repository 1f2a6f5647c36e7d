// SPDX-License-Identifier: GPL-3.0-or-later
// CompareCacheCanvas: the painted comparison with and without a cache, with its mouse and keyboard
// input. GUI thread.
#pragma once

#include "gui/views/compare/compare_cache_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class CompareCacheCanvas : public PageCanvas {
  Q_OBJECT
 public:
  explicit CompareCacheCanvas(CompareCacheModel& model, QWidget* parent = nullptr);

  const CompareCacheScene& scene() const { return scene_; }
  const CompareCacheLayout& canvas_layout() const { return layout_; }
  // Shows this request, or the comparison's first one if it lacks this one. `layer` chooses the
  // mask that is drawn.
  void show_request(uint32_t request, int64_t layer);
  void set_note(const QString& note);
  void choose_step(size_t step);  // index into scene().steps

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  std::optional<QRectF> row_of_selection() override;

 protected:
  bool is_empty() const override { return !model_.result(); }
  void paint_content(QPainter& painter, const PictureLook& look) override;
  double lay_out(double height, const PictureLook& look) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void take_steps();
  void describe();
  void move_row(int by);
  void move_step(int by);
  std::optional<int> row_at(const QPointF& position) const;

  CompareCacheModel& model_;
  CompareCacheScene scene_;
  CompareCacheLayout layout_;
  uint32_t request_ = 0;
};

}  // namespace attn::gui
