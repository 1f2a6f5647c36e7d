// SPDX-License-Identifier: GPL-3.0-or-later
// HeatmapView: attention weights of one head, or means and differences of heads: query rows
// ("reads") x key columns ("is read"), live while kernels run. All numbers come from
// AttentionRecord, tile by tile, for what is visible only. GUI thread.
#pragma once

#include <QActionGroup>
#include <QComboBox>
#include <QImage>
#include <QSpinBox>
#include <QToolButton>
#include <optional>

#include "gui/theme/panel_header.h"
#include "gui/views/attention/heatmap_painter.h"
#include "gui/widgets/view.h"

namespace attn::gui {

class HeatmapView : public View {
  Q_OBJECT
 public:
  HeatmapView(const ViewContext& context, QWidget* parent);

  QString export_name() const override { return QStringLiteral("heatmap"); }
  QString title() const override { return tr("Attention heatmap"); }
  std::vector<KeyHelp> key_help() const override;
  void paint_content(QPainter& painter, const QRectF& bounds) override;
  std::function<void(QPainter& painter, const QRectF& bounds)> drawing() const override;
  QSize export_size() const override;
  QByteArray csv() const override { return table()(); }
  std::function<QByteArray()> table() const override;
  void fit() override;
  void zoom(double factor) override;
  std::vector<double> place() const override;
  QJsonObject options() const override;
  void set_options(const QJsonObject& options) override;
  void go_to_place(const std::vector<double>& place) override;

  // The value the view holds for a cell, bit for bit what it draws: masked 0, not computed yet NaN.
  // Computed here where the cell has not been on the screen. Out of range: NaN.
  float shown_value(int64_t query, int64_t key) const;
  // "not computed yet", "masked", or the weight with its operands: the tooltip.
  QString cell_text(int64_t query, int64_t key) const;

  struct Cell {
    int64_t query = -1, key = -1;
    bool operator==(const Cell&) const = default;
  };
  std::optional<Cell> cell_at(const QPointF& position) const;  // widget coordinates
  QRectF rect_of(int64_t query, int64_t key) const;            // widget coordinates
  const CanvasTransform& transform() const { return transform_; }
  const HeatmapScene& scene() const { return scene_; }
  const HeatmapLayout& canvas_layout() const { return layout_; }
  int level() const { return level_; }
  const HeatmapTiles& tiles() const { return tiles_; }

  void set_color_map(ColorMapId map);
  void set_scale(ColorScale::Kind kind);
  void set_reduce(Reduce reduce);
  // What is shown beside one head. A difference without another head takes the next one.
  void set_combination(const Combination& combination);
  void set_difference_range(double range);  // of kDifferenceRanges
  void set_keep(const Keep& keep);
  // The sums that are drawn; NaN: not drawn, or not there yet.
  double shown_row_sum(int64_t query) const;
  double shown_column_sum(int64_t key) const;
  void zoom_at(const QPointF& position, double factor);

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
  void make_header();
  void make_show_menu();
  void size_controls();
  void name_boxes(bool in_full);
  void fit_controls();
  void show_combination();  // in the controls
  void choose_combination(Combine kind);
  void step_other(int64_t layers, int64_t heads);
  void run_started();
  void read_snapshot();  // requests, tokens, blocks
  void list_requests(const std::vector<RequestView>& requests);
  void read_shown();      // which request, layer, head
  void read_attention();  // rows and weights
  void read_selection();
  void read_past();  // the step under the time cursor
  void relayout();
  void view_changed();  // the transform moved
  void want_tiles();

  const RequestView* request() const;
  bool navigate_key(QKeyEvent* event);
  bool choose_key(QKeyEvent* event);
  void move_cursor(int64_t d_query, int64_t d_key);
  void select_cell(const Cell& cell);
  void select_token(int64_t token);
  void show_head(int64_t layer, int64_t head);
  void show_combined(const Combination& combination, const Keep& keep);
  QString combined_text(int64_t query, int64_t key) const;
  QString sums_text(int64_t query, int64_t key) const;
  std::optional<int64_t> label_at(const QPointF& position) const;
  void update_hover(const QPointF& position, const QPoint& global);
  void update_description();
  HeatmapMark mark_of(const SelectionState& state) const;

  PanelHeader* header_ = nullptr;
  QComboBox* request_box_ = nullptr;
  QSpinBox *layer_box_ = nullptr, *head_box_ = nullptr;
  QSpinBox *other_layer_box_ = nullptr, *other_head_box_ = nullptr;  // what is subtracted
  QToolButton* show_button_ = nullptr;
  QActionGroup *combine_actions_ = nullptr, *keep_actions_ = nullptr;
  QComboBox *map_box_ = nullptr, *scale_box_ = nullptr, *reduce_box_ = nullptr;

  HeatmapScene scene_;
  HeatmapLayout layout_;
  CanvasTransform transform_;
  int64_t shown_request_ = -1;
  double widest_encoder_label_ = 0;  // px
  int level_ = 0;
  mutable HeatmapTiles tiles_;
  uint64_t seen_run_ = 0;
  bool view_applied_ = false;  // the scenario's layer, head and colours, once per run
  std::vector<TileKey> wanted_;
  std::pair<uint64_t, int64_t> wanted_for_{0, -1};  // version and rows

  QImage cells_;
  bool cells_dirty_ = true;
  Cell cursor_;
  QPointF press_;
  Qt::MouseButton dragging_ = Qt::NoButton;
  bool moved_ = false;
  QRectF rubber_band_;
};

View* make_heatmap_view(const ViewContext& context, QWidget* parent);

}  // namespace attn::gui
