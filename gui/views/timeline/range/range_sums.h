// SPDX-License-Identifier: GPL-3.0-or-later
// RangeSums: the events in a range of time by class: how many, how long, how many tokens. Plain
// data, no Widgets. One thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

#include "gui/views/timeline/range/time_range.h"
#include "gui/views/timeline/timeline_model.h"

namespace attn::gui {

struct RangeSum {
  SpanClass span_class = SpanClass::kOther;
  uint64_t events = 0;             // number of events that touch the range
  uint64_t total_ns = 0;           // their time inside the range
  std::optional<uint64_t> tokens;  // nullopt: not counted
  bool operator==(const RangeSum&) const = default;
};

// The sums of lanes of one kind. Groups must not be added: a step contains its kernels, and a
// kernel the tiles and tasks of the workers.
struct RangeGroup {
  LaneKind kind = LaneKind::kSteps;
  int lanes = 0;
  std::vector<RangeSum> classes;  // those with events, in order of SpanClass
  uint64_t events = 0, total_ns = 0;
  // kSteps: tokens computed by the steps that touch the range; kRequest: tokens sampled in the
  // range.
  std::optional<uint64_t> tokens;
  bool operator==(const RangeGroup&) const = default;
};

struct RangeSums {
  TimeRange range;
  bool modelled = false;           // the times are modelled
  std::vector<RangeGroup> groups;  // only those with events
  // A sum of time as a part of the range; with several lanes it may be more than 1.
  double share(uint64_t total_ns) const {
    return static_cast<double>(total_ns) / static_cast<double>(range.length_ns());
  }
  bool operator==(const RangeSums&) const = default;
};

// events: all events of the run. range: at least 1 ns long, not beyond model.until_ns().
RangeSums range_sums(const TimelineModel& model, const std::vector<TraceEvent>& events,
                     const TimeRange& range);

QString words_of(LaneKind kind);  // "engine steps"
QByteArray range_csv(const RangeSums& sums);
QString sums_html(const RangeSums& sums);  // GUI thread
QString sums_line(const RangeSums& sums);  // in one line

}  // namespace attn::gui
