// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/search/timeline_search.h"

#include <algorithm>

#include "gui/models/text.h"
#include "gui/views/timeline/timeline_text.h"

namespace attn::gui {

void TimelineSearch::set_text(const QString& text) {
  text_ = text;
  terms_ = SearchTerms(text);
  all_bits_ = terms_.all();
  tabulate();
  restart();
}

void TimelineSearch::restart() {
  found_.clear();
  request_bits_.clear();
  bins_.clear();
  ++version_;
}

void TimelineSearch::tabulate() {
  last_step_ = -1;
  if (!active()) return;
  for (size_t i = 0; i < kEventKinds; ++i)
    kind_bits_[i] = terms_.found_in(kind_words(static_cast<EventKind>(i)));
  for (size_t i = 0; i < kSpanClasses; ++i)
    class_bits_[i] = terms_.found_in(text_of(static_cast<SpanClass>(i)));
  // A search for preempted requests also finds swapped ones.
  class_bits_[static_cast<size_t>(SpanClass::kSwapped)] |=
      class_bits_[static_cast<size_t>(SpanClass::kPreempted)];
  for (uint32_t i = 0; i < 256; ++i) {
    kernel_bits_[i] = terms_.found_in(kernel_words(i));
    layer_bits_[i] = i == kNoLayer ? 0 : terms_.found_in(tr("layer %1").arg(i));
    head_bits_[i] = terms_.found_in(tr("head %1").arg(i));
  }
}

uint64_t TimelineSearch::lane_bits(const TimelineLane& lane) const {
  uint64_t bits = terms_.found_in(lane_name(lane));
  if (lane.kind == LaneKind::kRequest) bits |= terms_.found_in(tr("request %1").arg(lane.id));
  return bits;
}

uint64_t TimelineSearch::request_bits(const TimelineModel& model, uint32_t request) {
  if (const auto known = request_bits_.find(request); known != request_bits_.end())
    return known->second;
  uint64_t bits = terms_.found_in(tr("request %1").arg(request));
  if (const RequestView* view =
          model.snapshot() ? request_by_id(*model.snapshot(), request) : nullptr)
    bits |= terms_.found_in(QString::fromStdString(view->name));
  request_bits_.emplace(request, bits);
  return bits;
}

// The bits leave out the words of the event's lane and class.
uint64_t TimelineSearch::bits_of(const TimelineModel& model, const TraceEvent& event) {
  uint64_t bits = kind_bits_[static_cast<size_t>(event.kind)];
  if (event.kind == EventKind::kTile) {
    const TileEvent tile = unpack_tile(event);
    bits |= kernel_bits_[static_cast<size_t>(tile.kernel)] | layer_bits_[event.layer] |
            request_bits(model, tile.request);
    for (uint32_t head = tile.head; head < std::min(256u, tile.head + tile.heads); ++head)
      bits |= head_bits_[head];
    return bits;
  }
  if (event.kind == EventKind::kKernel || event.kind == EventKind::kTask)
    bits |= kernel_bits_[event.a & 0xff] | layer_bits_[event.layer];
  // Neighbouring events are mostly of one step, so its terms are kept.
  if (const int64_t step = step_of(event); step >= 0) {
    if (step != last_step_) step_bits_ = terms_.found_in(tr("step %1").arg(step));
    last_step_ = step;
    bits |= step_bits_;
  }
  return bits;
}

TimelineSearch::Found& TimelineSearch::found_of(const TimelineLane& lane) {
  const auto [at, is_new] = found_.try_emplace(&lane);
  if (is_new) at->second.lane_bits = lane_bits(lane);
  return at->second;
}

bool TimelineSearch::look(const TimelineModel& model, const std::vector<TraceEvent>& events,
                          uint64_t most) {
  if (!active()) return true;
  for (const TimelineLane* lane : model.lanes()) {
    Found& found = found_of(*lane);
    const uint64_t stop = std::min(lane->spans.size(), found.looked_at + most);
    most -= stop - found.looked_at;
    for (; found.looked_at < stop; ++found.looked_at) {
      const LodSpan& span = lane->spans.span(found.looked_at);
      uint64_t bits = found.lane_bits | class_bits_[span.span_class];
      // The event only began the state. Its words do not describe the state.
      if (lane->kind != LaneKind::kRequest && bits != all_bits_ && span.event < events.size())
        bits |= bits_of(model, events[span.event]);
      if (bits != all_bits_) continue;
      found.spans.append(span);
      // Spans come nearly in order of time, so the place is near the end.
      const Begin begin{span.begin_ns, span.event};
      const bool is_last = found.begins.empty() || found.begins.back() < begin;
      found.begins.insert(
          is_last ? found.begins.end() : std::ranges::upper_bound(found.begins, begin), begin);
      ++bins_.at(span.begin_ns);
      ++version_;
    }
    if (found.looked_at < lane->spans.size()) return false;
  }
  return true;
}

const LodIndex* TimelineSearch::found_in(const TimelineLane& lane) const {
  const auto found = found_.find(&lane);
  return found == found_.end() ? nullptr : &found->second.spans;
}

bool TimelineSearch::finds_open(const TimelineModel& model, const TimelineLane& lane) const {
  if (!active() || !lane.open || lane.open->begin_ns >= model.until_ns()) return false;
  const auto found = found_.find(&lane);
  if (found == found_.end()) return false;
  const uint64_t class_bits = class_bits_[static_cast<size_t>(lane.open->span_class)];
  return (found->second.lane_bits | class_bits) == all_bits_;
}

uint64_t TimelineSearch::before(const TimelineModel& model, const TimelineLane& lane,
                                const Begin& at) const {
  const Begin end = std::min(at, Begin{model.until_ns(), 0});
  uint64_t count = 0;
  if (const auto found = found_.find(&lane); found != found_.end()) {
    const std::vector<Begin>& begins = found->second.begins;
    count = static_cast<uint64_t>(std::ranges::lower_bound(begins, end) - begins.begin());
  }
  if (finds_open(model, lane) && Begin{lane.open->begin_ns, lane.open->event} < end) ++count;
  return count;
}

uint64_t TimelineSearch::count(const TimelineModel& model) const {
  uint64_t count = 0;
  for (const TimelineLane* lane : model.lanes())
    count += before(model, *lane, {UINT64_MAX, UINT32_MAX});
  return count;
}

uint64_t TimelineSearch::rank(const TimelineModel& model, const Match& match) const {
  uint64_t count = 0;
  for (size_t i = 0; i < model.lanes().size(); ++i) {
    const int lane = static_cast<int>(i);
    // Of matches that begin at the same time, those in lanes above come before this one, those in
    // lanes below after it.
    const uint32_t event = lane < match.lane ? UINT32_MAX : lane > match.lane ? 0 : match.event;
    count += before(model, *model.lanes()[i], {match.begin_ns, event});
  }
  return count;
}

bool TimelineSearch::holds(const TimelineModel& model, const Match& match) const {
  if (match.lane < 0 || match.lane >= static_cast<int>(model.lanes().size())) return false;
  const TimelineLane& lane = *model.lanes()[static_cast<size_t>(match.lane)];
  return before(model, lane, {match.begin_ns, match.event + 1}) >
         before(model, lane, {match.begin_ns, match.event});
}

std::optional<TimelineSearch::Match> TimelineSearch::next(const TimelineModel& model,
                                                          const Match& from, int direction) const {
  std::optional<Match> best;
  const auto take = [&](const Match& match) {
    const bool fits = direction > 0 ? match > from && (!best || match < *best)
                                    : match < from && (!best || match > *best);
    if (fits) best = match;
  };
  for (size_t i = 0; i < model.lanes().size(); ++i) {
    const TimelineLane& lane = *model.lanes()[i];
    const int number = static_cast<int>(i);
    if (finds_open(model, lane)) take({lane.open->begin_ns, number, lane.open->event});
    const auto found = found_.find(&lane);
    if (found == found_.end()) continue;
    const std::vector<Begin>& begins = found->second.begins;
    const auto end = std::ranges::lower_bound(begins, Begin{model.until_ns(), 0});
    const uint32_t event = number < from.lane ? UINT32_MAX : number > from.lane ? 0 : from.event;
    auto at = std::lower_bound(begins.begin(), end, Begin{from.begin_ns, event});
    if (direction > 0) {
      if (at != end && number == from.lane && *at == Begin{from.begin_ns, from.event}) ++at;
      if (at != end) take({at->begin_ns, number, at->event});
    } else if (at != begins.begin()) {
      --at;
      take({at->begin_ns, number, at->event});
    }
  }
  return best;
}

}  // namespace attn::gui
