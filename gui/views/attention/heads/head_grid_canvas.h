// SPDX-License-Identifier: GPL-3.0-or-later
// HeadGridCanvas: the painted part of the head grid, with its mouse and keyboard input. GUI thread.
#pragma once

#include "gui/views/attention/heads/head_grid_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class HeadGridCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  explicit HeadGridCanvas(QWidget* parent = nullptr);

  const HeadGridScene& scene() const { return scene_; }
  const HeadGridLayout& canvas_layout() const { return layout_; }
  void set_scene(HeadGridScene scene);  // keeps cursor and hover if it has them
  void set_summaries(HeadSummaries summaries, int64_t behind);
  void set_can_run(bool can_run);
  int level() const { return level_; }

  double zoom_factor() const { return zoom_; }
  void set_zoom(double factor);
  void scroll_to(double offset);
  void bring_into_view(int64_t index);
  double scroll_offset() const { return scroll_; }
  int64_t head_at(const QPointF& position) const;  // -1: none
  QRectF rect_of(int64_t index) const;             // of the thumbnail, widget coordinates
  void set_cursor_head(int64_t index);             // also scrolls the head into view

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 400}; }
  QSize minimumSizeHint() const override { return {240, 120}; }

 signals:
  void head_chosen(qint64 index);
  void cursor_moved();
  void level_changed();
  // key: O, S, A, E, C, L, M and W ask for the next value of a choice, T asks for the menu of
  // texts.
  void choice_asked(int key);
  void cancel_asked();

 protected:
  bool event(QEvent* event) override;
  bool is_empty() const override;
  void paint_waiting(QPainter& painter) override;
  void paint_content(QPainter& painter) override;
  void relayout() override;
  double wheel_step() const override;
  void zoom_at(const QPointF& position, double factor) override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void scroll_by(double pixels) override { scroll_to(scroll_ + pixels); }
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool move_key(int key);
  void move_by(int64_t across, int64_t down);

  HeadGridScene scene_;
  HeadGridLayout layout_;
  HeadThumbs thumbs_;
  double zoom_ = 1, scroll_ = 0;
  int level_ = 0;
  bool can_run_ = false;
};

}  // namespace attn::gui
