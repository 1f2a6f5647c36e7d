// SPDX-License-Identifier: GPL-3.0-or-later
// HeadLinesCanvas: the painted part of the head lines, with its mouse and keyboard input. GUI
// thread.
#pragma once

#include "gui/views/attention/lines/head_lines_painter.h"
#include "gui/widgets/scroll/scroll_canvas.h"

namespace attn::gui {

class HeadLinesCanvas : public ScrollCanvas {
  Q_OBJECT
 public:
  explicit HeadLinesCanvas(QWidget* parent = nullptr);

  const HeadLinesScene& scene() const { return scene_; }
  const HeadLinesLayout& canvas_layout() const { return layout_; }
  CanvasAxis queries() const { return queries_beside(tokens_, scene_); }
  CanvasAxis keys() const { return tokens_; }
  LineWindow window() const { return window_of(queries(), keys(), scene_); }
  const LinesShown& shown() const;  // the reference is valid until the next change

  // Keeps the pointed token if the record stays the same and the longer column has this position.
  // Another record starts at its top.
  void set_scene(HeadLinesScene scene);
  void set_data(std::shared_ptr<const LineData> read);
  void set_can_run(bool can_run);
  void set_pointed(std::optional<LineToken> token, bool reveal);

  void reveal(const LineToken& token);

  void fit();  // shows all tokens
  void zoom(double factor);
  void scroll_by(double pixels) override;
  std::vector<double> place() const;  // offset and scale of tokens_; empty: all tokens
  void go_to_place(const std::vector<double>& place);
  void show_positions(int64_t first, int64_t last);  // zooms to them

  std::optional<LineToken> token_at(const QPointF& position) const;
  QRectF rect_of(const LineToken& token) const;  // of the label, widget coordinates

  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  std::optional<QRectF> row_of_selection() override;
  QSize sizeHint() const override { return {640, 400}; }
  QSize minimumSizeHint() const override { return {240, 120}; }

 signals:
  void window_changed();
  void token_chosen(int side, qint64 position);
  void pointed_changed();  // scene().pointed was set by mouse or keys
  void all_heads_asked();
  void first_token_asked();
  void quantity_asked();
  void head_toggled(int head);
  void cleared();

 protected:
  bool is_empty() const override;
  void paint_waiting(QPainter& painter) override;
  void paint_content(QPainter& painter) override;
  void relayout() override;
  double wheel_step() const override;
  void zoom_at(const QPointF& position, double factor) override;
  void hover(const std::optional<QPointF>& position) override;
  void click(const QMouseEvent& event) override;
  void double_click(const QPointF& position) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void moved();
  void point(std::optional<LineToken> token, bool reveal);
  bool token_key(int key);
  bool head_key(const QKeyEvent& event);
  void move_token(int64_t step);

  HeadLinesScene scene_;
  HeadLinesLayout layout_;
  CanvasAxis tokens_;                        // axis of the longer column, see queries_beside()
  mutable std::optional<LinesShown> shown_;  // computed for this scene and shown_window_
  mutable LineWindow shown_window_;
  bool placed_ = false;  // true: tokens_ belongs to the current sequence
  bool can_run_ = false;
};

}  // namespace attn::gui
