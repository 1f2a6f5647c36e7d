// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as plain rectangles. Pure functions; x in pixels from the left edge of the plot. One
// thread.
#pragma once

#include <vector>

#include "gui/views/timeline/timeline_model.h"
#include "gui/widgets/canvas_transform.h"

namespace attn::gui {

struct TimelineBar {
  float x = 0, width = 0;  // clipped to the plot
  uint32_t event = 0;      // index; LodIndex::kManyEvents: several spans
  uint32_t count = 1;
  SpanClass span_class = SpanClass::kOther;
  uint8_t level = kFull;  // merged: covered part of the time in sixteenths, 1..16
  bool merged = false;
  bool open = false;  // not ended
  static constexpr uint8_t kFull = 16;
};

struct LaneGeometry {
  std::vector<TimelineBar> bars;   // the open state is last
  std::vector<float> token_marks;  // x; empty if too dense
};

struct StripColumn {
  float x = 0, width = 0;
  float low = 0, high = 0;
  SpanClass span_class = SpanClass::kOther;
};

struct StripGeometry {
  std::vector<StripColumn> columns;
  double top = 1;  // value at the upper edge
};

// kCacheUse: used blocks; kTokenRate: tokens computed per second; kModelledDevice: ns of the step's
// attention on the device that the backend models.
enum class Strip { kCacheUse, kTokenRate, kModelledDevice };
double strip_value(Strip strip, const StepRecord& step);
// The last step that began by this time; null: none.
const StepRecord* step_at(const EngineSnapshot* snapshot, double time_ns);

// newest_ns: where open states end. until_ns: spans that begin at this time or later are left out;
// a span that ends later is cut there and marked as open.
LaneGeometry lane_geometry(const TimelineLane& lane, const CanvasAxis& axis, uint64_t newest_ns,
                           uint64_t until_ns = UINT64_MAX);
// The bars are merged as in a lane and at least 2 pixels wide.
std::vector<TimelineBar> match_bars(const LodIndex& matches, const CanvasAxis& axis,
                                    uint64_t until_ns = UINT64_MAX);
StripGeometry strip_geometry(Strip strip, const EngineSnapshot* snapshot, const CanvasAxis& axis);

// The index of the bar under pixel x, or else of the nearest one closer than `slack` pixels; -1:
// none.
int bar_at(const LaneGeometry& lane, double x, double slack);

}  // namespace attn::gui
