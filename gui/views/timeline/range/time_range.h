// SPDX-License-Identifier: GPL-3.0-or-later
// TimeRange: a part of the run's time, its words, and its band over the timeline. Times: ns on the
// run's clock. Pure functions, except paint_time_range(), which needs the GUI thread.
#pragma once

#include <QPainter>
#include <QString>
#include <cstdint>
#include <optional>

namespace attn::gui {

struct TimelineScene;

struct TimeRange {
  uint64_t begin_ns = 0, end_ns = 0;  // [begin, end)
  uint64_t length_ns() const { return end_ns - begin_ns; }
  bool operator==(const TimeRange&) const = default;
};

// The range between two times in any order, at least 1 ns long.
TimeRange range_between(uint64_t one_ns, uint64_t other_ns);
// The part of the range before a time; nullopt: the range begins at that time or later.
std::optional<TimeRange> part_before(const TimeRange& range, uint64_t until_ns);
// "12.5 ms – 20 ms: 7.5 ms"
QString range_words(const TimeRange& range);

// The band of scene.range, with range_words() or, in a narrow plot, only the length.
void paint_time_range(QPainter& painter, const TimelineScene& scene);

}  // namespace attn::gui
