// SPDX-License-Identifier: GPL-3.0-or-later
// TilesCanvas: the painted part of the tiles view with its mouse and keyboard input. GUI thread.
#pragma once

#include "gui/views/tiles/tiles_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class TilesCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit TilesCanvas(QWidget* parent = nullptr);

  const TilesScene& scene() const { return scene_; }
  const TilesLayout& canvas_layout() const { return layout_; }
  const CanvasTransform& transform() const { return transform_; }
  void set_scene(TilesScene scene);
  // The text shown while there are no rows. can_run: shows the Run button.
  void set_waiting(const QString& text, bool can_run);

  void fit();
  void zoom(double factor);
  void go_to_place(const std::vector<double>& place);  // a place of transform()
  void paint_all(QPainter& painter, const QRectF& bounds) const;

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  std::optional<QRectF> row_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {240, 120}; }

 signals:
  void row_asked(qint64 query, qint64 key);  // key -1: the row alone
  void row_step_asked(int step);
  void tile_step_asked(int step);  // 0: live

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void relayout();
  // key -1: the query sees no key at the position.
  struct Pair {
    int64_t query = -1, key = -1;
  };
  std::optional<Pair> pair_at(const QPointF& position) const;

  TilesScene scene_;
  TilesLayout layout_;
  CanvasTransform transform_;
  QString waiting_;
  bool can_run_ = false;
  QPointF press_;
  bool panning_ = false;
};

}  // namespace attn::gui
