// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts are called and say: titles, units, legends and looks. GUI thread.
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

inline bool is_over_run(ChartKind kind) {
  return kind != ChartKind::kTtft && kind != ChartKind::kTpot;
}
inline bool shows_time(ChartKind kind) {
  return kind == ChartKind::kPrefillRate || kind == ChartKind::kDecodeRate || !is_over_run(kind);
}

enum class Mark : uint8_t { kFill, kLightFill, kHollow, kLine, kDashed, kDotted, kDot };
struct SeriesLook {
  QColor color;
  Mark mark = Mark::kLine;
};
SeriesLook look_of(StepValue value);
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

QString name_of(StepValue value);                    // "waiting"
QString value_text(StepValue value, double number);  // "12.5"; NaN: a dash
// The values of a chart over the run; empty for kMoves and for waiting times.
std::vector<StepValue> values_of(ChartKind kind, const MetricsModel& model);
QString title_of(ChartKind kind);    // "Decode speed"
QString y_title_of(ChartKind kind);  // "tokens/s"; empty for kMoves
// The words beside the title. index: of the step whose numbers stand below it.
QString note_of(ChartKind kind, const MetricsModel& model, size_t index);
QString explanation_of(ChartKind kind);  // what the terms mean

struct LegendEntry {
  QString name, value;
  SeriesLook look;
};
std::vector<LegendEntry> legend_of(ChartKind kind, const MetricsModel& model, size_t index);
// "1 (most 3)": a lane's value at step `index`, and its largest value in [first, last].
QString lane_text(StepValue value, const MetricsModel& model, size_t index, size_t first,
                  size_t last);
QString spoken_step(const MetricsModel& model, size_t index);
// Empty: the times are not modelled, and the run was neither slowed nor paused.
QString time_words(const MetricsModel& model);

struct TimeUnit {
  double ns = 1;
  QString name;
};
TimeUnit time_unit(double longest_ns);

}  // namespace attn::gui
