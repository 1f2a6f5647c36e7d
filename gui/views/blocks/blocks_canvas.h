// SPDX-License-Identifier: GPL-3.0-or-later
// BlocksCanvas: the painted part of the blocks view and everything a hand does on it. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "gui/views/blocks/block_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class BlocksCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit BlocksCanvas(Selection& selection, QWidget* parent = nullptr);

  // --- data ---
  void reset();
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  // The run's events, read when a span is selected. Must outlive the canvas.
  void set_events(const std::vector<TraceEvent>* events) { events_ = events; }

  const BlocksScene& scene() const { return scene_; }
  const BlockHighlight& highlight() const { return scene_.highlight; }
  int64_t cursor() const { return scene_.cursor; }
  int64_t block_at(const QPointF& position) const;  // in either part; -1: none

  // --- what is shown ---
  void set_color_by(BlockColorBy by);
  BlockColorBy color_by() const { return scene_.coloring.by; }
  void set_parts(bool grid, bool tables);

  // --- navigation ---
  void fit_all();
  void fit();  // the selected block, or all
  void zoom(double factor);
  void move_cursor(int64_t columns, int64_t rows);
  void select_block(int64_t block);

  // The content for exports, under a title with the caption.
  void paint_all(QPainter& painter, const QRectF& bounds);
  void set_caption(const QString& caption) { caption_ = caption; }
  QSize full_size() const;

  QString tooltip_at(const QPointF& position) override;
  QSize sizeHint() const override { return {640, 220}; }
  QSize minimumSizeHint() const override { return {220, 80}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void selection_changed();
  void relayout();
  void set_hovered(int64_t block);
  void flash_changes(const EngineSnapshot& after);
  void fade();
  static double title_height();
  void paint_title(QPainter& painter, const QRectF& bounds) const;

  Selection& selection_;
  const std::vector<TraceEvent>* events_;
  BlocksScene scene_;
  BlockPainter painter_;
  QString caption_;
  QPointF press_;
  bool pressed_ = false, panning_ = false;
  BlockFlashes flashes_;
  QElapsedTimer clock_;
  QTimer fading_;  // runs while something fades
};

}  // namespace attn::gui
