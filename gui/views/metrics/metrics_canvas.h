// SPDX-License-Identifier: GPL-3.0-or-later
// MetricsCanvas: the charts in a grid. Their headings tell numbers, for charts over the run those
// of one step. Pictures of the charts are cached. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QPicture>
#include <QPixmap>
#include <QTimer>
#include <optional>

#include "gui/views/metrics/metrics_board.h"
#include "gui/widgets/canvas.h"
#include "gui/widgets/picture_look.h"

namespace attn::gui {

class MetricsCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit MetricsCanvas(QWidget* parent = nullptr);
  ~MetricsCanvas() override;

  // The snapshot is read later, such as at the next painting. New snapshots alone repaint the
  // canvas at most every kRefreshMs.
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  const MetricsModel& model();  // with the newest snapshot
  // The step of the time cursor, a vertical line on charts over the run; nullopt: none.
  void set_cursor(std::optional<uint32_t> step);
  std::optional<uint32_t> cursor() const { return cursor_; }
  void set_by_time(bool by_time);
  bool by_time() const { return range_.by_time; }
  void fit();
  void zoom(double factor);           // at the hovered step, or else in the middle
  std::vector<double> place() const;  // [first, last]; empty: all
  void go_to_place(const std::vector<double>& place);
  MetricsRange range();  // the steps that are shown
  // Index into the model: the step under the pointer or reached by keys, or else told_index().
  size_t shown_index();
  void set_viewport_height(int height);
  bool has_charts() const { return charts_ != nullptr; }
  const MetricsCharts* charts() const { return charts_.get(); }
  MetricsGrid grid() const;

  // Paints the charts as they are without a pointer over them.
  void paint_all(QPainter& painter, const QRectF& bounds);
  QSize full_size() const;
  // A recording of paint_all() at full_size(), which another thread may replay.
  std::shared_ptr<const QPicture> recorded();
  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;

  static constexpr int kRefreshMs = 50;

 signals:
  void step_chosen(uint32_t step);
  void cursor_cleared();  // a click beside the plots
  void refreshed();       // the model has taken a new snapshot

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void refresh();
  void relayout();
  void forget_pictures();
  void choose(size_t index);
  void hover(std::optional<size_t> index);
  void zoom_at(size_t index, double factor);
  void pan(int64_t steps);
  void draw_frame(ChartKind kind, const QSizeF& size);
  void draw_chart(ChartKind kind, const QRectF& place, QPainter& painter);
  std::optional<size_t> index_at(const QPointF& position);
  std::optional<ChartKind> chart_at(const QPointF& position) const;
  QString bin_words(ChartKind kind, const QPointF& position);

  MetricsModel model_;
  std::shared_ptr<const EngineSnapshot> newest_;
  MetricsRange range_;
  bool all_ = true;  // true: all steps are shown, also new ones
  std::optional<size_t> hover_;
  std::optional<uint32_t> cursor_;
  std::unique_ptr<MetricsCharts> charts_;
  // The picture is usually made when the same curves are painted a second time.
  struct Picture {
    enum class Shows { kNothing, kCurvesWithoutPicture, kCurves };
    QPixmap picture;
    Shows shows = Shows::kNothing;
  };
  std::array<Picture, kCharts> pictures_;
  struct Frame {
    QPixmap picture;
    uint64_t version = 0;
  };
  std::array<Frame, kCharts> frames_;  // the pictures without their curves
  std::shared_ptr<const QPicture> recorded_;
  int viewport_height_ = 0;
  QTimer refresh_timer_;
  QElapsedTimer since_refresh_;
};

}  // namespace attn::gui
