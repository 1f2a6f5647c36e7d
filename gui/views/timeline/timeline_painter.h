// SPDX-License-Identifier: GPL-3.0-or-later
// TimelinePainter: paints a TimelineScene, which has the rectangles of timeline_geometry.h. GUI
// thread.
#pragma once

#include <QHash>
#include <QPainter>
#include <QRectF>
#include <optional>

#include "gui/views/timeline/range/time_range.h"
#include "gui/views/timeline/timeline_geometry.h"

namespace attn::gui {

struct TimelineLayout {
  QRectF bounds, ruler, lanes;                   // ruler, lanes: right of gutter
  QRectF cache_strip, device_strip, rate_strip;  // empty: not drawn
  double gutter = 0;                             // width of the lane names
  double lane_height = 22, lane_gap = 2;
  int num_lanes = 0;
  double scroll = 0;  // px, lanes moved up

  // device: asks for a strip of modelled times.
  static TimelineLayout make(const QRectF& bounds, int num_lanes, double gutter, double scroll,
                             bool device = false);
  double pitch() const { return lane_height + lane_gap; }
  double content_height() const { return num_lanes * pitch(); }
  double max_scroll() const { return std::max(0.0, content_height() - lanes.height()); }
  double lane_top(int lane) const { return lanes.top() + lane * pitch() - scroll; }
  int lane_at(double y) const;  // -1: none
  int first_visible() const;
  // One past the last lane that is shown. A lane is shown if its upper half has room.
  int last_visible() const;
};
double timeline_height(int num_lanes, bool device = false);
double gutter_width(const TimelineModel& model, double view_width);

// What TimelinePainter paints.
struct TimelineScene {
  const TimelineModel* model = nullptr;
  const std::vector<TraceEvent>* events = nullptr;
  CanvasAxis axis;
  TimelineLayout layout;
  // [num_lanes]; in `lanes`, `matches` and `found` the entry of a lane out of sight is empty.
  std::vector<LaneGeometry> lanes;
  std::vector<std::vector<TimelineBar>> matches;  // spans that the selection lights up
  bool searching = false;                         // dims what was not found
  std::vector<std::vector<TimelineBar>> found;    // spans that the search found
  // Marks for spans that the selection lights up, and whether there are more before and after the
  // visible time.
  std::vector<TimelineBar> ruler_marks;
  bool marks_before = false, marks_after = false;
  StripGeometry cache, device, rate;
  std::optional<TimeRange> range;  // the selected range
  int range_lane = -1;
  // Begin and end of the past step that is shown, and its number; nullopt: none.
  std::optional<TimeRange> cursor;
  uint32_t cursor_step = 0;
  uint32_t selected_event = LodIndex::kManyEvents;
  int selected_request = -1;
  double hover_x = -1;  // px; < 0: none
  bool focused = false;
};

class TimelinePainter {
 public:
  void paint(QPainter& painter, const TimelineScene& scene);
  // The title of an exported picture.
  static void paint_title(QPainter& painter, const QRectF& bounds);
  static double title_height();
  // Entries that would cross the lower edge of `bounds` are left out, except the first.
  static void paint_legend(QPainter& painter, const QRectF& bounds);
  static double legend_width();               // in one line
  static double legend_height(double width);  // of all its lines

 private:
  // kShare: a share of a whole; kColumns: columns on their own scale; kModelled: as kColumns, but
  // hatched.
  enum class StripLook { kShare, kColumns, kModelled };
  void paint_gutter(QPainter& painter, const TimelineScene& scene);
  void paint_lane(QPainter& painter, const TimelineScene& scene, int lane);
  void paint_bar(QPainter& painter, const TimelineScene& scene, const TimelineLane& lane,
                 const TimelineBar& bar, const QRectF& rect);
  // next: the x before which the name must end.
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
  // The past step that is shown: a band over ruler, lanes and strips, and a flag with its number.
  // Empty: no past step is shown, or it is out of sight.
  QRectF step_band(const TimelineScene& scene);
  QRectF step_flag(const TimelineScene& scene);
  QString step_words(const TimelineScene& scene);
  void paint_cursor(QPainter& painter, const TimelineScene& scene);
};

QColor track_color();
// level: covered part of the time in sixteenths.
QColor span_color(SpanClass span_class, LaneKind lane, int level = TimelineBar::kFull);

}  // namespace attn::gui
