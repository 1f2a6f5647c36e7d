// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts are called and say: titles, units, legends with the numbers of a step, and the
// looks that a legend and its chart have in common. GUI thread.
#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "gui/views/metrics/metrics_model.h"

namespace attn::gui {

enum class ChartKind : uint8_t {
  kPrefillRate,
  kDecodeRate,
  kRequests,
  kBlocks,
  kTtft,
  kTpot,
  kHitRate,
  kMoves,
  kCount
};
inline constexpr int kCharts = static_cast<int>(ChartKind::kCount);

// True: the chart's horizontal axis is the run. False: the axis is a waiting time.
inline bool is_over_run(ChartKind kind) {
  return kind != ChartKind::kTtft && kind != ChartKind::kTpot;
}
// True: the chart shows times, or values divided by times, which are modelled on a virtual clock.
inline bool shows_time(ChartKind kind) {
  return kind == ChartKind::kPrefillRate || kind == ChartKind::kDecodeRate || !is_over_run(kind);
}

enum class Mark : uint8_t { kFill, kLightFill, kHollow, kLine, kDashed, kDotted, kDot };
struct SeriesLook {
  QColor color;
  Mark mark = Mark::kLine;
};
SeriesLook look_of(StepValue value);
// A percentile that is drawn, and its kind of line.
struct PercentileMark {
  double share;
  const char* name;
  Mark mark;
};
inline constexpr PercentileMark kPercentiles[] = {
    {0.5, "p50", Mark::kLine}, {0.9, "p90", Mark::kDashed}, {0.99, "p99", Mark::kDotted}};

// The lanes of ChartKind::kMoves, top first.
inline constexpr StepValue kMoveLanes[] = {StepValue::kPreempted, StepValue::kEvicted,
                                           StepValue::kCopied, StepValue::kSwappedOut,
                                           StepValue::kSwappedIn};
inline constexpr int kMoveLaneCount = static_cast<int>(std::size(kMoveLanes));

QString name_of(StepValue value);                    // "waiting", short enough for a legend
QString value_text(StepValue value, double number);  // "12.5", "38.0 %"; NaN: a dash
// The series of a chart over the run that has a legend.
std::vector<StepValue> values_of(ChartKind kind, const MetricsModel& model);
QString title_of(ChartKind kind);    // "Decode speed"
QString y_title_of(ChartKind kind);  // "tokens/s": name or unit at the axis; lanes have none
// The words beside the title: how the numbers were made.
QString note_of(ChartKind kind, const MetricsModel& model);
QString explanation_of(ChartKind kind);  // what the terms mean, for the tooltip

struct LegendEntry {
  QString name, value;
  SeriesLook look;
};
// The legend, with the numbers at step `index` of the model; of waiting times: their percentiles.
std::vector<LegendEntry> legend_of(ChartKind kind, const MetricsModel& model, size_t index);
// "1 (most 3)": a lane of kMoves at step `index`, with its largest number in [first, last].
QString lane_text(StepValue value, const MetricsModel& model, size_t index, size_t first,
                  size_t last);
// Everything at one step in a sentence, for screen readers.
QString spoken_step(const MetricsModel& model, size_t index);
// Sentences for times that are modelled, or of a run that was slowed or paused. Empty: neither.
QString time_words(const MetricsModel& model);

// A unit of time: its length in ns, and its name.
struct TimeUnit {
  double ns = 1;
  QString name;
};
// The unit in which times up to `longest_ns` read well.
TimeUnit time_unit(double longest_ns);

}  // namespace attn::gui
