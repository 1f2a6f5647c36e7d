// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says about spans, lanes and strips: labels, names and tooltips. GUI thread.
#pragma once

#include <QString>
#include <QStringList>

#include "gui/views/timeline/timeline_model.h"

namespace attn::gui {

QString text_of(SpanClass span_class);         // "prefill", translated
QString explanation_of(SpanClass span_class);  // for a tooltip
QString lane_name(const TimelineLane& lane);
QString lane_explanation(const TimelineLane& lane);

// The labels, the most complete first. snapshot: may be null.
QStringList span_labels(const TimelineLane& lane, const TraceEvent& event, SpanClass span_class,
                        const EngineSnapshot* snapshot);

// begin_ns, end_ns: as drawn. open: the span has not ended by the shown time.
struct SpanFacts {
  const TimelineLane* lane = nullptr;
  const TraceEvent* event = nullptr;
  SpanClass span_class = SpanClass::kOther;
  uint64_t begin_ns = 0, end_ns = 0;
  bool open = false;
  bool modelled = false;
  const EngineSnapshot* snapshot = nullptr;
};
QString span_tooltip(const SpanFacts& facts);  // rich text
bool has_device_strip(const TimelineModel& model);
QString device_strip_name(const EngineSnapshot& snapshot);
QString step_tooltip(const StepRecord& step, const EngineSnapshot& snapshot);
QString merged_tooltip(const TimelineLane& lane, uint32_t count, SpanClass span_class,
                       double coverage);

}  // namespace attn::gui
