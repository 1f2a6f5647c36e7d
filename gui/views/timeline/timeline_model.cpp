// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/timeline/timeline_model.h"

#include <algorithm>

namespace attn::gui {

const char* name_of(SpanClass span_class) {
  switch (span_class) {
    case SpanClass::kPrefill:
      return QT_TRANSLATE_NOOP("Timeline", "prefill");
    case SpanClass::kDecode:
      return QT_TRANSLATE_NOOP("Timeline", "decode");
    case SpanClass::kLinear:
      return QT_TRANSLATE_NOOP("Timeline", "linear");
    case SpanClass::kOther:
      return QT_TRANSLATE_NOOP("Timeline", "other kernels");
    case SpanClass::kCacheWrite:
      return QT_TRANSLATE_NOOP("Timeline", "cache write");
    case SpanClass::kCopy:
      return QT_TRANSLATE_NOOP("Timeline", "copy, swap");
    case SpanClass::kSchedule:
      return QT_TRANSLATE_NOOP("Timeline", "scheduler");
    case SpanClass::kQueued:
      return QT_TRANSLATE_NOOP("Timeline", "queued");
    case SpanClass::kPreempted:
      return QT_TRANSLATE_NOOP("Timeline", "preempted");
    case SpanClass::kSwapped:
      return QT_TRANSLATE_NOOP("Timeline", "swapped");
    case SpanClass::kMixed:
      return QT_TRANSLATE_NOOP("Timeline", "prefill and decode");
  }
  return "";
}

SpanClass class_of_step(int64_t prefill_tokens, int64_t decode_tokens) {
  if (prefill_tokens == 0) return SpanClass::kDecode;
  return decode_tokens == 0 ? SpanClass::kPrefill : SpanClass::kMixed;
}

SpanClass class_of_kernel(KernelId kernel, SpanClass if_either) {
  switch (kernel_facts(kernel).work) {
    case KernelClass::kPrefill:
      return SpanClass::kPrefill;
    case KernelClass::kDecode:
      return SpanClass::kDecode;
    case KernelClass::kPrefillOrDecode:
      return if_either;
    case KernelClass::kLinear:
      return SpanClass::kLinear;
    case KernelClass::kCacheWrite:
      return SpanClass::kCacheWrite;
    case KernelClass::kCopy:
      return SpanClass::kCopy;
    case KernelClass::kPlan:
      return SpanClass::kSchedule;
    case KernelClass::kOther:
      return SpanClass::kOther;
  }
  return SpanClass::kOther;  // the compiler names missing classes
}

SpanClass class_of(const TraceEvent& event, SpanClass if_either) {
  switch (event.kind) {
    case EventKind::kStep:
      return class_of_step(event.b, event.c);
    case EventKind::kSchedule:
      return SpanClass::kSchedule;
    case EventKind::kTile:
      return class_of_kernel(unpack_tile(event).kernel, if_either);
    case EventKind::kKernel:
    case EventKind::kTask:
    case EventKind::kCallSplit:
    case EventKind::kPadding:
      return class_of_kernel(static_cast<KernelId>(event.a), if_either);
    case EventKind::kBiasBuilt:  // a decode has none
      return SpanClass::kPrefill;
    case EventKind::kPageFetch:
      return SpanClass::kCopy;
    case EventKind::kPlanCaptured:
    case EventKind::kPlanReplayed:
      return SpanClass::kSchedule;
    default:
      return SpanClass::kOther;
  }
}

namespace {

// nullopt: the event has no lane.
std::optional<LaneKind> lane_of(const TraceEvent& event) {
  switch (event.kind) {
    case EventKind::kStep:
      return LaneKind::kSteps;
    case EventKind::kSchedule:
    case EventKind::kKernel:
      return LaneKind::kKernels;
    case EventKind::kTile:
    case EventKind::kTask:
    case EventKind::kPageFetch:
      return event.lane == kEngineLane ? LaneKind::kKernels : LaneKind::kWorker;
    case EventKind::kBiasBuilt:
    case EventKind::kCallSplit:
    case EventKind::kPadding:
    case EventKind::kPlanCaptured:
    case EventKind::kPlanReplayed:
      return LaneKind::kMarks;
    case EventKind::kRequestQueued:
    case EventKind::kRequestScheduled:
    case EventKind::kTokenSampled:
    case EventKind::kRequestPreempted:
    case EventKind::kRequestResumed:
    case EventKind::kRequestForked:
    case EventKind::kRequestFinished:
      return LaneKind::kRequest;
    default:
      return std::nullopt;
  }
}

}  // namespace

void TimelineModel::clear() {
  requests_.clear();
  workers_.clear();
  steps_.reset();
  kernels_.reset();
  marks_.reset();
  lanes_.clear();
  snapshot_.reset();
  past_.reset();
  until_ns_ = UINT64_MAX;
  end_ns_ = num_spans_ = 0;
  either_class_ = SpanClass::kPrefill;
  num_prefilling_ = 0;
  ++version_;
}

void TimelineModel::rebuild_order() {
  lanes_.clear();
  std::vector<uint32_t> then;  // ids of the requests at the past step
  if (past_)
    for (const RequestView& request : past_->requests) then.push_back(request.id);
  std::ranges::sort(then);
  for (const auto& lane : requests_)
    if (!past_ || std::ranges::binary_search(then, lane->id)) lanes_.push_back(lane.get());
  if (steps_) lanes_.push_back(steps_.get());
  if (kernels_) lanes_.push_back(kernels_.get());
  if (marks_) lanes_.push_back(marks_.get());
  for (const auto& lane : workers_) lanes_.push_back(lane.get());
}

// Requests and lanes are both in order of id.
void TimelineModel::name_lanes() {
  auto lane = requests_.begin();
  for (const RequestView& request : snapshot_->requests) {
    while (lane != requests_.end() && (*lane)->id < request.id) ++lane;
    if (lane == requests_.end()) return;
    if ((*lane)->id == request.id && !request.name.empty()) (*lane)->name = request.name;
  }
}

TimelineLane& TimelineModel::request_lane(uint32_t request) {
  const auto at = std::lower_bound(
      requests_.begin(), requests_.end(), request,
      [](const std::unique_ptr<TimelineLane>& lane, uint32_t id) { return lane->id < id; });
  if (at != requests_.end() && (*at)->id == request) return **at;
  auto lane = std::make_unique<TimelineLane>();
  lane->kind = LaneKind::kRequest;
  lane->id = request;
  lane->name = "request " + std::to_string(request);
  TimelineLane& added = **requests_.insert(at, std::move(lane));
  rebuild_order();
  return added;
}

TimelineLane& TimelineModel::worker_lane(uint32_t worker) {
  while (workers_.size() <= worker) {
    auto lane = std::make_unique<TimelineLane>();
    lane->kind = LaneKind::kWorker;
    lane->id = static_cast<uint32_t>(workers_.size());
    lane->name = "worker " + std::to_string(workers_.size());
    workers_.push_back(std::move(lane));
    rebuild_order();
  }
  return *workers_[worker];
}

TimelineLane& TimelineModel::marks_lane() {
  if (!marks_) {
    marks_ = std::make_unique<TimelineLane>();
    marks_->kind = LaneKind::kMarks;
    marks_->name = "marks";
    rebuild_order();
  }
  return *marks_;
}

void TimelineModel::add(TimelineLane& lane, const LodSpan& span) {
  lane.spans.append(span);
  ++num_spans_;
}

void TimelineModel::add_engine(LaneKind kind, const TraceEvent& event, uint32_t index) {
  TimelineLane& lane = kind == LaneKind::kWorker  ? worker_lane(event.lane - 1u)
                       : kind == LaneKind::kMarks ? marks_lane()
                       : kind == LaneKind::kSteps ? *steps_
                                                  : *kernels_;
  // A call of the kernel `reference` can have tiles of several requests: it counts as prefill if a
  // request is in prefill.
  const SpanClass if_either = event.kind != EventKind::kKernel ? either_class_
                              : num_prefilling_ > 0            ? SpanClass::kPrefill
                                                               : SpanClass::kDecode;
  add(lane, {event.begin_ns, event.begin_ns + event.duration_ns, index,
             static_cast<uint8_t>(class_of(event, if_either))});
}

SpanClass TimelineModel::state_at(uint32_t request, uint64_t time_ns) {
  const TimelineLane& lane = request_lane(request);
  if (lane.open && lane.open->begin_ns <= time_ns) return lane.open->span_class;
  for (size_t i = lane.spans.size(); i-- > 0;)
    if (const LodSpan span = lane.spans.span(i); span.begin_ns <= time_ns)
      return static_cast<SpanClass>(span.span_class);
  return SpanClass::kQueued;
}

// Ends the open state and begins `state`, unless `state` is open already. nullopt: the request has
// ended.
void TimelineModel::enter_state(uint32_t request, uint64_t time_ns, uint32_t event,
                                std::optional<SpanClass> state) {
  TimelineLane& lane = request_lane(request);
  if (lane.open) {
    if (state && lane.open->span_class == *state) return;
    add(lane, {lane.open->begin_ns, std::max(lane.open->begin_ns, time_ns), lane.open->event,
               static_cast<uint8_t>(lane.open->span_class)});
    num_prefilling_ -= lane.open->span_class == SpanClass::kPrefill;
  }
  lane.open.reset();
  if (state) lane.open = TimelineLane::Open{time_ns, event, *state};
  num_prefilling_ += state == SpanClass::kPrefill;
}

void TimelineModel::add_request_event(const TraceEvent& event, uint32_t index) {
  switch (event.kind) {
    case EventKind::kRequestQueued:
      enter_state(event.a, event.begin_ns, index, SpanClass::kQueued);
      break;
    case EventKind::kRequestScheduled:
      enter_state(event.a, event.begin_ns, index, SpanClass::kPrefill);
      break;
    case EventKind::kTokenSampled:
      enter_state(event.a, event.begin_ns, index, SpanClass::kDecode);
      request_lane(event.a).tokens.push_back({event.begin_ns, index});
      request_lane(event.a).has_decoded = true;
      break;
    case EventKind::kRequestPreempted:
      enter_state(event.a, event.begin_ns, index,
                  event.d == 1 ? SpanClass::kSwapped : SpanClass::kPreempted);
      break;
    case EventKind::kRequestResumed:
      enter_state(event.a, event.begin_ns, index,
                  request_lane(event.a).has_decoded ? SpanClass::kDecode : SpanClass::kPrefill);
      break;
    case EventKind::kRequestForked:
      enter_state(event.a, event.begin_ns, index, SpanClass::kDecode);
      request_lane(event.a).has_decoded = true;
      break;
    case EventKind::kRequestFinished:
      enter_state(event.a, event.begin_ns, index, std::nullopt);
      break;
    default:
      break;
  }
}

void TimelineModel::append(std::span<const TraceEvent> events, uint32_t first) {
  if (events.empty()) return;
  if (!steps_) {
    const auto engine_lane = [](LaneKind kind, const char* name) {
      auto lane = std::make_unique<TimelineLane>();
      lane->kind = kind;
      lane->name = name;
      return lane;
    };
    steps_ = engine_lane(LaneKind::kSteps, "steps");
    kernels_ = engine_lane(LaneKind::kKernels, "kernels");
    rebuild_order();
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const TraceEvent& event = events[i];
    const uint32_t index = first + static_cast<uint32_t>(i);
    end_ns_ = std::max(end_ns_, event.begin_ns + event.duration_ns);
    if (event.kind == EventKind::kTile &&
        kernel_facts(unpack_tile(event).kernel).work == KernelClass::kPrefillOrDecode)
      either_class_ = state_at(unpack_tile(event).request, event.begin_ns) == SpanClass::kDecode
                          ? SpanClass::kDecode
                          : SpanClass::kPrefill;
    const std::optional<LaneKind> kind = lane_of(event);
    if (!kind) continue;
    if (*kind == LaneKind::kRequest)
      add_request_event(event, index);
    else
      add_engine(*kind, event, index);
  }
  ++version_;
}

void TimelineModel::set_snapshot(std::shared_ptr<const EngineSnapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  if (snapshot_) {
    for (const RequestView& request : snapshot_->requests) request_lane(request.id);
    for (int worker = static_cast<int>(workers_.size());
         steps_ && worker + 1 < snapshot_->num_lanes; ++worker)
      worker_lane(static_cast<uint32_t>(worker));
    name_lanes();
    if (snapshot_->steps && !snapshot_->steps->empty())
      end_ns_ = std::max(end_ns_, snapshot_->steps->back().end_ns);
  }
  ++version_;
}

void TimelineModel::set_past(std::shared_ptr<const EngineSnapshot> past) {
  if (past == past_) return;
  past_ = std::move(past);
  const bool has_step = past_ && past_->steps && !past_->steps->empty();
  until_ns_ = has_step ? past_->steps->back().end_ns : past_ ? 0 : UINT64_MAX;
  rebuild_order();
  ++version_;
}

uint64_t TimelineModel::num_spans() const {
  if (!past_) return num_spans_;
  uint64_t count = 0;
  for (const TimelineLane* lane : lanes_) count += lane->spans.statistics(0, until_ns_).count;
  return count;
}

TimelineModel::Place TimelineModel::place_of(uint32_t event, const TraceEvent& data) const {
  const std::optional<LaneKind> kind = lane_of(data);
  if (!kind) return {};
  const uint32_t id = *kind == LaneKind::kRequest  ? data.a
                      : *kind == LaneKind::kWorker ? data.lane - 1u
                                                   : 0;
  for (size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i]->kind != *kind || lanes_[i]->id != id) continue;
    if (const auto position = lanes_[i]->spans.find_event(event))
      return {static_cast<int>(i), *position};
  }
  return {};
}

LodStatistics TimelineModel::statistics(int lane_index, uint64_t begin_ns, uint64_t end_ns) const {
  if (lane_index < 0 || lane_index >= static_cast<int>(lanes_.size())) return {};
  end_ns = std::min(end_ns, until_ns_);
  if (begin_ns >= end_ns) return {};
  const TimelineLane& lane = *lanes_[static_cast<size_t>(lane_index)];
  LodStatistics sum = lane.spans.statistics(begin_ns, end_ns);
  if (lane.open && lane.open->begin_ns < end_ns && end_ns_ > begin_ns) {
    const uint64_t from = std::max(begin_ns, lane.open->begin_ns);
    const uint64_t to = std::max(from, std::min(end_ns, end_ns_));
    ++sum.count;
    ++sum.class_count[static_cast<size_t>(lane.open->span_class)];
    sum.total_ns += to - from;
    sum.class_ns[static_cast<size_t>(lane.open->span_class)] += to - from;
  }
  return sum;
}

}  // namespace attn::gui
