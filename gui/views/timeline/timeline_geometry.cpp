// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace attn::gui {
namespace {

constexpr double kTokenMarkGap = 4;  // px: mean distance of marks below which they are not drawn

struct VisibleRange {
  uint64_t begin_ns, end_ns;
  int columns;
};

VisibleRange visible_range(const CanvasAxis& axis) {
  const auto begin = static_cast<uint64_t>(std::max(0.0, axis.offset));
  const double end = std::max(0.0, std::ceil(axis.to_content(axis.pixels)));
  // From 2^53 ns on the next double is more than 1 ns away, so 1 is added to the integer, not to
  // the double.
  return {begin, std::max(begin + 1, static_cast<uint64_t>(end)),
          std::max(1, static_cast<int>(axis.pixels))};
}

TimelineBar clipped(const CanvasAxis& axis, double begin_ns, double end_ns) {
  const double x0 = std::clamp(axis.to_pixel(begin_ns), 0.0, axis.pixels);
  const double x1 = std::clamp(axis.to_pixel(end_ns), 0.0, axis.pixels);
  TimelineBar bar;
  bar.x = static_cast<float>(x0);
  bar.width = static_cast<float>(x1 - x0);
  return bar;
}

std::vector<TimelineBar> bars_of(const LodIndex& spans, const CanvasAxis& axis, uint64_t until_ns) {
  VisibleRange range = visible_range(axis);
  if (until_ns < range.end_ns) {
    if (until_ns <= range.begin_ns) return {};
    range.end_ns = until_ns;
    range.columns =
        std::max(1, static_cast<int>(std::lround(axis.to_pixel(static_cast<double>(until_ns)))));
  }
  std::vector<LodPiece> pieces;
  spans.pieces(range.begin_ns, range.end_ns, range.columns, pieces);
  std::vector<TimelineBar> bars;
  bars.reserve(pieces.size());
  for (const LodPiece& piece : pieces) {
    if (piece.begin_ns >= until_ns) continue;
    TimelineBar bar = clipped(axis, static_cast<double>(piece.begin_ns),
                              static_cast<double>(std::min(piece.end_ns, until_ns)));
    bar.open = piece.end_ns > until_ns;
    bar.event = piece.event;
    bar.count = piece.count;
    bar.span_class = static_cast<SpanClass>(piece.span_class);
    bar.merged = piece.column >= 0;
    if (bar.merged) {
      bar.level = static_cast<uint8_t>(std::clamp(std::lround(piece.coverage * 16), 1L, 16L));
      bar.width = std::max(bar.width, 1.0f);
      if (!bars.empty() && bars.back().merged && bars.back().level == bar.level &&
          bars.back().span_class == bar.span_class &&
          std::abs(bars.back().x + bars.back().width - bar.x) < 0.01f) {
        bars.back().width += bar.width;
        bars.back().count += bar.count;
        bars.back().event = LodIndex::kManyEvents;
        continue;
      }
    }
    bars.push_back(bar);
  }
  return bars;
}

}  // namespace

double strip_value(Strip strip, const StepRecord& step) {
  if (strip == Strip::kCacheUse) return static_cast<double>(step.used_blocks);
  if (strip == Strip::kModelledDevice) return step.modelled_device_ns;
  const double seconds = static_cast<double>(step.end_ns - step.begin_ns) * 1e-9;
  return seconds > 0 ? static_cast<double>(step.prefill_tokens + step.decode_tokens) / seconds : 0;
}

const StepRecord* step_at(const EngineSnapshot* snapshot, double time_ns) {
  if (!snapshot || !snapshot->steps || time_ns < 0) return nullptr;
  const std::vector<StepRecord>& steps = *snapshot->steps;
  const auto after = std::partition_point(
      steps.begin(), steps.end(),
      [time_ns](const StepRecord& s) { return static_cast<double>(s.begin_ns) <= time_ns; });
  return after == steps.begin() ? nullptr : &*(after - 1);
}

