// SPDX-License-Identifier: GPL-3.0-or-later
// DifferenceCanvas: the painted part of the view Difference, with zoom, mouse and keys. GUI thread.
#pragma once

#include <QImage>

#include "gui/views/attention/difference/difference_painter.h"
#include "gui/views/attention/heatmap/choice/cell_places.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class DifferenceCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit DifferenceCanvas(QWidget* parent = nullptr);

  const DifferenceScene& scene() const { return scene_; }
  void set_scene(DifferenceScene scene);
  // Scrolls to a cell that is newly marked.
  void set_mark(const HeatmapMark& mark);
  void set_pointed(int64_t query, int64_t key);
  // What is computed so far.
  const DifferenceState& state() const { return state_; }
  bool is_behind() const { return tiles_.behind(); }
  const DifferenceLayout& parts() const { return layout_; }
  QString sentences() const;

  void fit();
  void zoom(double factor);
  std::vector<double> place() const;
  void go_to_place(const std::vector<double>& place);
  std::optional<HeatmapCell> cell_at(const QPointF& position) const;  // pixels of the canvas
  QRectF rect_of(int64_t query, int64_t key) const;                   // pixels of the canvas

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 320}; }
  QSize minimumSizeHint() const override { return {200, 80}; }

 signals:
  void computed();                         // state() has changed
  void pointed(qint64 query, qint64 key);  // -1: at no cell
  void chosen(qint64 query, qint64 key);   // a cell is to be selected
  void cleared();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void relayout();
  void view_changed();  // call after the transform has changed
  void want();
  void take_state();
  void move_mark(int64_t queries, int64_t keys);

  DifferenceScene scene_;
  DifferenceTiles tiles_;
  DifferenceState state_;
  DifferenceLayout layout_;
  CanvasTransform transform_;
  bool placed_ = false;  // transform_ belongs to the requests of the scene
  int level_ = 0;
  size_t lines_ = 0;  // the most lines that the sentences of these heads have needed
  std::vector<TileKey> wanted_;
  bool want_again_ = true;  // the scene has changed since tiles were asked for
  QImage cells_;
  bool cells_dirty_ = true;
  QPointF press_;
  Qt::MouseButton pressed_ = Qt::NoButton;
};

}  // namespace attn::gui
