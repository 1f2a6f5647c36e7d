// SPDX-License-Identifier: GPL-3.0-or-later
// BlocksCanvas: the painted part of the blocks view, with its mouse and keyboard input. A block is
// given by its place (block_places.h). GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <limits>
#include <optional>

#include "gui/views/blocks/drawing/block_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class BlocksCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit BlocksCanvas(Selection& selection, QWidget* parent = nullptr);

  // --- data ---
  void reset();
  // of_the_past: nothing is animated, and events after the snapshot's last step are not read.
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot, bool of_the_past = false);
  // The events must outlive the canvas.
  void set_events(const std::vector<TraceEvent>* events) { events_ = events; }
  void take_events(int64_t from, int64_t to);  // events [from, to) are new

  const BlocksScene& scene() const { return scene_; }
  const BlockHighlight& highlight() const { return scene_.highlight; }
  int64_t cursor() const { return scene_.cursor; }
  int64_t block_at(const QPointF& position) const;  // the place there; -1: none
  const ReaderLog& readers() const { return readers_; }

  // --- what is shown ---
  void set_color_by(BlockColorBy by);
  BlockColorBy color_by() const { return scene_.coloring.by; }
  void set_parts(bool grid, bool tables, bool prefixes = true);

  // --- navigation ---
  void fit_all();
  void fit();  // zooms to the block of the selection, or shows all
  void zoom(double factor);
  // Zoom and scroll of the device pool's grid, see BlockGrid::place().
  std::vector<double> place() const { return scene_.grid.place(); }
  void go_to_place(const std::vector<double>& place);
  void move_cursor(int64_t columns, int64_t rows);
  void select_block(int64_t place);

  void paint_all(QPainter& painter, const QRectF& bounds);
  void set_caption(const QString& caption) { caption_ = caption; }
  void set_exports_prefixes(bool exports) { exports_prefixes_ = exports; }
  QSize full_size(std::optional<double> width = {}) const;

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  QSize sizeHint() const override { return {640, 220}; }
  QSize minimumSizeHint() const override { return {220, 56}; }

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
  enum class Part { kNone, kDevice, kHost, kTables, kPrefixes };
  Part part_at(const QPointF& position) const;
  void pan(Part part, const QPointF& pixels);
  void selection_changed();
  void relayout();
  void set_hovered(int64_t place);
  void set_cursor(int64_t place);
  // Whether changes are shown as fading marks and moving arrows.
  bool is_moving(const EngineSnapshot& snapshot) const;
  void show_changes(const EngineSnapshot& after);
  void fade();
  void read_trace();
  uint64_t trace_end_ns() const;
  void paint_title(QPainter& painter, const QRectF& bounds) const;

  Selection& selection_;
  const std::vector<TraceEvent>* events_;
  BlocksScene scene_;
  BlockPainter painter_;
  QString caption_;
  QPointF press_;
  bool pressed_ = false, panning_ = false;
  bool of_the_past_ = false, exports_prefixes_ = true;
  BlockFlashes flashes_;
  MoveArrows arrows_;
  StepTiles step_tiles_;
  ReaderLog readers_;
  QElapsedTimer clock_;
  QTimer fading_;   // runs while there are flashes or moving arrows
  QTimer reading_;  // runs while a long trace is read for kReader
};

}  // namespace attn::gui