LaneGeometry lane_geometry(const TimelineLane& lane, const CanvasAxis& axis, uint64_t newest_ns,
                           uint64_t until_ns) {
  LaneGeometry geometry;
  geometry.bars = bars_of(lane.spans, axis, until_ns);
  if (lane.open && lane.open->begin_ns < until_ns) {
    TimelineBar bar = clipped(axis, static_cast<double>(lane.open->begin_ns),
                              static_cast<double>(std::max(newest_ns, lane.open->begin_ns + 1)));
    bar.event = lane.open->event;
    bar.span_class = lane.open->span_class;
    bar.open = true;
    if (bar.width > 0 || (bar.x > 0 && bar.x < axis.pixels)) {
      bar.width = std::max(bar.width, 1.0f);
      geometry.bars.push_back(bar);
    }
  }
  if (lane.tokens.empty()) return geometry;
  VisibleRange range = visible_range(axis);
  // A token sampled at the very end of the shown time is shown too.
  if (until_ns < range.end_ns) range.end_ns = std::max(range.begin_ns, until_ns + 1);
  const auto by_time = [](const TimelineLane::Token& token, uint64_t ns) {
    return token.time_ns < ns;
  };
  const auto first =
      std::lower_bound(lane.tokens.begin(), lane.tokens.end(), range.begin_ns, by_time);
  const auto last = std::lower_bound(first, lane.tokens.end(), range.end_ns, by_time);
  const auto count = static_cast<double>(last - first);
  if (count < 1) return geometry;
  const double pixels = axis.to_pixel(static_cast<double>((last - 1)->time_ns)) -
                        axis.to_pixel(static_cast<double>(first->time_ns));
  if (count > 1 && pixels < kTokenMarkGap * (count - 1)) return geometry;
  for (auto token = first; token != last; ++token)
    geometry.token_marks.push_back(
        static_cast<float>(axis.to_pixel(static_cast<double>(token->time_ns))));
  return geometry;
}

std::vector<TimelineBar> match_bars(const LodIndex& matches, const CanvasAxis& axis,
                                    uint64_t until_ns) {
  std::vector<TimelineBar> bars = bars_of(matches, axis, until_ns);
  for (TimelineBar& bar : bars) bar.width = std::max(bar.width, 2.0f);
  return bars;
}

StripGeometry strip_geometry(Strip strip, const EngineSnapshot* snapshot, const CanvasAxis& axis) {
  StripGeometry geometry;
  if (!snapshot || !snapshot->steps || snapshot->steps->empty()) return geometry;
  const std::vector<StepRecord>& steps = *snapshot->steps;
  const VisibleRange range = visible_range(axis);
  auto step = std::partition_point(steps.begin(), steps.end(),
                                   [&](const StepRecord& s) { return s.end_ns <= range.begin_ns; });
  double highest = 0;
  for (; step != steps.end() && step->begin_ns < range.end_ns; ++step) {
    const double value = strip_value(strip, *step);
    highest = std::max(highest, value);
    // Cache use holds until the next step, other values only during their step.
    const auto next = step + 1;
    const uint64_t until =
        strip == Strip::kCacheUse && next != steps.end() ? next->begin_ns : step->end_ns;
    const TimelineBar bar =
        clipped(axis, static_cast<double>(step->begin_ns), static_cast<double>(until));
    const SpanClass phase = class_of_step(step->prefill_tokens, step->decode_tokens);
    auto& columns = geometry.columns;
    if (!columns.empty() && bar.width < 1 && bar.x < columns.back().x + columns.back().width) {
      columns.back().low = std::min(columns.back().low, static_cast<float>(value));
      columns.back().high = std::max(columns.back().high, static_cast<float>(value));
      continue;
    }
    columns.push_back({bar.x, std::max(bar.width, 1.0f), static_cast<float>(value),
                       static_cast<float>(value), phase});
  }
  geometry.top = strip == Strip::kCacheUse
                     ? std::max<double>(1, static_cast<double>(usable_blocks(*snapshot)))
                     : std::max(1.0, highest);
  return geometry;
}

int bar_at(const LaneGeometry& lane, double x, double slack) {
  int best = -1;
  double best_away = slack;
  for (size_t i = 0; i < lane.bars.size(); ++i) {
    const TimelineBar& bar = lane.bars[i];
    const double away = x < bar.x ? bar.x - x : x > bar.x + bar.width ? x - bar.x - bar.width : 0;
    if (away < best_away || (away == 0 && best_away == 0)) {
      best = static_cast<int>(i);
      best_away = away;
    }
  }
  return best;
}

}  // namespace attn::gui
