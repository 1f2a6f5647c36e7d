// SPDX-License-Identifier: GPL-3.0-or-later
// TimelinePainter: ruler, lanes, strips and legend. It paints the rectangles that the functions of
// timeline_geometry.h computed, so its cost does not depend on the number of spans. GUI thread.
#pragma once

#include <QHash>
#include <QPainter>
#include <QRectF>
#include <optional>

#include "gui/views/timeline/range/time_range.h"
#include "gui/views/timeline/timeline_geometry.h"

namespace attn::gui {

// Where things lie in the view; all in pixels of the view. Depends only on the arguments of make()
// and on the text size.
struct TimelineLayout {
  QRectF bounds, ruler, lanes;                // bounds: the view; ruler, lanes: right of gutter
  QRectF cache_strip, tpu_strip, rate_strip;  // empty: no room
  double gutter = 0;                          // width of the lane names
  double lane_height = 22, lane_gap = 2;
  int num_lanes = 0;
  double scroll = 0;  // pixels that the lanes are moved up

  // tpu: true adds a strip of modelled times.
  static TimelineLayout make(const QRectF& bounds, int num_lanes, double gutter, double scroll,
                             bool tpu = false);
  double pitch() const { return lane_height + lane_gap; }
  double content_height() const { return num_lanes * pitch(); }
  double max_scroll() const { return std::max(0.0, content_height() - lanes.height()); }
  double lane_top(int lane) const { return lanes.top() + lane * pitch() - scroll; }
  int lane_at(double y) const;  // -1: none
  int first_visible() const;
  // One past the last lane that is shown. A lane of which less than the upper half has room is not
  // shown: its name could not be read.
  int last_visible() const;
};
// The height that shows every lane.
double timeline_height(int num_lanes, bool tpu = false);
double gutter_width(const TimelineModel& model, double view_width);

// All that TimelinePainter needs to paint the view once.
struct TimelineScene {
  const TimelineModel* model = nullptr;
  const std::vector<TraceEvent>* events = nullptr;
  CanvasAxis axis;
  TimelineLayout layout;
  std::vector<LaneGeometry> lanes;                // [num_lanes]; empty for lanes out of sight
  std::vector<std::vector<TimelineBar>> matches;  // [num_lanes]
  bool searching = false;                         // true: what the search did not find is dimmed
  std::vector<std::vector<TimelineBar>> found;    // [num_lanes]
  // Marks on the ruler for the spans that the selection lights up, in all lanes; whether there are
  // more before and after the visible time.
  std::vector<TimelineBar> ruler_marks;
  bool marks_before = false, marks_after = false;
  StripGeometry cache, tpu, rate;
  std::optional<TimeRange> range;  // the selected range
  int range_lane = -1;
  // Begin and end of the past step at the time cursor, and its number; nullopt: no past step is
  // shown.
  std::optional<TimeRange> cursor;
  uint32_t cursor_step = 0;
  uint32_t selected_event = LodIndex::kManyEvents;
  int selected_request = -1;
  double hover_x = -1;  // pixels of the plot; < 0: none
  bool focused = false;
};

// The share of used blocks, "38 %": of the step at the time cursor; live, as it is now.
QString cache_use_text(const TimelineScene& scene);

class TimelinePainter {
 public:
  void paint(QPainter& painter, const TimelineScene& scene);
  // In one line, or in as many as `bounds` has room for.
  static void paint_legend(QPainter& painter, const QRectF& bounds);
  static double legend_width();               // in one line
  static double legend_height(double width);  // of all of it in this width

 private:
  // kShare: a share of a whole; kColumns: columns on a scale of their own; kModelled: such columns
  // of modelled values, hatched.
  enum class StripLook { kShare, kColumns, kModelled };
  void paint_gutter(QPainter& painter, const TimelineScene& scene);
  void paint_lane(QPainter& painter, const TimelineScene& scene, int lane);
  void paint_bar(QPainter& painter, const TimelineScene& scene, const TimelineLane& lane,
                 const TimelineBar& bar, const QRectF& rect);
  // next: where the next mark begins, in pixels of the view.
  void paint_mark(QPainter& painter, const TimelineScene& scene, const TimelineLane& lane,
                  const TimelineBar& bar, const QRectF& rect, double next);
  void paint_mixed_step(QPainter& painter, const TraceEvent& step, const QRectF& body);
  void paint_bar_text(QPainter& painter, const TimelineScene& scene, const TimelineLane& lane,
                      const TimelineBar& bar, const QRectF& rect, const QColor& fill);
  void paint_ruler(QPainter& painter, const TimelineScene& scene);
  void paint_ruler_marks(QPainter& painter, const TimelineScene& scene);
  void paint_strip(QPainter& painter, const TimelineScene& scene, const QRectF& rect,
                   const StripGeometry& strip, const QString& name, const QString& value,
                   StripLook look);
  void paint_later(QPainter& painter, const TimelineScene& scene);
  void paint_found(QPainter& painter, const TimelineScene& scene, int lane);
  void paint_hover(QPainter& painter, const TimelineScene& scene);
  // Where the step at the time cursor is drawn: a band over all lanes, and a flag with its number
  // on the ruler. Empty: the step is not in sight, or the view is live.
  QRectF step_band(const TimelineScene& scene);
  QRectF step_flag(const TimelineScene& scene);
  QString step_words(const TimelineScene& scene);
  void paint_cursor(QPainter& painter, const TimelineScene& scene);
};

// The colour of an empty lane: a shade off the surface, so that idle time is seen as such.
QColor track_color();
// The colour of a span. level: covered part of the time in sixteenths; a full one (16) has a
// contrast of at least 3:1 to track_color().
QColor span_color(SpanClass span_class, LaneKind lane, int level = TimelineBar::kFull);

}  // namespace attn::gui
