// SPDX-License-Identifier: GPL-3.0-or-later
// TimelineCanvas: the painted part of the timeline with zoom, panning, selection, ranges of time
// and search. While live it follows the newest time. GUI thread.
#pragma once

#include <QPoint>
#include <unordered_map>

#include "gui/models/event_matcher.h"
#include "gui/views/timeline/search/timeline_search.h"
#include "gui/views/timeline/timeline_notes.h"
#include "gui/views/timeline/timeline_painter.h"
#include "gui/widgets/canvas.h"

namespace attn::gui {

class TimelineCanvas : public Canvas {
  Q_OBJECT
 public:
  explicit TimelineCanvas(Selection& selection, QWidget* parent = nullptr);

  // --- data ---
  void reset();
  // `all`: every event of the run; [from, all.size()) is new. The canvas keeps a pointer to `all`.
  void set_events(const std::vector<TraceEvent>& all, size_t from);
  void set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot);
  void set_notes(std::vector<StepNote> notes);

  const TimelineModel& model() const { return model_; }
  const CanvasAxis& axis() const { return axis_; }
  const TimelineLayout& layout_now();
  bool live() const { return live_; }
  // Begin and end of the past step at the time cursor; nullopt: no past step is shown.
  const std::optional<TimeRange>& cursor() const { return scene_.cursor; }
  // A text such as "120 spans in 12.5 ms", or about one lane in the selected range.
  QString summary() const;
  QString tooltip_at(const QPointF& position) override;
  ViewPoint point_at(const QPointF& position) override;
  std::optional<QPointF> place_of_selection() override;
  std::optional<QRectF> row_of_selection() override;
  // Scrolls to the selected span, or else to the shown request.
  void reveal_selection();
  const TimelineScene& scene_now();  // what is painted; for tests
  // How often the rectangles were computed; for tests.
  int geometry_builds() const { return geometry_builds_; }

  // --- navigation ---
  void set_live(bool live);
  void fit_all();
  // Zooms to the first of these that there is: the range, the selected span, what the selection
  // lights up, the whole run.
  void fit();
  void zoom(double factor);           // around the middle
  std::vector<double> place() const;  // empty: live
  void go_to_place(const std::vector<double>& place);
  // -1: the previous span of the lane, +1: the next. Without a selected span, one near the middle
  // of the visible time.
  void select_neighbour(int direction);
  // Selects a span in the next lane above (-1) or below (+1) that has one. Without a selected span,
  // as select_neighbour(1).
  void select_lane(int direction);
  void select_event(uint32_t event);  // ignored if no lane shows it
  void show_time(double begin_ns, double end_ns);
  // past: the state at the end of the past step that is shown. Null: all is shown.
  void set_past(std::shared_ptr<const EngineSnapshot> past);

  // --- range of time ---
  const std::optional<TimeRange>& range() const { return range_; }
  // The range, cut at the end of the past step if one is shown; nullopt: there is none, or it is
  // later than that step.
  std::optional<TimeRange> shown_range() const;
  // The lane of summary(); -1: none.
  int range_lane() const { return range_lane_; }
  bool dragging_range() const { return measuring_; }
  void set_range(const TimeRange& range);
  // Puts the begin (or the end) of the range at a time. If the end would not be later than the
  // begin, a new begin moves the end to the newest time, and a new end moves the begin to 0.
  void set_range_edge(bool begin, uint64_t time_ns);
  // The time of the keys [ and ]: under the pointer; else the begin (or the end) of the selected
  // span, of the step at the time cursor, or of the visible time.
  uint64_t time_of_edge(bool begin) const;
  std::optional<uint64_t> time_under(const QPointF& position) const;  // nullopt: beside the plot
  void clear_range();

  // --- search ---
  void find(const QString& text);  // without words: ends the search
  const TimelineSearch& search() const { return search_; }
  bool searched_all() const { return searched_all_; }
  // The selected span if the search found it.
  std::optional<TimelineSearch::Match> current_match() const;
  // Selects and shows the next match (1) or the one before (-1). After the last match comes the
  // first.
  void go_to_match(int direction);

  // Paints for exports. The picture is scaled down if `bounds` is lower than full_size().
  void paint_all(QPainter& painter, const QRectF& bounds);
  // The size of a picture of this width, or of the least width if that is larger.
  QSize full_size(double width = 1600) const;

  QSize sizeHint() const override { return {900, 220}; }
  QSize minimumSizeHint() const override { return {240, 56}; }

 signals:
  void live_changed(bool live);
  void summary_changed();
  void emptied();                    // reset() was called
  void scene_changed();              // other rectangles were painted
  void search_changed();             // what search() has found may have changed
  void search_left();                // Esc ends the search
  void time_asked(quint64 time_ns);  // the mouse chose this time on the ruler

 protected:
  bool event(QEvent* event) override;
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
  struct Hit {
    int lane = -1;
    TimelineBar bar;
    bool found = false;
  };
  struct SpanRef {  // a span as drawn
    int lane = -1;
    uint64_t begin_ns = 0, end_ns = 0;
    uint32_t event = 0;
    SpanClass span_class = SpanClass::kOther;
    bool open = false;
  };
  struct GeometryKey {
    double offset = 0, scale = 0, pixels = 0;
    uint64_t version = 0, matches = 0, found = 0;
    int first = 0, last = 0;
    bool operator==(const GeometryKey&) const = default;
  };
  void refresh_axis();
  void follow();
  void scroll_to(double scroll);
  void pan_to_lane(int lane);
  double plot_x(double x) const { return x - scene_.layout.gutter; }
  uint64_t time_at(double x) const;
  Hit hit(const QPointF& position);
  std::optional<SpanRef> span_of_event(uint32_t event) const;
  std::optional<SpanRef> selected_span() const;
  int lane_of_request(int64_t request) const;
  int shown_lane() const;  // -1: that of the shown request is not in sight
  SelectionState state_of(const SpanRef& span) const;
  void select_span(const SpanRef& span) { selection_.select(state_of(span)); }
  void reveal(const SpanRef& span);
  std::optional<TimeRange> matched_range() const;
  void build(TimelineScene& scene, int first, int last);
  void build_ruler_marks(TimelineScene& scene) const;
  std::vector<NoteMark> note_marks_on(const CanvasAxis& axis) const {
    return note_marks(notes_, model_.snapshot().get(), axis);
  }
  void paint_whole(QPainter& painter, const QRectF& bounds);
  void update_scene();
  void selection_changed();
  void match_anew();
  void scan_matches();
  void add_match(uint32_t event);
  void look_on();
  void update_empty_state();

  Selection& selection_;
  TimelineModel model_;
  std::vector<StepNote> notes_;
  const std::vector<TraceEvent>* events_;
  TimelinePainter painter_;
  TimelineScene scene_;
  CanvasAxis axis_;
  GeometryKey key_;
  int geometry_builds_ = 0, builds_told_ = 0;
  double scroll_ = 0;
  bool live_ = true;

  EventMatcher matcher_;
  std::unordered_map<const TimelineLane*, LodIndex> matches_;
  size_t matches_scanned_ = 0;
  uint64_t matches_version_ = 0;

  TimelineSearch search_;
  bool searched_all_ = true, looks_later_ = false;

  std::optional<TimeRange> range_;
  int range_lane_ = -1;
  QPointF press_;
  uint64_t press_time_ns_ = 0;
  bool pressed_ = false, measuring_ = false, panning_ = false, on_ruler_ = false;
};

}  // namespace attn::gui
