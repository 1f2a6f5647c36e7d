// SPDX-License-Identifier: GPL-3.0-or-later
// RangeSums: what the events in a range of time add up to, by class. Exact: computed from the times
// of the recorded events, by an index over them (LodIndex), so that the cost depends on the number
// of lanes and steps. Plain data, no Widgets. One thread.
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
  uint64_t events = 0;             // that touch the range
  uint64_t total_ns = 0;           // sum of their parts inside the range
  std::optional<uint64_t> tokens;  // of these events; nullopt: such events have none of their own
  bool operator==(const RangeSum&) const = default;
};

// The sums of lanes of one kind. A step contains its kernels, and a kernel the tiles and tasks of
// the workers: the same time stands in several groups, but in each only once per lane.
struct RangeGroup {
  LaneKind kind = LaneKind::kSteps;
  int lanes = 0;
  std::vector<RangeSum> classes;  // those that have events, in the order of SpanClass
  uint64_t events = 0, total_ns = 0;
  // kSteps: tokens that the steps computed; kRequest: tokens that were sampled in the range.
  std::optional<uint64_t> tokens;
  bool operator==(const RangeGroup&) const = default;
};

struct RangeSums {
  TimeRange range;
  bool modelled = false;           // the times are modelled
  std::vector<RangeGroup> groups;  // steps, kernels, workers, requests; without events: left out
  // A sum of time as a part of the range; of several lanes it can be more than 1.
  double share(uint64_t total_ns) const {
    return static_cast<double>(total_ns) / static_cast<double>(range.length_ns());
  }
  bool operator==(const RangeSums&) const = default;
};

// events: all events of the run. range: at least 1 ns long; it ends by model.until_ns().
RangeSums range_sums(const TimelineModel& model, const std::vector<TraceEvent>& events,
                     const TimeRange& range);

QString words_of(LaneKind kind);  // "engine steps"
// group,class,events,sum_ns,share_of_range,tokens,range_begin_ns,range_end_ns; class `all`: the sum
// of the group.
QByteArray range_csv(const RangeSums& sums);
QString sums_html(const RangeSums& sums);  // a table, in the colours of the theme; GUI thread
QString sums_line(const RangeSums& sums);  // one line: the parts of the range by group and class

}  // namespace attn::gui
