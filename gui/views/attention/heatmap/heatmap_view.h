// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView: shows the weights of one head, a combination of heads, or another Quantity as a
// matrix with a row for each query and a column for each key. It is updated while kernels run. GUI
// thread.
#pragma once

#include <QImage>
#include <optional>

#include "gui/views/attention/heatmap/choice/cell_places.h"
#include "gui/views/attention/heatmap/choice/cell_tooltip.h"
#include "gui/views/attention/heatmap/choice/heatmap_choice.h"
#include "gui/views/attention/heatmap/drawing/heatmap_painter.h"
#include "gui/views/attention/heatmap/figure/heatmap_array.h"
#include "gui/views/attention/heatmap/heatmap_export.h"
#include "gui/views/attention/heatmap/heatmap_header.h"
#include "gui/views/attention/heatmap/heatmap_input.h"
#include "gui/widgets/view_entry.h"

namespace attn::gui {

class HeatmapView : public View {
  Q_OBJECT
 public:
  HeatmapView(const ViewContext& context, QWidget* parent);

  QString export_name() const override { return QStringLiteral("heatmap"); }
  QString title() const override { return tr("Attention heatmap"); }
  std::vector<KeyHelp> key_help() const override { return HeatmapInput::key_help(); }
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override { return heatmap_export_size(file_scene()); }
  QSize export_size_for(double width) const override {
    return heatmap_export_size(file_scene(), width);
  }
  std::function<void(const FilePath& file)> arrays() const override {
    return heatmap_array(request(), file_scene());
  }
  QString left_out_of_arrays(int64_t layer) const override;
  QString figure_title(const RequestView& of, int64_t layer, int64_t head,
                       const FigureLook& look) const override {
    return heatmap_figure_title(scene_, of, layer, head, look);
  }
  double figure_width(const RequestView& of, int64_t layer, const FigureLook& look,
                      double width) const override {
    return heatmap_figure_width(scene_, of, layer, look, width);
  }
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override;
  void zoom(double factor) override;
  std::vector<double> place() const override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  void go_to_place(const std::vector<double>& numbers) override;
  Tour tour() const override;
  bool is_behind() const override { return tiles_.behind() > 0; }
  bool has_own_table() const override { return !scene_.shows_one_whole_head(); }
  void choose(const ViewChoices& choices) override;
  std::vector<ViewCommand> commands() override;

  int64_t rows() const { return scene_.rows(); }  // number of query rows
  // The value of a cell; also NaN if it is not computed at the shown step, out of range, or masked.
  // But a masked weight of a computed row is 0. Computes the tile if it is missing.
  float shown_value(int64_t query, int64_t key) const;
  QString cell_text(int64_t query, int64_t key) const;

  using Cell = HeatmapCell;
  // Both in widget coordinates.
  std::optional<Cell> cell_at(const QPointF& position) const {
    return gui::cell_at(scene_, layout_, transform_, position);
  }
  QRectF rect_of(int64_t query, int64_t key) const {
    return rect_of_cell(layout_, transform_, query, key);
  }
  const CanvasTransform& transform() const { return transform_; }
  const HeatmapScene& scene() const { return scene_; }
  const HeatmapLayout& canvas_layout() const { return layout_; }
  int level() const { return level_; }
  const HeatmapTiles& tiles() const { return tiles_; }

  void set_color_map(ColorMapId map);
  void set_scale(ColorScale::Kind kind);
  void set_reduce(Reduce reduce);
  void set_combination(const Combination& combination);
  void set_difference_range(double range);  // one of kDifferenceRanges
  void set_keep(const Keep& keep);
  void set_quantity(Quantity quantity);
  // Why this quantity cannot be shown, as a sentence; empty: it can.
  QString refusal_of(Quantity quantity) const;
  // As heatmap_row_sum() and heatmap_column_sum().
  double shown_row_sum(int64_t query) const;
  double shown_column_sum(int64_t key) const;

  // Commands, called by HeatmapInput and by others.
  void zoom_at(const QPointF& position, double factor);  // widget coordinates
  void pan(const QPointF& distance);                     // px
  void show_area(const QRectF& area);                    // zooms to this area, widget coordinates
  void hover(const QPointF& position, const QPoint& global);
  std::optional<int64_t> label_at(const QPointF& position) const {  // as in cell_places.h
    return gui::label_at(scene_, layout_, transform_, position);
  }
  Cell cursor_cell() const { return cursor_; }  // {-1, -1}: none yet
  ViewPoint point_at(const QPoint& position) override { return input_.point_at(position); }
  std::optional<QPoint> place_of_selection() override { return input_.place_of_selection(); }
  std::optional<QRect> row_of_selection() override { return input_.row_of_selection(); }
  void select_cell(const Cell& cell);
  void select_token(int64_t token);
  void clear_selection();
  void move_cursor(int64_t d_query, int64_t d_key);
  // A head past the last one means the first head of the next layer, a head of -1 the last head of
  // the layer before. After the last layer comes the first, and before the first the last.
  void show_head(int64_t layer, int64_t head);
  void choose_combination(Combine kind);
  void step_other(int64_t layers, int64_t heads);  // changes what is subtracted

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void wheelEvent(QWheelEvent* event) override { input_.wheel(*event); }
  void mousePressEvent(QMouseEvent* event) override { input_.press(*event); }
  void mouseMoveEvent(QMouseEvent* event) override { input_.move(*event); }
  void mouseReleaseEvent(QMouseEvent* event) override { input_.release(*event); }
  void mouseDoubleClickEvent(QMouseEvent* event) override { input_.double_click(*event); }
  void leaveEvent(QEvent*) override { selection().point({}); }
  void keyPressEvent(QKeyEvent* event) override;
  void covered_changed() override { transform_.y.covered = covered_cells(); }
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { update(); }

 private:
  HeatmapScene file_scene() const {
    HeatmapScene scene = scene_;
    scene.figure = figure();
    return scene;
  }
  void connect_header();
  void fit_controls();
  void show_choices();
  void run_started();
  void read_snapshot();
  void read_shown();
  void read_attention();
  void read_selection();
  // Reads the step at the time cursor. False: the view shows the newest state, and did so before.
  bool read_past();
  void relayout();
  double covered_cells() const;  // how much of the cells' area lies under a message, px
  void view_changed();           // call after the transform has changed
  void want_tiles();
  void refresh_tooltip() { tooltip_.refresh(scene_, tiles_, level_); }

  const RequestView* request() const;
  void show_choice(const HeatmapChoice& choice);
  void update_description();

  HeatmapHeader* header_;
  HeatmapInput input_{*this};

  HeatmapScene scene_;
  HeatmapLayout layout_;
  CanvasTransform transform_;
  int64_t shown_request_ = -1;
  int level_ = 0;
  mutable HeatmapTiles tiles_;
  uint64_t seen_run_ = 0;
  // True: the scenario's colours have been applied to this run.
  bool view_applied_ = false;
  std::vector<TileKey> wanted_;
  // The version of the record and the number of rows when the tiles wanted_ were asked for.
  std::pair<uint64_t, int64_t> wanted_for_{0, -1};

  QImage cells_;
  bool cells_dirty_ = true;
  Cell cursor_;
  CellTooltip tooltip_{*this};
};

ViewEntry heatmap_entry();

}  // namespace attn::gui
