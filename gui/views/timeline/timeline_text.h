// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says about a span: the label inside it and the tooltip; also names and tooltips
// of lanes and strips. GUI thread.
#pragma once

#include <QString>
#include <QStringList>

#include "gui/views/timeline/timeline_model.h"

namespace attn::gui {

QString text_of(SpanClass span_class);         // "prefill", translated
QString explanation_of(SpanClass span_class);  // one sentence
QString lane_name(const TimelineLane& lane);
QString lane_explanation(const TimelineLane& lane);

// Labels of a span from the most complete to the shortest; the painter takes the first that fits.
// snapshot: of the run; may be null.
QStringList span_labels(const TimelineLane& lane, const TraceEvent& event, SpanClass span_class,
                        const EngineSnapshot* snapshot);

// What a tooltip is made of. begin_ns, end_ns: as drawn, also for a request's state; open: true if
// the span has not ended.
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
// True if the run has a modelled device (a TPU), so that there is a strip of its times.
bool has_tpu_strip(const TimelineModel& model);
// The name of the strip of modelled TPU times, with the version of the TPU.
QString tpu_strip_name(const EngineSnapshot& snapshot);
// The tooltip of the strips: cache use and speed of a step, running and waiting requests, planning,
// preemptions. Rich text, as all tooltips.
QString step_tooltip(const StepRecord& step, const EngineSnapshot& snapshot);
QString merged_tooltip(const TimelineLane& lane, uint32_t count, SpanClass span_class,
                       double coverage);

}  // namespace attn::gui
